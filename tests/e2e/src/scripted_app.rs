//! An application of one page: every document is a shell, and scripts make its text and its links.

use mapwright_testkit::FakeSite;

/// The document of every page.
const SHELL: &str = "<!doctype html><title>App</title><div id=root></div><script src=/app.js></script>";
/// Makes a page in the ways in which applications do: it requests what the page says, then waits for a timer, for ten
/// frames and for idle time before it adds each further part.
const APP: &str = "const frames = (left) => new Promise((done) =>
    requestAnimationFrame(() => left ? frames(left - 1).then(done) : done()));
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const idle = () => new Promise((done) => requestIdleCallback(done));
const add = (html) => root.insertAdjacentHTML('beforeend', html);
const run = async () => {
    const page = await (await fetch('/api' + location.pathname + '.json')).json();
    document.title = page.title;
    add(`<h1>${page.title}</h1>`);
    await pause(700);
    add(`<p>${page.text}</p>`);
    for (const url of page.links) {
        await frames(10);
        await idle();
        add(`<a href=\"${url}\">${url}</a>`);
    }
};
run()";

/// Starts the site of an application of this number of pages, from `/p/1` on. Each page leads to two further ones.
#[must_use]
pub fn scripted_app(pages: usize) -> FakeSite {
    let site = FakeSite::open();
    site.file("/app.js", "text/javascript", APP);
    for number in 1..=pages {
        let path = format!("/p/{number}");
        let links: Vec<String> = [2 * number, 2 * number + 1]
            .into_iter()
            .filter(|next| *next <= pages)
            .map(|next| format!("\"/p/{next}\""))
            .collect();
        let text = format!("What page {number} has to say, which no other page says.");
        let json = format!("{{\"title\": \"Page {number}\", \"text\": \"{text}\", \"links\": [{}]}}", links.join(", "));
        site.page(&path, SHELL).file(&format!("/api{path}.json"), "application/json", json);
    }
    site
}
