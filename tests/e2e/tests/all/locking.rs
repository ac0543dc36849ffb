//! One record, one process.

use std::time::Duration;

use mapwright_e2e::desk::Desk;
use mapwright_testkit::{Gate, Response, Site, assert_listed};

#[test]
fn a_second_process_on_the_same_record_fails_at_once_with_one_line() {
    let (desk, site, gate) = held_site();
    let first = desk.start_crawl(&site.url("/"), &[]);
    site.wait_for("/held", 1);
    let asked = site.requests().len();
    let second = desk.crawl(&site.url("/"), &[]);
    assert!(second.done.code.is_some_and(|code| code != 0), "{:?}", second.done);
    assert!(second.took < Duration::from_secs(10), "{:?}", second.took);
    let line = second.only_line();
    assert!(line.contains(&desk.state().display().to_string()), "{line}");
    assert_eq!(site.requests().len(), asked, "the second process asked the site");
    // The first is not disturbed.
    gate.open();
    let _ = first.wait().exited(0);
    assert_listed(&desk.out(), &site.urls(&["/", "/held"]));
}

#[test]
fn another_record_is_not_locked() {
    let (desk, site, gate) = held_site();
    let first = desk.start_crawl(&site.url("/"), &[]);
    site.wait_for("/held", 1);
    let other = Desk::new();
    let elsewhere = Site::open();
    elsewhere.page("/", "<h1>Elsewhere</h1>");
    other.crawl_well(&elsewhere.url("/"), &[]);
    gate.open();
    let _ = first.wait().exited(0);
}

/// The lock is the operating system's: it ends with the process, however that ended.
#[test]
fn a_killed_process_leaves_no_lock() {
    let (desk, site, gate) = held_site();
    let mut first = desk.start_crawl(&site.url("/"), &[]);
    site.wait_for("/held", 1);
    first.process().kill();
    let _ = first.wait();
    gate.open();
    desk.crawl_well(&site.url("/"), &[]);
    assert_listed(&desk.out(), &site.urls(&["/", "/held"]));
}

/// It could be written to the end, and be gone: nothing would tell.
#[test]
fn a_record_that_is_removed_amid_the_crawl_is_told() {
    let (desk, site, gate) = held_site();
    let crawl = desk.start_crawl(&site.url("/"), &[]);
    site.wait_for("/held", 1);
    std::fs::remove_dir_all(desk.state()).unwrap();
    gate.open();
    let run = crawl.wait().exited(1);
    assert!(run.stderr().contains("the record was removed while it was at work"), "{}", run.stderr());
    assert!(!desk.out().join("sitemap.xml").exists());
}

fn held_site() -> (Desk, Site, Gate) {
    let (desk, site, gate) = (Desk::new(), Site::open(), Gate::closed());
    site.page("/", "<a href=/held>Held</a>");
    site.answer("/held", Response::html("<h1>Held</h1>").held_by(&gate));
    (desk, site, gate)
}
