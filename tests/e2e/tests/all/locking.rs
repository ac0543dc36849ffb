//! The lock of a record, which admits one process.

use std::time::Duration;

use mapwright_e2e::Workspace;
use mapwright_testkit::{FakeSite, Response, ResponseGate, assert_listed};

#[test]
fn a_second_process_on_the_same_record_fails_at_once_with_one_line() {
    let (workspace, site, gate) = held_site();
    let first = workspace.start_crawl(&site.url("/"), &[]);
    site.wait_for("/held", 1);
    let requested = site.requests().len();
    let second = workspace.crawl(&site.url("/"), &[]);
    assert!(second.code.is_some_and(|code| code != 0), "{:?}", second.said());
    assert!(second.took < Duration::from_secs(10), "{:?}", second.took);
    let line = second.only_line();
    assert!(line.contains(&workspace.state().display().to_string()), "{line}");
    assert_eq!(site.requests().len(), requested, "the second process sent requests to the site");
    // The first is not disturbed.
    gate.open();
    let _ = first.wait().exited(0);
    assert_listed(&workspace.out(), &site.urls(&["/", "/held"]));
}

#[test]
fn another_record_is_not_locked() {
    let (workspace, site, gate) = held_site();
    let first = workspace.start_crawl(&site.url("/"), &[]);
    site.wait_for("/held", 1);
    let other = Workspace::new();
    let elsewhere = FakeSite::open();
    elsewhere.page("/", "<h1>Elsewhere</h1>");
    other.crawl_well(&elsewhere.url("/"), &[]);
    gate.open();
    let _ = first.wait().exited(0);
}

/// The operating system releases the lock with the process, however that ends.
#[test]
fn a_killed_process_leaves_no_lock() {
    let (workspace, site, gate) = held_site();
    let mut first = workspace.start_crawl(&site.url("/"), &[]);
    site.wait_for("/held", 1);
    first.process().kill();
    let _ = first.wait();
    gate.open();
    workspace.crawl_well(&site.url("/"), &[]);
    assert_listed(&workspace.out(), &site.urls(&["/", "/held"]));
}

/// Without a check, the crawl would write to the removed file until its end without an error.
#[test]
fn a_record_that_is_removed_during_the_crawl_is_reported() {
    let (workspace, site, gate) = held_site();
    let crawl = workspace.start_crawl(&site.url("/"), &[]);
    site.wait_for("/held", 1);
    std::fs::remove_dir_all(workspace.state()).unwrap();
    gate.open();
    let run = crawl.wait().exited(1);
    assert!(run.stderr().contains("the record was removed while it was at work"), "{}", run.stderr());
    assert!(!workspace.out().join("sitemap.xml").exists());
}

fn held_site() -> (Workspace, FakeSite, ResponseGate) {
    let (workspace, site, gate) = (Workspace::new(), FakeSite::open(), ResponseGate::closed());
    site.page("/", "<a href=/held>Held</a>");
    site.answer("/held", Response::html("<h1>Held</h1>").held_by(&gate));
    (workspace, site, gate)
}
