//! The opening: the scope is settled once every start URL has led to a page or failed.

use crate::crawl::Crawl;
use mapwright_engine::Completeness;
use mapwright_model::Outcome;
use mapwright_testcrawl::Web;

#[test]
fn a_start_url_that_redirects_within_its_domain_moves_the_scope() {
    let web = Web::default()
        .redirect("http://example.com/", "https://www.example.com/")
        .links("https://www.example.com/", &["/a", "http://example.com/old"])
        .links("https://www.example.com/a", &[]);
    let crawl = Crawl::of(web, "http://example.com/").run();
    assert_eq!(crawl.events, ["moved from http://example.com/ to https://www.example.com/"]);
    assert_eq!(crawl.record.pages(Outcome::Page), ["https://www.example.com/", "https://www.example.com/a"]);
    assert_eq!(crawl.web.times("http://example.com/old"), 0, "the scope has moved away from there");
    assert!(crawl.ended().start_answered);
    assert_eq!(crawl.ended().scope.roots()[0].as_str(), "https://www.example.com/");
}

#[test]
fn links_of_one_start_page_are_judged_by_the_scope_that_another_start_moves() {
    let web = Web::default()
        .links("http://a.example/", &["http://www.b.example/deep"])
        .redirect("http://b.example/", "http://www.b.example/")
        .links("http://www.b.example/", &[])
        .links("http://www.b.example/deep", &[]);
    let mut crawl = Crawl::of(web, "http://a.example/");
    crawl.starts.push("http://b.example/");
    let crawl = crawl.run();
    assert_eq!(crawl.web.times("http://www.b.example/deep"), 1);
}

#[test]
fn a_start_url_that_redirects_to_another_site_is_reported_and_not_followed() {
    let web =
        Web::default().redirect("http://example.com/", "http://parking.example/").links("http://parking.example/", &[]);
    let crawl = Crawl::of(web, "http://example.com/").run();
    assert_eq!(crawl.events, ["left http://example.com/ for http://parking.example/"]);
    assert_eq!(crawl.web.times("http://parking.example/"), 0);
    assert_eq!(
        crawl.ended().starts_on_other_site,
        [("http://example.com/".to_owned(), "http://parking.example/".to_owned())]
    );
    assert!(!crawl.ended().start_answered);
}

#[test]
fn two_start_urls_that_lead_to_one_page_are_both_settled() {
    let web = Web::default()
        .redirect("http://example.com/a", "http://example.com/")
        .redirect("http://example.com/b", "http://example.com/")
        .links("http://example.com/", &["/c"])
        .links("http://example.com/c", &[]);
    let mut crawl = Crawl::of(web, "http://example.com/a");
    crawl.starts.push("http://example.com/b");
    let crawl = crawl.run();
    assert_eq!(crawl.record.pages(Outcome::Page), ["http://example.com/", "http://example.com/c"]);
}

#[test]
fn start_urls_that_redirect_in_a_circle_end_the_opening() {
    let web = Web::default()
        .redirect("http://example.com/a", "http://example.com/b")
        .redirect("http://example.com/b", "http://example.com/a")
        .links("http://example.com/", &[]);
    let mut crawl = Crawl::of(web, "http://example.com/a");
    crawl.starts.push("http://example.com/");
    let crawl = crawl.run();
    assert_eq!(crawl.record.pages(Outcome::Redirect), ["http://example.com/a", "http://example.com/b"]);
    assert_eq!(crawl.web.times("http://example.com/sitemap.xml"), 1, "the scope was settled");
}

#[test]
fn a_start_url_that_answers_at_its_last_try_is_crawled() {
    let web = Web::default()
        .status("http://example.com/", 503)
        .then()
        .status("http://example.com/", 503)
        .then()
        .links("http://example.com/", &["/a"])
        .links("http://example.com/a", &[]);
    let crawl = Crawl::of(web, "http://example.com/").run();
    assert_eq!(crawl.record.pages(Outcome::Page), ["http://example.com/", "http://example.com/a"]);
}

#[test]
fn sitemaps_and_listed_urls_wait_for_the_scope_to_be_settled() {
    let web = Web::default()
        .text("http://example.com/robots.txt", "Sitemap: http://example.com/map.xml")
        .sitemap("http://example.com/map.xml", &["http://example.com/b"])
        .links("http://example.com/", &[]);
    let mut crawl = Crawl::of(web, "http://example.com/");
    crawl.list.push("http://example.com/a");
    let requested = crawl.run().web.requested();
    assert_eq!(requested[..2], ["http://example.com/robots.txt", "http://example.com/"]);
    assert_eq!(requested.len(), 5);
}

#[test]
fn a_list_alone_is_crawled_and_any_answer_counts_as_a_start() {
    let web = Web::default().links("http://example.com/a", &[]);
    let mut crawl = Crawl::of(web, "http://example.com/a");
    crawl.starts.clear();
    crawl.list = vec!["http://example.com/a", "http://example.com/gone"];
    crawl.scope = mapwright_web::ScopeKind::List;
    let crawl = crawl.run();
    assert!(crawl.ended().start_answered);
    assert_eq!(crawl.ended().completeness, Completeness::Complete);
    assert_eq!(crawl.record.visit("http://example.com/gone").response.status, Some(404));
}
