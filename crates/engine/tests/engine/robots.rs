//! URLs that robots.txt forbids are recorded, and not requested.

use crate::crawl::Crawl;
use mapwright_model::{FailureKind, Outcome, Refusal};
use mapwright_testcrawl::Web;

const START: &str = "http://example.com/";
const ROBOTS: &str = "http://example.com/robots.txt";

#[test]
fn a_disallowed_page_is_recorded_with_the_line_that_decided() {
    let web = Web::default()
        .text(ROBOTS, "User-agent: mapwright\nDisallow: /private\n")
        .links(START, &["/private/a", "/b"])
        .links("http://example.com/b", &[]);
    let crawl = Crawl::of(web, START).run();
    let visit = crawl.record.visit("http://example.com/private/a");
    let Some(Refusal::Rule(Some(line))) = &visit.refusal else { panic!("{:?}", visit.refusal) };
    assert_eq!((visit.outcome, line.number, line.text.as_str()), (Outcome::Refused, 2, "Disallow: /private"));
    assert_eq!(crawl.web.times("http://example.com/private/a"), 0);
    assert_eq!(crawl.web.times("http://example.com/b"), 1);
}

#[test]
fn a_robots_file_that_answers_503_to_the_end_forbids_everything() {
    let web = Web::default().status(ROBOTS, 503).links(START, &[]);
    let crawl = Crawl::of(web, START).run();
    let visit = crawl.record.visit(START);
    assert_eq!((visit.outcome, visit.refusal), (Outcome::Refused, Some(Refusal::RobotsStatus(503))));
    assert_eq!((crawl.web.times(ROBOTS), crawl.web.times(START)), (3, 0));
}

#[test]
fn a_robots_file_without_any_answer_makes_its_pages_unanswered_for_the_same_cause() {
    let web = Web::default().fails(ROBOTS, FailureKind::TimedOut).links(START, &[]);
    let crawl = Crawl::of(web, START).run();
    let visit = crawl.record.visit(START);
    assert_eq!((visit.outcome, visit.response.failure), (Outcome::NoAnswer, Some(FailureKind::TimedOut)));
    assert_eq!((crawl.web.times(ROBOTS), crawl.web.times(START)), (3, 0));
}

#[test]
fn a_robots_file_that_answers_4xx_allows_everything() {
    for status in [400, 401, 403, 404, 410, 451] {
        let web = Web::default().status(ROBOTS, status).links(START, &[]);
        assert_eq!(Crawl::of(web, START).run().web.times(START), 1, "{status}");
    }
}

#[test]
fn a_robots_file_that_answers_429_forbids_everything() {
    let web = Web::default().status(ROBOTS, 429).links(START, &[]);
    assert_eq!(Crawl::of(web, START).run().web.times(START), 0);
}

#[test]
fn a_robots_file_is_followed_across_hosts_and_its_rules_apply_to_the_first_host() {
    let web = Web::default()
        .redirect(ROBOTS, "http://cdn.example/rules.txt")
        .text("http://cdn.example/rules.txt", "User-agent: *\nDisallow: /b")
        .links(START, &["/a", "/b"])
        .links("http://example.com/a", &[]);
    let crawl = Crawl::of(web, START).run();
    assert_eq!(crawl.record.pages(Outcome::Refused), ["http://example.com/b"]);
    assert_eq!(crawl.web.times("http://example.com/a"), 1);
}

#[test]
fn a_robots_file_behind_a_redirect_whose_target_keeps_failing_is_given_up() {
    let web = Web::default()
        .redirect(ROBOTS, "http://cdn.example/rules.txt")
        .status("http://cdn.example/rules.txt", 503)
        .links(START, &[]);
    let crawl = Crawl::of(web, START).run();
    assert_eq!(crawl.record.visit(START).refusal, Some(Refusal::RobotsStatus(503)));
    assert_eq!(crawl.web.times("http://cdn.example/rules.txt"), 3);
}

#[test]
fn an_endlessly_redirecting_robots_file_counts_as_missing_and_the_customary_sitemap_is_requested() {
    let map = "http://example.com/sitemap.xml";
    let web = Web::default()
        .redirect(ROBOTS, "/elsewhere")
        .redirect("http://example.com/elsewhere", "/robots.txt")
        .sitemap(map, &["http://example.com/listed"])
        .links(START, &[])
        .links("http://example.com/listed", &[]);
    let crawl = Crawl::of(web, START).run();
    let requested = [ROBOTS, "http://example.com/elsewhere", START, map, "http://example.com/listed"];
    assert_eq!(requested.map(|url| crawl.web.times(url)), [3, 3, 1, 1, 1]);
}

#[test]
fn rules_can_be_ignored() {
    let web = Web::default().text(ROBOTS, "User-agent: *\nDisallow: /").links(START, &[]);
    let mut crawl = Crawl::of(web, START);
    crawl.rules.ignore_robots = true;
    assert_eq!(crawl.run().web.times(START), 1);
}

#[test]
fn a_site_that_forbids_all_its_ten_thousand_pages_is_recorded_in_batches() {
    let pages: Vec<String> = (0..10_000).map(|n| format!("http://example.com/private/{n}")).collect();
    let pages: Vec<&str> = pages.iter().map(String::as_str).collect();
    let web = Web::default()
        .text(ROBOTS, "User-agent: *\nDisallow: /private\nSitemap: /map.xml")
        .sitemap("http://example.com/map.xml", &pages)
        .links(START, &[]);
    let crawl = Crawl::of(web, START).run();
    assert_eq!(crawl.record.pages(Outcome::Refused).len(), 10_000);
    assert!(crawl.record.largest_batch() <= 1_000, "one commit of {}", crawl.record.largest_batch());
}
