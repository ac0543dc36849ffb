//! The dashboard in a real browser: log in, start a job, watch it, open its findings, explain a page, compare runs, log
//! out, without errors in the console.

use mapwright_e2e::browser::{Browser, Screen};
use mapwright_e2e::service::Service;
use mapwright_e2e::{Command, Workspace, links};
use mapwright_testkit::{FakeSite, Response};
use std::time::Duration;

const TOKEN: &str = "a-token-that-nobody-guesses-0123456789";

/// A slow site with one broken link.
fn site() -> FakeSite {
    let site = FakeSite::open();
    let names: Vec<String> = (0..40).map(|number| format!("p{number}")).chain(["gone".to_owned()]).collect();
    site.page("/", links(&names.iter().map(String::as_str).collect::<Vec<_>>())).status("/gone", 404);
    site.answer("/p*", Response::html("<title>One of many</title>").delay(Duration::from_millis(300)));
    site
}

fn served(site: &FakeSite) -> (Workspace, Service) {
    let workspace = Workspace::of_service(&format!(
        "[job.shop]\nurl = [\"{}\"]\n[job.shop.crawl]\nconcurrency = 2\n",
        site.url("/")
    ));
    workspace.file("token", TOKEN);
    let service = workspace.serve_with(&["--token-file", "token"]);
    (workspace, service)
}

fn heading(browser: &mut Browser, text: &str) {
    browser.until(&format!(
        "document.readyState === 'complete' && document.querySelector('h1').innerText.includes('{text}')"
    ));
}

fn log_in(browser: &mut Browser, service: &Service) {
    browser.visit(&service.url("/"));
    browser.until("location.pathname === '/login'");
    browser.value(&format!(
        "(() => {{ const field = document.querySelector('input[name=token]'); field.value = '{TOKEN}'; \
         field.form.requestSubmit(); }})()"
    ));
    heading(browser, "Jobs");
}

/// Submits the form whose action has this suffix.
fn send(browser: &mut Browser, action: &str) {
    browser.value(&format!("document.querySelector('form[action$=\"{action}\"]').requestSubmit()"));
}

#[test]
fn an_operator_starts_watches_and_looks_through_a_job() {
    let site = site();
    let (_post, service) = served(&site);
    let mut browser = Browser::on(Screen::Desktop);
    log_in(&mut browser, &service);
    for day in 1..=2 {
        browser.visit(&service.url("/jobs/shop"));
        heading(&mut browser, "shop");
        send(&mut browser, "/jobs/shop/start");
        browser.until("document.readyState === 'complete' && document.querySelector('#live') !== null");
        // The figures update without a reload.
        let shown = browser.text("document.querySelector('#live').innerText");
        browser.until(&format!(
            "document.querySelector('#live') === null || \
             document.querySelector('#live').innerText !== {}",
            serde_json::Value::from(shown)
        ));
        wait_for_runs(&mut browser, day);
    }
    browser.visit(&service.url("/jobs/shop/findings?severity=error"));
    heading(&mut browser, "Findings");
    browser.until("document.body.innerText.includes('/gone')");
    browser.visit(&service.url(&format!("/jobs/shop/explain?url={}", site.url("/gone"))));
    browser.until("document.querySelector('.verdict').innerText.includes('404')");
    browser.visit(&service.url("/jobs/shop/compare"));
    heading(&mut browser, "Compare crawls");
    browser.until("document.body.innerText.includes('From crawl 1 to crawl 2')");
    browser.visit(&service.url("/jobs/shop/files"));
    browser.until("document.body.innerText.includes('sitemap.xml')");
    assert_eq!(browser.complaints(), Vec::<String>::new());
    send(&mut browser, "/logout");
    browser.until("location.pathname === '/login'");
    browser.visit(&service.url("/jobs/shop"));
    browser.until("location.pathname === '/login'");
}

#[test]
fn a_run_that_waits_for_its_turn_is_shown_once_it_begins() {
    let site = site();
    let job =
        |name: &str| format!("[job.{name}]\nurl = [\"{}\"]\n[job.{name}.crawl]\nconcurrency = 2\n", site.url("/"));
    let workspace = Workspace::of_service(&(job("first") + &job("second")));
    workspace.file("token", TOKEN);
    let service = workspace.serve_with(&["--token-file", "token", "--max-jobs", "1"]);
    let mut browser = Browser::on(Screen::Desktop);
    log_in(&mut browser, &service);
    for name in ["first", "second"] {
        browser.visit(&service.url(&format!("/jobs/{name}")));
        send(&mut browser, &format!("/jobs/{name}/start"));
        browser.until("document.querySelector('#live, #waiting') !== null");
        if name == "second" {
            browser.until("document.querySelector('#waiting').innerText.includes('This page shows it')");
        }
    }
    // The page updates without a reload.
    browser.until("document.querySelector('#live') !== null");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn the_list_of_jobs_and_the_runs_of_a_job_change_without_a_reload() {
    let site = site();
    let (_post, service) = served(&site);
    let (mut list, mut page) = (Browser::on(Screen::Desktop), Browser::on(Screen::Desktop));
    for browser in [&mut list, &mut page] {
        log_in(browser, &service);
    }
    list.value("window.first = true");
    page.visit(&service.url("/jobs/shop"));
    send(&mut page, "/jobs/shop/start");
    page.until("document.readyState === 'complete' && document.querySelector('#live') !== null");
    page.value("window.first = true");
    list.until("document.querySelector('#jobs .state-running') !== null && window.first === true");
    list.until(
        "/ done/.test(document.querySelector('#jobs').innerText.replace(/\\s+/g, ' ')) && window.first === true",
    );
    page.until("document.querySelector('#runs table') !== null && window.first === true");
    page.until(
        "/ done/.test(document.querySelector('#runs').innerText.replace(/\\s+/g, ' ')) && window.first === true",
    );
    page.until("document.querySelector('form[action$=\"/start\"]') !== null && window.first === true");
    assert!(page.value("[...document.querySelectorAll('time')].every(time => time.title !== '')").as_bool().unwrap());
    assert_eq!((list.complaints(), page.complaints()), (Vec::new(), Vec::new()));
}

/// Reloads the job's page until this number of runs is done.
fn wait_for_runs(browser: &mut Browser, count: usize) {
    for _ in 0..200 {
        browser.reload();
        let done = browser
            .value("[...document.querySelectorAll('table .badge')].filter((one) => one.innerText === 'done').length");
        if done.as_u64() == Some(count as u64) {
            return;
        }
    }
    assert_eq!(count, 0, "so many runs were never done");
}

#[test]
fn times_are_shown_in_the_zone_of_the_browser_and_without_scripts_in_utc() {
    let site = site();
    let (workspace, service) = served(&site);
    let run = Command::new(["run", "shop", "--quiet", "--state-root", "root"]).within(&workspace).run();
    drop(run.exited(0));
    let next = "document.querySelector('time').";
    for (mut browser, zone) in [
        (Browser::on(Screen::Desktop).in_zone("Asia/Kolkata"), "GMT+5:30"),
        (Browser::on(Screen::Desktop).in_zone("Etc/UTC"), "UTC"),
    ] {
        log_in(&mut browser, &service);
        browser.visit(&service.url("/jobs/shop"));
        browser.until(&format!("{next}title.endsWith(' UTC') && {next}innerText.endsWith(' {zone}')"));
        // Both show the same minute.
        let shown = format!("Date.parse({next}innerText)");
        browser.until(&format!("{shown} === Date.parse({next}title) && {shown} <= Date.parse({next}dateTime)"));
        assert_eq!(browser.complaints(), Vec::<String>::new());
    }
    let mut browser = Browser::on(Screen::Desktop).without_scripts();
    log_in(&mut browser, &service);
    browser.visit(&service.url("/jobs/shop"));
    browser.until(&format!("{next}innerText.endsWith(' UTC')"));
}

#[test]
fn a_phone_shows_all_pages_within_its_width() {
    let site = site();
    let (workspace, service) = served(&site);
    for _ in 0..2 {
        let run = Command::new(["run", "shop", "--quiet", "--state-root", "root"]).within(&workspace).run();
        drop(run.exited(0));
    }
    let mut browser = Browser::on(Screen::Phone);
    log_in(&mut browser, &service);
    for path in
        ["/", "/jobs/shop", "/jobs/shop/findings", "/jobs/shop/explain", "/jobs/shop/compare", "/jobs/shop/files"]
    {
        browser.visit(&service.url(path));
        browser.until(&format!("location.pathname === '{path}' && document.readyState === 'complete'"));
        let wide = browser.value("document.documentElement.scrollWidth > window.innerWidth");
        assert_eq!(wide, false, "{path} is wider than the phone");
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
