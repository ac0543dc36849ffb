//! The effect of Ctrl-C and similar signals on a crawl.

use std::time::{Duration, Instant};

use mapwright_e2e::files::Files;
use mapwright_e2e::links;
use mapwright_e2e::{RunningCrawl, Workspace};
use mapwright_testkit::{FakeSite, Response, ResponseGate};

/// "The first Ctrl-C drains for at most 5 s."
const DRAIN: Duration = Duration::from_secs(5);
/// The extra time for a slow machine.
const SLACK: Duration = Duration::from_secs(10);

#[test]
fn sigint_lets_requests_in_flight_end_and_exits_130() {
    drains(|crawl| crawl.process().interrupt(), 130);
}

#[test]
fn sigterm_lets_requests_in_flight_end_and_exits_143() {
    drains(|crawl| crawl.process().terminate(), 143);
}

/// Asserts that the response to the request in flight, which comes after the signal, is in the record, and that other
/// pages are not requested. (The response may reach the command before the signal, so a few requests may follow.)
#[track_caller]
fn drains(signal: impl Fn(&mut RunningCrawl), code: i32) {
    let (workspace, site, before) = published();
    let gate = ResponseGate::closed();
    let rest: Vec<String> = (0..500).map(|number| format!("rest/{number}")).collect();
    let rest: Vec<&str> = rest.iter().map(String::as_str).collect();
    site.page("/", links(&["held"]) + &links(&rest)).page("/behind", "<h1>Behind</h1>");
    site.answer("/held", Response::html("<a href=/behind>Behind</a>").held_by(&gate));
    site.answer("/rest/*", Response::html("<h1>One of the rest</h1>").delay(Duration::from_millis(20)));
    let mut crawl = workspace.start_crawl(&site.url("/"), &["-c", "1"]);
    site.wait_for("/held", 1);
    let requested = site.requests().len();
    signal(&mut crawl);
    gate.open();
    let crawled = crawl.wait().exited(code);
    let further = site.requests().len() - requested;
    assert!(further < 50, "{further} requests were begun after the signal");
    assert!(workspace.published() == before, "the old sitemap has changed");
    assert!(crawled.known().contains(&site.url("/behind")), "what was in flight is not in the record");
    assert_eq!(crawled.stderr().matches("panicked").count(), 0, "{}", crawled.stderr());
}

#[test]
fn draining_ends_after_five_seconds() {
    let (workspace, site, before) = published();
    site.stall("/held").page("/", links(&["held"]));
    let mut crawl = workspace.start_crawl(&site.url("/"), &[]);
    site.wait_for("/held", 1);
    let since = Instant::now();
    crawl.process().interrupt();
    let _ = crawl.wait().exited(130);
    assert!(since.elapsed() < DRAIN + SLACK, "{:?}", since.elapsed());
    assert!(workspace.published() == before);
}

#[test]
fn a_second_signal_stops_at_once() {
    let (workspace, site, before) = published();
    site.stall("/held").page("/", links(&["held"]));
    let mut crawl = workspace.start_crawl(&site.url("/"), &[]);
    site.wait_for("/held", 1);
    crawl.process().interrupt();
    // Two pending signals of one kind merge into one, so the second is sent again until the command has ended.
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
    assert!(workspace.published() == before);
}

#[test]
fn a_stopped_crawl_says_how_to_resume_and_that_the_old_sitemap_stays() {
    let (workspace, site, before) = published();
    site.stall("/held").page("/", links(&["held"]));
    let mut crawl = workspace.start_crawl(&site.url("/"), &["--timeout", "2s"]);
    site.wait_for("/held", 1);
    crawl.process().interrupt();
    let crawled = crawl.wait().exited(130);
    assert!(workspace.published() == before);
    let printed = format!("{}\n{}", crawled.stdout(), crawled.stderr());
    assert!(printed.contains("no sitemap was published: the crawl was cut"), "{printed}");
    assert!(printed.contains("an existing sitemap is unchanged"), "{printed}");
}

#[test]
fn a_first_crawl_that_is_stopped_publishes_nothing() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    site.page("/", links(&["held", "a"])).page("/a", "<h1>A</h1>").stall("/held");
    let mut crawl = workspace.start_crawl(&site.url("/"), &["--timeout", "2s"]);
    site.wait_for("/held", 1);
    crawl.process().terminate();
    let _ = crawl.wait().exited(143);
    assert!(workspace.published().is_empty(), "{:?}", workspace.published().keys());
}

#[test]
fn the_record_of_a_stopped_crawl_serves_the_next_one() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    site.page("/", links(&["held", "a"])).page("/a", "<h1>A</h1>").stall("/held");
    let mut crawl = workspace.start_crawl(&site.url("/"), &["--timeout", "2s"]);
    site.wait_for("/held", 1);
    crawl.process().interrupt();
    let _ = crawl.wait().exited(130);
    site.page("/held", "<h1>No longer held</h1>");
    workspace.crawl_well(&site.url("/"), &[]);
    mapwright_testkit::assert_listed(&workspace.out(), &site.urls(&["/", "/a", "/held"]));
}

/// A site with a published sitemap, and the files of the sitemap.
fn published() -> (Workspace, FakeSite, Files) {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    site.page("/", links(&["a", "b", "c"]));
    for path in ["/a", "/b", "/c"] {
        site.page(path, format!("<h1>{path}</h1>"));
    }
    workspace.crawl_well(&site.url("/"), &[]);
    let before = workspace.published();
    assert_eq!(before.len(), 1);
    (workspace, site, before)
}
