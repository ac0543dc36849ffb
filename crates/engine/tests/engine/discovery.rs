//! The discoveries of a page: found once, queued once, recorded even where they are not fetched.

use crate::crawl::Crawl;
use mapwright_fetch::Reply;
use mapwright_model::{FailureKind, Outcome, Unfetched, Via};
use mapwright_testcrawl::{Answer, Web, page, reply};

const START: &str = "http://example.com/";

#[test]
fn a_url_that_every_page_links_is_found_and_fetched_once() {
    let all: Vec<String> = (0..50).map(|n| format!("/p{n}")).collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    let mut web = Web::default().links(START, &all);
    for target in &all {
        let spellings = format!("{target}#a {target}?utm_source=x http://EXAMPLE.com:80{target} /x/..{target}");
        let links: Vec<&str> = all.iter().copied().chain(spellings.split(' ')).collect();
        web = web.links(&format!("http://example.com{target}"), &links);
    }
    let crawl = Crawl::of(web, START).run();
    assert_eq!(crawl.record.pages(Outcome::Page).len(), 51);
    for target in &all {
        let url = format!("http://example.com{target}");
        assert_eq!(crawl.web.times(&url), 1, "{url}");
        assert_eq!(crawl.record.found(&url).iter().filter(|found| found.refused.is_none()).count(), 1, "{url}");
    }
}

#[test]
fn a_link_out_of_scope_is_recorded_and_never_requested() {
    let web = Web::default().links(START, &["http://elsewhere.example/"]);
    let crawl = Crawl::of(web, START).run();
    let found = crawl.record.found("http://elsewhere.example/");
    assert_eq!(found.iter().map(|f| f.refused).collect::<Vec<_>>(), [Some(Unfetched::OutOfScope)]);
    assert!(crawl.web.requested().iter().all(|url| !url.contains("elsewhere")));
}

#[test]
fn ten_redirects_in_a_row_are_followed_and_no_eleventh() {
    let mut web = Web::default().links(START, &["/r0"]);
    for n in 0..20 {
        web = web.redirect(&format!("http://example.com/r{n}"), &format!("/r{}", n + 1));
    }
    let crawl = Crawl::of(web, START).run();
    assert_eq!(crawl.web.times("http://example.com/r10"), 1);
    assert_eq!(crawl.web.times("http://example.com/r11"), 0);
    assert_eq!(crawl.record.found("http://example.com/r11")[0].refused, Some(Unfetched::Redirects));
}

#[test]
fn a_redirect_to_itself_that_sets_a_cookie_is_tried_once_more_and_costs_no_try() {
    let cookie = Reply { set_cookie: true, ..reply(302, &[("location", "/gate")], "") };
    let web = Web::default()
        .links(START, &["/gate"])
        .answers("http://example.com/gate", Answer::Reply(cookie))
        .then()
        .answers("http://example.com/gate", Answer::Reply(page("")));
    let crawl = Crawl::of(web, START).run();
    let visits = crawl.record.visits("http://example.com/gate");
    assert_eq!(visits.last().map(|v| (v.outcome, v.task.tries.attempt)), Some((Outcome::Page, 0)));
    assert_eq!(crawl.web.times("http://example.com/gate"), 2);
}

#[test]
fn an_endless_redirect_to_itself_is_requested_at_most_twice() {
    let cookie = Reply { set_cookie: true, ..reply(302, &[("location", "/gate")], "") };
    let web = Web::default().links(START, &["/gate"]).answers("http://example.com/gate", Answer::Reply(cookie));
    let crawl = Crawl::of(web, START).run();
    assert_eq!(crawl.web.times("http://example.com/gate"), 2);
}

#[test]
fn a_redirect_to_another_spelling_of_itself_is_followed_once() {
    let web = Web::default()
        .links(START, &["/a", "/b"])
        .redirect("http://example.com/a", "/a?gclid=1")
        .links("http://example.com/a?gclid=1", &["/c"])
        .links("http://example.com/c", &[])
        .redirect("http://example.com/b", "/b?gclid=1")
        .redirect("http://example.com/b?gclid=1", "/b?gclid=2");
    let crawl = Crawl::of(web, START).run();
    assert_eq!(crawl.record.pages(Outcome::Page), [START, "http://example.com/a", "http://example.com/c"]);
    assert_eq!(crawl.record.visits("http://example.com/a").last().map(|visit| visit.task.tries.attempt), Some(0));
    assert_eq!(crawl.record.visits("http://example.com/b").last().map(|visit| visit.outcome), Some(Outcome::Redirect));
    assert_eq!(crawl.web.times("http://example.com/b") + crawl.web.times("http://example.com/b?gclid=1"), 2);
    assert_eq!(crawl.web.times("http://example.com/b?gclid=2"), 0);
}

#[test]
fn nofollow_is_recorded_and_followed_only_where_that_is_configured() {
    let html = "<a rel=nofollow href=/a>a</a>";
    let web = || Web::default().page(START, html).links("http://example.com/a", &[]);
    let crawl = Crawl::of(web(), START).run();
    assert_eq!(crawl.web.times("http://example.com/a"), 0);
    assert_eq!(crawl.record.found("http://example.com/a")[0].refused, Some(Unfetched::Nofollow));
    let mut crawl = Crawl::of(web(), START);
    crawl.options.reading.follow_nofollow = true;
    assert_eq!(crawl.run().web.times("http://example.com/a"), 1);
}

#[test]
fn a_page_that_says_nofollow_says_it_of_all_its_links() {
    let html = "<meta name=robots content=nofollow><a href=/a>a</a><a href=/b>b</a>";
    let web = Web::default().page(START, html);
    let crawl = Crawl::of(web, START).run();
    assert_eq!(crawl.web.times("http://example.com/a") + crawl.web.times("http://example.com/b"), 0);
}

#[test]
fn a_link_that_one_page_does_not_follow_and_another_does_is_followed() {
    let web = Web::default()
        .page(START, "<a rel=nofollow href=/a>a</a><a href=/b>b</a>")
        .links("http://example.com/b", &["/a"])
        .links("http://example.com/a", &[]);
    assert_eq!(Crawl::of(web, START).run().web.times("http://example.com/a"), 1);
}

#[test]
fn a_page_that_says_noindex_is_followed() {
    let web = Web::default()
        .page(START, "<meta name=robots content=noindex><a href=/a>a</a>")
        .links("http://example.com/a", &[]);
    let crawl = Crawl::of(web, START).run();
    assert!(crawl.record.visit(START).binding().noindex);
    assert_eq!(crawl.web.times("http://example.com/a"), 1);
}

#[test]
fn images_are_recorded_and_requested_only_where_a_page_links_to_them() {
    let web = Web::default().page(START, "<img src=/i.png><img src=/j.png><a href=/j.png>j</a>");
    let crawl = Crawl::of(web, START).run();
    assert_eq!((crawl.web.times("http://example.com/i.png"), crawl.web.times("http://example.com/j.png")), (0, 1));
    assert_eq!(crawl.record.found("http://example.com/i.png")[0].refused, Some(Unfetched::Resource));
}

#[test]
fn a_canonical_and_an_instant_refresh_lead_on() {
    let web = Web::default()
        .page(
            START,
            "<head><link rel=canonical href=/canonical><meta http-equiv=refresh content='0;url=/refresh'></head>",
        )
        .links("http://example.com/canonical", &[])
        .links("http://example.com/refresh", &[]);
    let crawl = Crawl::of(web, START).run();
    assert_eq!(crawl.record.found("http://example.com/canonical")[0].via, Via::Canonical);
    assert_eq!(crawl.record.found("http://example.com/refresh")[0].via, Via::Refresh);
    assert_eq!(crawl.record.pages(Outcome::Page).len(), 3);
}

#[test]
fn an_error_page_leads_nowhere() {
    let web = Web::default().links(START, &["/gone"]).status("http://example.com/gone", 410);
    let crawl = Crawl::of(web, START).run();
    assert_eq!(crawl.web.times("http://example.com/trap"), 0);
}

#[test]
fn pages_beyond_the_maximum_depth_are_recorded_and_not_fetched() {
    let web = Web::default()
        .links(START, &["/1"])
        .links("http://example.com/1", &["/2"])
        .links("http://example.com/2", &["/3"]);
    let mut crawl = Crawl::of(web, START);
    crawl.options.max_depth = Some(2);
    crawl.rules.by_depth = true;
    let crawl = crawl.run();
    assert_eq!(crawl.web.times("http://example.com/2"), 1);
    assert_eq!(crawl.record.found("http://example.com/3")[0].refused, Some(Unfetched::Depth));
    assert_eq!(crawl.web.times("http://example.com/3"), 0);
}

#[test]
fn a_failing_page_is_tried_three_times_and_each_try_recorded() {
    for status in [429, 500, 502, 503, 504] {
        let web = Web::default().links(START, &["/a"]).status("http://example.com/a", status);
        let visits = Crawl::of(web, START).run().record.visits("http://example.com/a");
        let again: Vec<bool> = visits.iter().map(|visit| visit.will_retry).collect();
        assert_eq!(again, [true, true, false], "{status}");
    }
    let web = Web::default().links(START, &["/a"]).fails("http://example.com/a", FailureKind::Reset);
    assert_eq!(Crawl::of(web, START).run().web.times("http://example.com/a"), 3);
}

#[test]
fn a_page_with_a_permanent_error_is_requested_once() {
    for status in [400, 403, 404, 410, 501] {
        let web = Web::default().links(START, &["/a"]).status("http://example.com/a", status);
        assert_eq!(Crawl::of(web, START).run().web.times("http://example.com/a"), 1, "{status}");
    }
}

#[test]
fn a_retry_after_of_an_hour_is_throttling() {
    let busy = reply(503, &[("retry-after", "3600")], "");
    let web = Web::default().links(START, &["/a"]).answers("http://example.com/a", Answer::Reply(busy));
    let crawl = Crawl::of(web, START).run();
    assert_eq!(crawl.record.visit("http://example.com/a").outcome, Outcome::Throttled);
    assert_eq!(crawl.web.times("http://example.com/a"), 1);
}
