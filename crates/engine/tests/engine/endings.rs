//! The endings of crawls: complete, cut, or with a failure of mapwright.

use crate::crawl::Crawl;
use mapwright_engine::{Completeness, Cut};
use mapwright_model::{FailureKind, Outcome};
use mapwright_testcrawl::{Answer, Web, page};
use std::time::{Duration, Instant};

const START: &str = "http://example.com/";
/// Far longer than any of these crawls takes.
const SOON: Duration = Duration::from_secs(20);

#[test]
fn a_visit_that_panics_settles_as_a_failure_and_nothing_else_is_lost() {
    let web = Web::default()
        .links(START, &["/a", "/bad", "/b"])
        .answers("http://example.com/bad", Answer::Panics)
        .links("http://example.com/a", &["/c"])
        .links("http://example.com/b", &[])
        .links("http://example.com/c", &[]);
    let crawl = Crawl::of(web, START).run();
    assert_eq!(crawl.ended().completeness, Completeness::Complete);
    assert_eq!(crawl.record.pages(Outcome::Page).len(), 4);
    let bad = crawl.record.visit("http://example.com/bad");
    assert_eq!((bad.outcome, bad.response.failure), (Outcome::Failed, Some(FailureKind::Internal)));
    assert!(crawl.record.queued().is_empty());
}

#[test]
fn a_robots_file_whose_visit_panics_leaves_no_page_waiting_for_ever() {
    let web = Web::default().answers("http://example.com/robots.txt", Answer::Panics).links(START, &[]);
    let crawl = Crawl::of(web, START).run();
    assert_eq!(crawl.record.visit(START).outcome, Outcome::NoAnswer);
    assert_eq!(crawl.web.times(START), 0);
}

#[test]
fn a_stop_records_what_ends_within_the_grace_and_keeps_the_rest_queued() {
    let web = Web::default()
        .links(START, &["/never", "/last"])
        .answers("http://example.com/never", Answer::Never)
        .answers("http://example.com/last", Answer::Stops(page("<a href='/later'>x</a>")));
    let mut crawl = Crawl::of(web, START);
    crawl.options.grace = Duration::from_millis(50);
    let began = Instant::now();
    let crawl = crawl.run();
    assert!(began.elapsed() < SOON);
    assert_eq!(crawl.ended().completeness, Completeness::Cut(Cut::Stopped));
    assert_eq!(crawl.record.pages(Outcome::Page), [START, "http://example.com/last"]);
    let queued = crawl.record.queued();
    assert!(queued.contains(&"http://example.com/never".to_owned()), "{queued:?}");
    assert!(queued.contains(&"http://example.com/later".to_owned()), "{queued:?}");
    assert_eq!(crawl.web.times("http://example.com/later"), 0, "nothing new is fetched");
}

#[test]
fn a_stop_with_nothing_that_ends_takes_no_longer_than_the_grace() {
    let web = Web::default().answers(START, Answer::StopsForever);
    let mut crawl = Crawl::of(web, START);
    crawl.options.grace = Duration::from_millis(50);
    let began = Instant::now();
    let crawl = crawl.run();
    assert!(began.elapsed() < SOON);
    assert_eq!(crawl.ended().completeness, Completeness::Cut(Cut::Stopped));
    assert!(crawl.record.queued().contains(&START.to_owned()));
}

#[test]
fn time_that_is_up_cuts_the_crawl_and_keeps_what_was_fetched() {
    let web = Web::default()
        .links(START, &["/a", "/never"])
        .links("http://example.com/a", &[])
        .answers("http://example.com/never", Answer::Never);
    let mut crawl = Crawl::of(web, START);
    crawl.options.max_time = Some(Duration::from_millis(300));
    crawl.options.grace = Duration::from_millis(20);
    let began = Instant::now();
    let crawl = crawl.run();
    assert!(began.elapsed() < SOON);
    assert_eq!(crawl.ended().completeness, Completeness::Cut(Cut::Time));
    assert_eq!(crawl.record.pages(Outcome::Page), [START, "http://example.com/a"]);
}

#[test]
fn a_site_that_goes_down_cuts_the_crawl_and_keeps_its_queue() {
    let targets: Vec<String> = (0..100).map(|n| format!("/p{n}")).collect();
    let targets: Vec<&str> = targets.iter().map(String::as_str).collect();
    let mut web = Web::default().links(START, &targets).then().fails(START, FailureKind::Refused);
    for target in &targets {
        web = web.fails(&format!("http://example.com{target}"), FailureKind::Refused);
    }
    let mut crawl = Crawl::of(web, START);
    crawl.leaping = true;
    let crawl = crawl.run();
    assert_eq!(crawl.ended().completeness, Completeness::Cut(Cut::SiteDown));
    assert_eq!(crawl.ended().queue.down, ["http://example.com"]);
    assert!(crawl.record.queued().len() > 40);
    assert!((10..20).contains(&crawl.took.as_secs()), "{:?}: it may have been started again", crawl.took);
}

/// Servers that limit their clients get time to recover.
const BACKOFF: Duration = Duration::from_millis(500);

/// A site of a hundred pages: the first ten respond well to their first request, and `later` of them with errors after
/// that; the other pages always with errors.
fn failing_from_some_moment(status: u16, later: impl Fn(usize) -> bool) -> Web {
    let targets: Vec<String> = (0..100).map(|n| format!("/p{n}")).collect();
    let targets: Vec<&str> = targets.iter().map(String::as_str).collect();
    let mut web = Web::default().links(START, &targets);
    for (n, target) in targets.iter().enumerate() {
        let url = format!("http://example.com{target}");
        web = if n < 10 { web.links(&url, &[]) } else { web };
        web = if n >= 10 || later(n) { web.then().status(&url, status) } else { web };
    }
    if later(0) { web.then().status(START, status) } else { web }
}

#[test]
fn a_site_that_answers_nothing_but_errors_from_some_moment_on_is_down_and_its_queue_is_kept() {
    for status in [429, 500, 502, 503] {
        let mut crawl = Crawl::of(failing_from_some_moment(status, |_| true), START);
        crawl.leaping = true;
        crawl.rules.backoff = BACKOFF;
        let crawl = crawl.run();
        assert_eq!(crawl.ended().completeness, Completeness::Cut(Cut::SiteDown), "{status}");
        assert_eq!(crawl.ended().queue.down, ["http://example.com"], "{status}");
        assert!(crawl.record.queued().len() >= 90, "{status}: {} are queued", crawl.record.queued().len());
        assert!((70..90).contains(&crawl.took.as_secs()), "{status}: {:?}", crawl.took);
    }
}

#[test]
fn a_part_of_a_site_that_always_answers_with_errors_takes_nothing_down() {
    for status in [429, 500, 503] {
        let mut crawl = Crawl::of(failing_from_some_moment(status, |_| false), START);
        crawl.leaping = true;
        crawl.rules.backoff = BACKOFF;
        let crawl = crawl.run();
        assert_eq!(crawl.ended().completeness, Completeness::Complete, "{status}");
        let again = crawl.web.requested().iter().filter(|url| *url == START || url.ends_with("/p9")).count();
        assert!(again <= 2 + 4, "{status}: good pages were requested {again} times");
    }
}

#[test]
fn a_site_that_serves_again_after_a_while_loses_no_page() {
    for status in [429, 500, 503] {
        let targets: Vec<String> = (0..100).map(|n| format!("/p{n}")).collect();
        let targets: Vec<&str> = targets.iter().map(String::as_str).collect();
        let mut web = Web::default().links(START, &targets);
        for (n, target) in targets.iter().enumerate() {
            let url = format!("http://example.com{target}");
            web = if n < 10 { web.links(&url, &[]).then().status(&url, status) } else { web };
            web = web.then().status(&url, status).then().links(&url, &[]);
        }
        let mut crawl = Crawl::of(web, START);
        crawl.leaping = true;
        crawl.rules.backoff = BACKOFF;
        let crawl = crawl.run();
        assert_eq!(crawl.ended().completeness, Completeness::Complete, "{status}");
        assert_eq!(crawl.record.pages(Outcome::Page).len(), 101, "{status}");
    }
}

#[test]
fn a_record_that_cannot_be_kept_ends_the_crawl_with_our_error() {
    let web = Web::default().links(START, &["/a"]).links("http://example.com/a", &[]);
    let mut crawl = Crawl::of(web, START);
    crawl.commits = 2;
    let error = crawl.run().ended.unwrap_err();
    assert_eq!(error.to_string(), "the record could not be kept: the disk is full");
}

#[test]
fn a_spent_budget_leaves_the_crawl_complete() {
    let web = Web::default().links(START, &["/a", "/b", "/c"]);
    let mut crawl = Crawl::of(web, START);
    crawl.rules.max_urls = Some(2);
    let crawl = crawl.run();
    assert_eq!(crawl.ended().completeness, Completeness::Complete);
    assert_eq!((crawl.ended().queue.pages, crawl.ended().queue.budget_spent), (2, true));
    assert_eq!(crawl.record.queued(), ["http://example.com/b", "http://example.com/c"]);
}

#[test]
fn a_crawl_ends_by_itself_at_the_moment_its_last_page_is_settled() {
    let hour = Duration::from_secs(3600);
    let web = Web::default()
        .links(START, &["/slow", "/quick"])
        .links("http://example.com/quick", &[])
        .late("http://example.com/slow", hour, &["/last"])
        .late("http://example.com/last", hour / 2, &["/slow"]);
    let mut crawl = Crawl::of(web, START);
    crawl.leaping = true;
    crawl.options.batch_wait = hour;
    let crawl = crawl.run();
    assert_eq!(crawl.ended().completeness, Completeness::Complete);
    assert_eq!(crawl.record.pages(Outcome::Page).len(), 4);
    assert_eq!(crawl.took.as_secs(), (hour + hour / 2).as_secs(), "not a second after the last answer");
}

#[test]
fn a_crawl_waits_for_the_last_try_of_a_page_and_no_longer() {
    let web = Web::default().links(START, &["/down"]).fails("http://example.com/down", FailureKind::Reset);
    let mut crawl = Crawl::of(web, START);
    crawl.leaping = true;
    crawl.rules.backoff = Duration::from_secs(100);
    let crawl = crawl.run();
    let last = crawl.record.visits("http://example.com/down").pop().unwrap();
    assert!(!last.will_retry);
    // 100 and 200 seconds, each spread by up to a quarter.
    assert!((225..=375).contains(&crawl.took.as_secs()), "{:?}", crawl.took);
}
