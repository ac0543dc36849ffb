//! Findings of response times and errors rest on requests that waited for no others of the crawl's own.
#![allow(clippy::expect_used, reason = "handlers fail the test by panicking")]

use crate::audit::{audit, is, of};
use mapwright_e2e::{Workspace, links};
use mapwright_testkit::{FakeSite, Response};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// A site with a page that is always slow, `/slow`, and one that is slow the first time, `/busy`.
fn slow_and_busy() -> FakeSite {
    let site = FakeSite::open();
    site.page("/", links(&["/a", "/b", "/busy", "/slow"])).page("/a", "A").page("/b", "B");
    site.page("/busy", "Soon").first_n("/busy", 1, late(Duration::from_millis(600)));
    site.answer("/slow", late(Duration::from_millis(600)));
    site
}

fn late(delay: Duration) -> Response {
    Response::html("<a href=/>Home</a> Late").delay(delay)
}

/// A slow page is requested again alone, and reported only if it is slow then: it may have waited for other requests.
#[test]
fn a_page_is_reported_as_slow_only_if_it_is_slow_alone() {
    let (workspace, site) = (Workspace::new(), slow_and_busy());
    let _ = audit(&workspace, &site, &["--slow", "300ms"]).exited(0);
    assert_eq!(of(&workspace, "slow"), is("new", &[site.url("/slow")]));
    assert_eq!(["/a", "/busy", "/slow"].map(|path| site.hits(path)), [1, 2, 2]);
    assert_eq!(of(&workspace, "orphan"), []);
}

/// The record of a crawl has response times that are confirmed as well, up to a number of pages.
#[test]
fn an_audit_of_a_crawls_record_reports_a_page_that_is_slow_alone() {
    let (workspace, site) = (Workspace::new(), slow_and_busy());
    let crawl = workspace.plan(&site.url("/"), &["--no-progress"]).env("MAPWRIGHT_SLOW", "300ms");
    let _ = crawl.run().exited(0);
    assert_eq!(["/a", "/busy", "/slow"].map(|path| site.hits(path)), [1, 2, 2]);
    let _ = audit(&workspace, &site, &["--slow", "300ms", "--from-record"]).exited(0);
    assert_eq!(of(&workspace, "slow"), is("new", &[site.url("/slow")]));
}

#[test]
fn a_crawl_of_a_slow_site_requests_few_pages_again() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    let paths: Vec<String> = (0..25).map(|number| format!("/p{number}")).collect();
    site.page("/", links(&paths.iter().map(String::as_str).collect::<Vec<_>>()));
    paths.iter().for_each(|path| _ = site.answer(path, late(Duration::from_millis(60))));
    let crawl = workspace.plan(&site.url("/"), &["--no-progress"]).env("MAPWRIGHT_SLOW", "30ms");
    let _ = crawl.run().exited(0);
    let hits: usize = paths.iter().map(|path| site.hits(path)).sum();
    assert_eq!(hits, 25 + 20);
}

#[test]
fn errors_of_the_crawls_own_load_are_no_findings() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    let paths: Vec<String> = (0..60).map(|n| format!("/page/{n}")).collect();
    site.page("/", links(&paths.iter().map(String::as_str).collect::<Vec<_>>()));
    let taken = Mutex::new(Vec::<Instant>::new());
    site.handler("/page/*", move |request| {
        let (mut taken, now) = (taken.lock().expect("no panic"), Instant::now());
        taken.retain(|until| *until > now);
        if taken.len() >= 3 {
            return Response::new(500);
        }
        taken.push(now + Duration::from_millis(80));
        Response::html(format!("<h1>{}</h1>", request.path())).delay(Duration::from_millis(80))
    });
    let _ = audit(&workspace, &site, &[]).exited(0);
    assert_eq!(of(&workspace, "http-5xx"), []);
}
