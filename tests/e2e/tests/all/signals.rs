//! What Ctrl-C and its like do to a crawl.

use std::time::{Duration, Instant};

use mapwright_e2e::RunningCrawl;
use mapwright_e2e::desk::{Desk, Files};
use mapwright_e2e::links;
use mapwright_testkit::{Gate, Response, Site};

/// "The first Ctrl-C drains for at most 5 s."
const DRAIN: Duration = Duration::from_secs(5);
/// What a slow machine may take beside.
const SLACK: Duration = Duration::from_secs(10);

#[test]
fn sigint_lets_requests_in_flight_end_and_exits_130() {
    drains(|crawl| crawl.process().interrupt(), 130);
}

#[test]
fn sigterm_lets_requests_in_flight_end_and_exits_143() {
    drains(|crawl| crawl.process().terminate(), 143);
}

/// The request in flight is answered after the signal, and what it brought is in the record; the rest is not asked
/// for. (The answer may reach the command before the signal does, so that a few requests may follow on it.)
#[track_caller]
fn drains(signal: impl Fn(&mut RunningCrawl), code: i32) {
    let (desk, site, before) = published();
    let gate = Gate::closed();
    let rest: Vec<String> = (0..500).map(|number| format!("rest/{number}")).collect();
    let rest: Vec<&str> = rest.iter().map(String::as_str).collect();
    site.page("/", links(&["held"]) + &links(&rest)).page("/behind", "<h1>Behind</h1>");
    site.answer("/held", Response::html("<a href=/behind>Behind</a>").held_by(&gate));
    site.answer("/rest/*", Response::html("<h1>One of the rest</h1>").delay(Duration::from_millis(20)));
    let mut crawl = desk.start_crawl(&site.url("/"), &["-c", "1"]);
    site.wait_for("/held", 1);
    let asked = site.requests().len();
    signal(&mut crawl);
    gate.open();
    let crawled = crawl.wait().exited(code);
    let further = site.requests().len() - asked;
    assert!(further < 50, "{further} requests were begun after the signal");
    assert!(desk.published() == before, "the old sitemap has changed");
    assert!(crawled.known().contains(&site.url("/behind")), "what was in flight is not in the record");
    assert_eq!(crawled.stderr().matches("panicked").count(), 0, "{}", crawled.stderr());
}

#[test]
fn draining_ends_after_five_seconds() {
    let (desk, site, before) = published();
    site.stall("/held").page("/", links(&["held"]));
    let mut crawl = desk.start_crawl(&site.url("/"), &[]);
    site.wait_for("/held", 1);
    let since = Instant::now();
    crawl.process().interrupt();
    let _ = crawl.wait().exited(130);
    assert!(since.elapsed() < DRAIN + SLACK, "{:?}", since.elapsed());
    assert!(desk.published() == before);
}

#[test]
fn a_second_signal_stops_at_once() {
    let (desk, site, before) = published();
    site.stall("/held").page("/", links(&["held"]));
    let mut crawl = desk.start_crawl(&site.url("/"), &[]);
    site.wait_for("/held", 1);
    crawl.process().interrupt();
    // Two signals of one kind that arrive at once are one: the second is sent again until the command has ended.
    let since = Instant::now();
    let id = crawl.process().id();
    let ended = std::thread::spawn(move || crawl.wait());
    while !ended.is_finished() && since.elapsed() < DRAIN {
        std::thread::sleep(Duration::from_millis(50));
        let _ = std::process::Command::new("kill").args(["-s", "INT", &id.to_string()]).output();
    }
    let stopped = since.elapsed();
    let _ = ended.join().expect("the waiting thread").exited(130);
    assert!(stopped < Duration::from_secs(4), "it went on for {stopped:?} after the second signal");
    assert!(desk.published() == before);
}

#[test]
fn a_stopped_crawl_says_how_to_go_on_and_that_the_old_sitemap_stays() {
    let (desk, site, before) = published();
    site.stall("/held").page("/", links(&["held"]));
    let mut crawl = desk.start_crawl(&site.url("/"), &["--timeout", "2s"]);
    site.wait_for("/held", 1);
    crawl.process().interrupt();
    let crawled = crawl.wait().exited(130);
    assert!(desk.published() == before);
    let said = format!("{}\n{}", crawled.stdout(), crawled.stderr()).to_lowercase();
    assert!(["left", "kept", "stays", "in place", "not published"].iter().any(|words| said.contains(words)), "{said}");
}

#[test]
fn a_first_crawl_that_is_stopped_publishes_nothing() {
    let (desk, site) = (Desk::new(), Site::open());
    site.page("/", links(&["held", "a"])).page("/a", "<h1>A</h1>").stall("/held");
    let mut crawl = desk.start_crawl(&site.url("/"), &["--timeout", "2s"]);
    site.wait_for("/held", 1);
    crawl.process().terminate();
    let _ = crawl.wait().exited(143);
    assert!(desk.published().is_empty(), "{:?}", desk.published().keys());
}

#[test]
fn the_record_of_a_stopped_crawl_serves_the_next_one() {
    let (desk, site) = (Desk::new(), Site::open());
    site.page("/", links(&["held", "a"])).page("/a", "<h1>A</h1>").stall("/held");
    let mut crawl = desk.start_crawl(&site.url("/"), &["--timeout", "2s"]);
    site.wait_for("/held", 1);
    crawl.process().interrupt();
    let _ = crawl.wait().exited(130);
    site.page("/held", "<h1>No longer held</h1>");
    desk.crawl_well(&site.url("/"), &[]);
    mapwright_testkit::assert_listed(&desk.out(), &site.urls(&["/", "/a", "/held"]));
}

/// A site whose sitemap has been published, with its files.
fn published() -> (Desk, Site, Files) {
    let (desk, site) = (Desk::new(), Site::open());
    site.page("/", links(&["a", "b", "c"]));
    for path in ["/a", "/b", "/c"] {
        site.page(path, format!("<h1>{path}</h1>"));
    }
    desk.crawl_well(&site.url("/"), &[]);
    let before = desk.published();
    assert_eq!(before.len(), 1);
    (desk, site, before)
}
