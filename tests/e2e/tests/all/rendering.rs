//! `--render`: the pages whose scripts run, from the sitemap to the record.
#![allow(clippy::indexing_slicing, clippy::expect_used, reason = "helpers fail the test by panicking")]

use mapwright_e2e::browser::{Browser, Screen};
use mapwright_e2e::{Workspace, links};
use mapwright_testkit::{FakeSite, Response};

/// A page whose links only a script makes, from a list that it requests.
const SHELL: &str = "<!doctype html><title>App</title><div id=root></div><script src=/app.js></script>";
/// Makes the links of a page, and its title.
const APP: &str = "fetch('/api' + location.pathname + '.json').then((answer) => answer.json()).then((page) => {
    document.title = page.title;
    root.innerHTML = `<h1>${page.title}</h1><p>${page.text}</p>`
        + page.links.map((url) => `<a href=\"${url}\">${url}</a>`).join(' ');
})";

/// An application of three pages, each a shell.
fn app() -> FakeSite {
    let site = FakeSite::open();
    site.file("/app.js", "text/javascript", APP);
    for (path, other) in [("/home", "/about"), ("/about", "/team"), ("/team", "/home")] {
        site.page(path, SHELL);
        let text = format!("{{\"title\": \"Page {path}\", \"text\": \"Words of {path}.\", \"links\": [\"{other}\"]}}");
        site.file(&format!("/api{path}.json"), "application/json", text);
    }
    site
}

fn listed(workspace: &Workspace) -> Vec<String> {
    let text = std::fs::read_to_string(workspace.path("out/sitemap.xml")).expect("a sitemap");
    let urls = text.split("<loc>").skip(1).filter_map(|part| part.split("</loc>").next());
    let mut paths: Vec<String> = urls.map(|url| url.split('/').skip(3).collect::<Vec<_>>().join("/")).collect();
    paths.sort();
    paths
}

fn crawl(workspace: &Workspace, site: &FakeSite, start: &str, words: &[&str]) -> String {
    let start = site.url(start);
    let fixed = ["crawl", &start, "--state", "state", "--out", "out", "--format", "json"];
    workspace.run(&[&fixed[..], words].concat()).exited(0).stdout
}

/// A program that ends at once.
fn broken_browser(workspace: &Workspace) -> String {
    let browser = workspace.file("browser", "#!/bin/sh\nexit 1\n");
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&browser, executable).expect("a program");
    browser
}

#[test]
fn an_application_is_found_by_rendering_alone() {
    let site = app();
    for (mode, expected) in [("never", 1), ("auto", 3), ("always", 3)] {
        let workspace = Workspace::new();
        let summary: serde_json::Value =
            serde_json::from_str(&crawl(&workspace, &site, "/home", &["--render", mode])).expect("a summary");
        assert_eq!(listed(&workspace).len(), expected, "{mode}");
        assert_eq!(summary["rendering"]["pages"], if mode == "never" { 0 } else { 3 }, "{mode}");
    }
}

#[test]
fn a_script_of_all_pages_is_requested_once_and_each_document_once() {
    let (site, workspace) = (app(), Workspace::new());
    let _ = crawl(&workspace, &site, "/home", &["--render", "always"]);
    let count = |path: &str| site.requests().iter().filter(|request| request.path() == path).count();
    assert_eq!(["/app.js", "/home", "/about", "/team", "/api/about.json"].map(count), [1; 5]);
}

/// Pages of the site below: so many that a check of two in a hundred meets one.
const PAGES: usize = 500;

#[test]
fn a_template_that_turns_out_to_be_scripted_has_its_pages_visited_again() {
    let workspace = Workspace::new();
    let site = site_that_turns();
    let _ = crawl(&workspace, &site, "/", &["--render", "auto", "--max-renders", "60"]);
    let made = listed(&workspace).iter().filter(|path| path.starts_with("made/")).count();
    // Checks made a few of them known; the others were rendered after the crawl had come to its end without them.
    assert!(made > 40, "{made} pages that scripts link to are listed");
}

/// The pages that are requested again were counted before, and none is lost by it.
#[test]
fn a_limit_of_pages_leaves_room_for_the_scripts_of_those_that_were_read() {
    let (site, workspace) = (site_that_turns(), Workspace::new());
    let limits = ["--render", "auto", "--max-renders", "60", "--max-urls", &(PAGES + 1).to_string()];
    let summary: serde_json::Value = serde_json::from_str(&crawl(&workspace, &site, "/", &limits)).expect("a summary");
    assert_eq!(listed(&workspace).len(), PAGES + 1, "{summary}");
    assert_eq!(summary["rendering"]["pages"], 60, "{summary}");
}

/// The header dates the shell, which is the same file for all pages.
#[test]
fn the_date_of_a_shell_is_no_date_of_its_pages() {
    let site = FakeSite::open();
    let dated = |body: &str| Response::html(body).header("Last-Modified", "Wed, 01 Oct 2025 10:00:00 GMT");
    let text = "A text that stands in the document itself, long enough to be no shell for scripts to fill. ".repeat(4);
    site.answer("/home", dated(SHELL));
    site.answer("/about", dated(&format!("<title>About</title><p>{text}<script src=/about.js></script>")));
    site.file("/about.js", "text/javascript", "document.body.insertAdjacentHTML('beforeend', '<p>One more</p>')");
    site.file("/app.js", "text/javascript", APP);
    let json = format!("{{\"title\": \"Home\", \"text\": \"{text}\", \"links\": [\"/about\"]}}");
    site.file("/api/home.json", "application/json", json);
    let workspace = Workspace::new();
    let _ = crawl(&workspace, &site, "/home", &["--render", "always"]);
    let sitemap = std::fs::read_to_string(workspace.path("out/sitemap.xml")).expect("a sitemap");
    let dates = |path: &str| {
        let entry = sitemap.split("<url>").find(|entry| entry.contains(path)).expect("an entry");
        entry.contains("<lastmod>2025-10-01")
    };
    assert!(dates("/about"), "scripts add little to this page: {sitemap}");
    assert!(!dates("/home"), "{sitemap}");
}

/// A site of [`PAGES`] pages, of which all but the first three that are rendered get a link by a script.
fn site_that_turns() -> FakeSite {
    let site = FakeSite::open();
    let pages: Vec<String> = (0..PAGES).map(|number| format!("p/{number}")).collect();
    site.page("/", links(&pages.iter().map(String::as_str).collect::<Vec<_>>()));
    let text = "A text that stands in the document itself, long enough to be no shell for scripts to fill. ".repeat(4);
    for page in &pages {
        let body = format!(
            "<!doctype html><title>{page}</title><div id=page><p>{page} {text}</p><a href=/>Home</a></div>\
             <script>fetch('/state').then((answer) => answer.text()).then((state) => {{
                 if (state === 'new') document.body.insertAdjacentHTML('beforeend', `<a href='/made/{page}'>Made</a>`)
             }})</script>"
        );
        site.page(&format!("/{page}"), body);
        site.page(&format!("/made/{page}"), format!("<title>Made for {page}</title><p>Made for {page}, {text}"));
    }
    // The first three pages, from which the template is learnt, are as their documents say; all later ones add a link.
    let text = |body: &str| Response::new(200).content_type("text/plain").body(body);
    site.answer("/state", text("new")).first_n("/state", 3, text("old"));
    site
}

#[test]
fn what_was_learnt_of_templates_stays_over_runs() {
    let (site, workspace) = (FakeSite::open(), Workspace::new());
    let pages = ["a", "b", "c", "d", "e", "f"];
    site.page("/", links(&pages));
    let text = "A text that stands in the document itself, long enough to be no shell for scripts to fill. ".repeat(4);
    for page in pages {
        let body =
            format!("<title>{page}</title><p>{page} {text}</p><a href=/>Home</a><script>fetch('/beat')</script>");
        site.page(&format!("/{page}"), body);
    }
    site.answer("/beat", Response::new(204));
    let beats = || site.requests().iter().filter(|request| request.path() == "/beat").count();
    let _ = crawl(&workspace, &site, "/", &["--render", "auto"]);
    // Three pages teach what the scripts of a template do; one of fifty others is a check.
    let first = beats();
    assert!((3..=4).contains(&first), "{first} pages were rendered");
    let _ = crawl(&workspace, &site, "/", &["--render", "auto"]);
    assert!(beats() <= first + 2, "{first} pages were rendered, and {} in two runs", beats());
}

#[test]
fn a_browser_that_is_not_there_is_refused_before_the_first_request() {
    let (site, workspace) = (app(), Workspace::new());
    let start = site.url("/home");
    let words =
        ["crawl", &start, "--state", "state", "--out", "out", "--render", "auto", "--browser", "/nowhere/chromium"];
    let refused = workspace.run(&words).exited(2);
    assert!(refused.stderr.contains("there is no program `/nowhere/chromium`"), "{}", refused.stderr);
    assert!(site.requests().is_empty(), "it was refused after a request");
}

#[test]
fn a_browser_that_does_not_work_cuts_the_crawl_which_a_resumed_one_completes() {
    let (site, workspace) = (app(), Workspace::new());
    let start = site.url("/home");
    let browser = broken_browser(&workspace);
    let words = ["crawl", &start, "--state", "state", "--out", "out", "--render", "always"];
    let cut = workspace.run(&[&words[..], &["--browser", &browser]].concat()).exited(4);
    assert!(cut.stdout.contains("the browser does not work"), "{}", cut.stdout);
    let _ = workspace.run(&[&words[..], &["--resume"]].concat()).exited(0);
    assert_eq!(listed(&workspace), ["about", "home", "team"]);
}

#[test]
fn the_report_shows_a_page_without_its_scripts_and_with_them() {
    let (site, workspace) = (app(), Workspace::new());
    let start = site.url("/about");
    let _ = workspace.run(&["audit", &start, "--state", "state", "--out", "out", "--render", "auto"]).exited(0);
    let mut browser = Browser::on(Screen::Desktop);
    browser.open(workspace.path("out/report.html"));
    browser.until("document.documentElement.dataset.ready === 'true'");
    let _ = browser.value("document.querySelector('#url-grid .body [role=row]').click()");
    let changed =
        browser.text("[...document.querySelectorAll('.sides .changed')].map((row) => row.innerText).join('|')");
    let facts: Vec<Vec<&str>> = changed.split('|').map(|row| row.split('\t').collect()).collect();
    assert!(facts.contains(&vec!["title", "App", "Page /about"]), "{facts:?}");
    assert!(facts.contains(&vec!["links", "0", "1 (1 added, 0 removed)"]), "{facts:?}");
}

/// As long as nothing was rendered, `auto` can do without; afterwards, pages would be missing.
#[test]
fn a_browser_that_does_not_start_is_none_for_auto_until_pages_rest_on_it() {
    let (site, workspace) = (app(), Workspace::new());
    let start = site.url("/home");
    let browser = broken_browser(&workspace);
    let words = ["crawl", &start, "--state", "state", "--out", "out", "--render", "auto"];
    let broken = [&words[..], &["--browser", &browser]].concat();
    let without = workspace.run(&broken).exited(0);
    assert!(
        without.said().contains("1 page looks empty without scripts, and no browser ran them"),
        "{}",
        without.said()
    );
    assert!(without.stderr.contains("pages are read without their scripts"), "{}", without.stderr);
    assert_eq!(listed(&workspace), ["home"]);
    // Many pages at once need the browser, more than it is started for.
    let shells: Vec<String> = (0..30).map(|number| format!("shell/{number}")).collect();
    site.page("/many", links(&shells.iter().map(String::as_str).collect::<Vec<_>>())).page("/shell/*", SHELL);
    let many = ["crawl", &site.url("/many"), "--state", "state2", "--out", "out2", "--render", "auto"];
    let without = workspace.run(&[&many[..], &["--browser", &browser]].concat()).exited(0);
    assert!(without.said().contains("30 pages look empty without scripts"), "{}", without.said());
    let _ = workspace.run(&words).exited(0);
    assert_eq!(listed(&workspace), ["about", "home", "team"]);
    let cut = workspace.run(&broken).exited(4);
    assert!(cut.stdout.contains("the browser does not work"), "{}", cut.stdout);
    assert_eq!(listed(&workspace), ["about", "home", "team"], "what was published stays");
}

#[test]
fn explain_shows_a_page_without_its_scripts_and_with_them() {
    let (site, workspace) = (app(), Workspace::new());
    let _ = crawl(&workspace, &site, "/home", &["--render", "always"]);
    let text = workspace.run(&["explain", &site.url("/about"), "--state", "state"]).exited(0).stdout;
    for words in ["scripts: they ran", "title: App -> Page /about", "links: 0 -> 1", &site.url("/team")] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn max_renders_limits_the_pages_that_are_rendered() {
    let (site, workspace) = (app(), Workspace::new());
    let summary = crawl(&workspace, &site, "/home", &["--render", "always", "--max-renders", "1"]);
    let summary: serde_json::Value = serde_json::from_str(&summary).expect("a summary");
    assert_eq!(summary["rendering"]["pages"], 1);
    assert_eq!(listed(&workspace), ["about", "home"], "the second page is read without its scripts");
}
