//! Jobs that are edited in a browser, while the service runs.

use mapwright_e2e::Workspace;
use mapwright_e2e::browser::{Browser, Screen};
use mapwright_e2e::service::Service;
use std::fs;

const TOKEN: &str = "a-token-that-nobody-guesses-0123456789";
const JOBS: &str = "# Ours.\n[job.shop]\nurl = [\"http://127.0.0.1:9/\"] # the shop\ncron = \"0 2 * * *\"\n";

fn served() -> (Workspace, Service, Browser) {
    let workspace = Workspace::of_service(JOBS);
    workspace.file("token", TOKEN);
    let service = workspace.serve_with(&["--token-file", "token"]);
    let mut browser = Browser::on(Screen::Phone);
    browser.visit(&service.url("/login"));
    submit(&mut browser, "input[name=token]", TOKEN, "");
    browser.until("document.readyState === 'complete' && document.querySelector('h1').innerText === 'Jobs'");
    (workspace, service, browser)
}

/// Fills in a field, and submits its form by the button with this value.
fn submit(browser: &mut Browser, field: &str, text: &str, step: &str) {
    browser.value(&format!(
        "(() => {{ const field = document.querySelector('{field}'); field.value = '{text}'; \
         field.form.requestSubmit(field.form.querySelector('button[value=\"{step}\"]')); }})()"
    ));
}

fn press(browser: &mut Browser, button: &str) {
    browser.value(&format!("document.querySelector('{button}').click()"));
}

fn heading(browser: &mut Browser, text: &str) {
    browser.until(&format!(
        "document.readyState === 'complete' && document.querySelector('h1').innerText.startsWith('{text}')"
    ));
}

fn text(workspace: &Workspace) -> String {
    fs::read_to_string(workspace.path("mapwright.toml")).unwrap_or_default()
}

#[test]
fn a_job_is_edited_copied_and_removed_in_the_browser() {
    let (workspace, service, mut browser) = served();
    browser.visit(&service.url("/jobs/shop"));
    browser.value("[...document.querySelectorAll('nav a')].find(a => a.innerText === 'Edit').click()");
    heading(&mut browser, "Edit shop");
    submit(&mut browser, "input[name=\"job.cron\"]", "30 3 * * *", "preview");
    heading(&mut browser, "Change shop");
    assert!(browser.text("document.querySelector('pre').innerText").contains("+cron = \"30 3 * * *\""));
    assert_eq!(text(&workspace), JOBS);
    press(&mut browser, "button[value=save]");
    heading(&mut browser, "shop");
    assert!(browser.text("document.querySelector('main').innerText").contains("03:30"), "the new schedule is in force");
    assert_eq!(text(&workspace), JOBS.replace("0 2 * * *", "30 3 * * *"));

    browser.value("[...document.querySelectorAll('nav a')].find(a => a.innerText === 'Copy').click()");
    heading(&mut browser, "New job");
    submit(&mut browser, "input[name=name]", "Not A Name", "preview");
    browser.until("document.querySelector('[role=alert]')?.innerText.includes('cannot be the name of a job') === true");
    submit(&mut browser, "input[name=name]", "blog", "preview");
    heading(&mut browser, "Make blog");
    press(&mut browser, "button[value=save]");
    heading(&mut browser, "blog");
    assert!(
        text(&workspace).contains("\n[job.blog]\nurl = [\"http://127.0.0.1:9/\"] # the shop\n"),
        "{}",
        text(&workspace)
    );

    browser.value("[...document.querySelectorAll('nav a')].find(a => a.innerText === 'Remove').click()");
    heading(&mut browser, "Remove blog");
    press(&mut browser, "main button.main");
    heading(&mut browser, "Jobs");
    assert!(!browser.text("document.querySelector('main').innerText").contains("blog"));
    assert_eq!(text(&workspace), JOBS.replace("0 2 * * *", "30 3 * * *"));
    assert!(browser.value("document.documentElement.scrollWidth <= innerWidth").as_bool().unwrap());
    assert_eq!(browser.complaints().iter().filter(|one| !one.contains("422")).count(), 0, "{:?}", browser.complaints());
}

#[test]
fn the_last_job_stays() {
    let (workspace, service, mut browser) = served();
    browser.visit(&service.url("/jobs/shop/remove"));
    assert!(browser.text("document.body.innerText").contains("has no jobs"));
    assert_eq!(text(&workspace), JOBS);
}
