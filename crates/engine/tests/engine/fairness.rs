//! The hosts of one crawl share its places: no host waits because another is slow.

use crate::crawl::Crawl;
use mapwright_engine::Completeness;
use mapwright_model::Outcome;
use mapwright_testcrawl::Web;
use mapwright_web::ScopeKind;
use std::time::Duration;

const SLOW: &str = "http://slow.example.com";
const FAST: &str = "http://fast.example.com";
const SLOW_ANSWER: Duration = Duration::from_secs(10);
const FAST_ANSWER: Duration = Duration::from_millis(10);
const PAGES: usize = 400;

/// Two hosts of one domain, each with an index of its pages; the slow one is found first, and leads to the fast one.
fn two_hosts() -> Crawl {
    let mut web = Web::default();
    for (host, wait) in [(SLOW, SLOW_ANSWER), (FAST, FAST_ANSWER)] {
        let pages: Vec<String> = (0..PAGES).map(|n| format!("{host}/{n}")).collect();
        let links: Vec<&str> = pages.iter().map(String::as_str).chain(["http://fast.example.com/"]).collect();
        web = web.late(&format!("{host}/index"), FAST_ANSWER, &links);
        for page in &pages {
            web = web.late(page, wait, &[]);
        }
    }
    web = web.links("http://fast.example.com/", &["/index"]);
    let mut crawl = Crawl::of(web, "http://slow.example.com/index");
    crawl.scope = ScopeKind::Domain;
    crawl.leaping = true;
    crawl
}

/// Returns the seconds from the first request until the last page of this host was requested.
fn seconds_until_done(crawl: &crate::crawl::Result, host: &str) -> f64 {
    let began = crawl.web.first_requested("http");
    crawl.web.last_requested(host).duration_since(began).as_secs_f64()
}

#[test]
fn a_slow_host_does_not_starve_a_fast_one() {
    let crawl = two_hosts().run();
    assert_eq!(crawl.ended().completeness, Completeness::Complete);
    assert_eq!(crawl.record.pages(Outcome::Page).len(), 2 * PAGES + 3);
    // With a quarter of the 16 places, 400 pages of 10 ms take a second.
    let fast = seconds_until_done(&crawl, FAST);
    assert!(fast < 2.0, "the fast host took {fast} s, waiting for one that answers after {SLOW_ANSWER:?}");
}

#[test]
fn a_slow_host_alone_has_every_place() {
    let mut crawl = two_hosts();
    crawl.scope = ScopeKind::Host;
    let crawl = crawl.run();
    assert_eq!(crawl.record.pages(Outcome::Page).len(), PAGES + 1);
    // 400 pages, 16 at a time, 10 s each; and three rounds until that many are requested at a time.
    assert_eq!(crawl.took.as_secs(), 280);
}

#[test]
fn visits_are_committed_together_where_a_host_may_not_be_requested_faster() {
    let mut crawl = two_hosts();
    crawl.starts = vec!["http://fast.example.com/index"];
    crawl.scope = ScopeKind::Host;
    crawl.rules.pace.interval = FAST_ANSWER;
    let crawl = crawl.run();
    assert_eq!(crawl.record.pages(Outcome::Page).len(), PAGES + 2);
    let commits = crawl.record.commits();
    assert!(commits <= PAGES / 4, "{commits} commits for {PAGES} pages");
}
