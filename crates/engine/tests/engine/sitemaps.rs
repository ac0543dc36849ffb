//! The site's own sitemaps and feeds: prerequisites with limits of their own.

use crate::crawl::Crawl;
use mapwright_engine::LimitCounts;
use mapwright_model::Via;
use mapwright_testcrawl::Web;

const START: &str = "http://example.com/";
const ROBOTS: &str = "http://example.com/robots.txt";

#[test]
fn the_sitemaps_that_robots_names_are_read_and_the_usual_place_is_not() {
    let web = Web::default()
        .text(ROBOTS, "Sitemap: /a.xml\nSitemap: http://cdn.example/b.xml")
        .sitemap("http://example.com/a.xml", &["http://example.com/1"])
        .sitemap("http://cdn.example/b.xml", &["http://example.com/2"])
        .links(START, &[]);
    let crawl = Crawl::of(web, START).run();
    for url in ["http://example.com/1", "http://example.com/2"] {
        assert_eq!(crawl.web.times(url), 1, "{url}");
        assert_eq!(crawl.record.found(url)[0].via, Via::Sitemap);
    }
    assert_eq!(crawl.web.times("http://example.com/sitemap.xml"), 0);
    assert_eq!(crawl.web.times("http://cdn.example/robots.txt"), 0, "an invited file needs no leave");
}

#[test]
fn without_any_named_the_usual_place_is_looked_at() {
    let web = Web::default().sitemap("http://example.com/sitemap.xml", &["http://example.com/1"]).links(START, &[]);
    assert_eq!(Crawl::of(web, START).run().web.times("http://example.com/1"), 1);
}

#[test]
fn what_a_sitemap_lists_is_one_link_from_the_start_however_it_is_nested() {
    let crawl = |depth| {
        let web = Web::default()
            .index("http://example.com/sitemap.xml", &["http://example.com/i.xml", "http://example.com/a.xml"])
            .index("http://example.com/i.xml", &["http://example.com/b.xml"])
            .sitemap("http://example.com/a.xml", &["http://example.com/1"])
            .sitemap("http://example.com/b.xml", &["http://example.com/2"])
            .links(START, &[]);
        let mut crawl = Crawl::of(web, START);
        crawl.options.max_depth = Some(depth);
        let web = crawl.run().web;
        ["http://example.com/1", "http://example.com/2"].map(|url| web.times(url))
    };
    assert_eq!(crawl(0), [0, 0], "the start URLs alone");
    assert_eq!(crawl(1), [1, 1]);
}

#[test]
fn an_index_that_names_itself_and_its_parents_is_read_once() {
    let web = Web::default()
        .index("http://example.com/sitemap.xml", &["http://example.com/sitemap.xml", "http://example.com/i.xml"])
        .index("http://example.com/i.xml", &["http://example.com/sitemap.xml", "http://example.com/i.xml"])
        .links(START, &[]);
    let crawl = Crawl::of(web, START).run();
    assert_eq!(crawl.web.times("http://example.com/sitemap.xml"), 1);
    assert_eq!(crawl.web.times("http://example.com/i.xml"), 1);
}

#[test]
fn indexes_nested_deeper_than_allowed_are_not_read_and_counted() {
    let mut web =
        Web::default().index("http://example.com/sitemap.xml", &["http://example.com/1.xml"]).links(START, &[]);
    for level in 1..10 {
        let next = format!("http://example.com/{}.xml", level + 1);
        web = web.index(&format!("http://example.com/{level}.xml"), &[next.as_str()]);
    }
    let crawl = Crawl::of(web, START).run();
    assert_eq!(crawl.web.times("http://example.com/4.xml"), 1, "five levels are read");
    assert_eq!(crawl.web.times("http://example.com/5.xml"), 0);
    assert_eq!(crawl.ended().refused.sitemap_files, 1);
}

#[test]
fn no_more_sitemap_files_are_read_than_allowed() {
    let names: Vec<String> = (0..30).map(|n| format!("http://example.com/{n}.xml")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut web = Web::default().index("http://example.com/sitemap.xml", &names).links(START, &[]);
    for name in &names {
        web = web.sitemap(name, &["http://example.com/page"]);
    }
    let mut crawl = Crawl::of(web, START);
    crawl.options.max_sitemap_files = 10;
    let crawl = crawl.run();
    assert_eq!(crawl.web.requested().iter().filter(|url| url.ends_with(".xml")).count(), 10);
    assert_eq!(crawl.ended().refused.sitemap_files, 21);
}

#[test]
fn sitemaps_can_be_left_alone() {
    let web = Web::default().text(ROBOTS, "Sitemap: /a.xml").links(START, &[]);
    let mut crawl = Crawl::of(web, START);
    crawl.options.reading.sitemaps = false;
    assert_eq!(crawl.run().web.requested(), [ROBOTS, START]);
}

#[test]
fn a_feed_that_a_page_names_is_read_unless_feeds_are_left_alone() {
    let web = || {
        Web::default()
            .page(START, "<link rel=alternate type='application/rss+xml' href=/feed>")
            .xml("http://example.com/feed", "<rss><channel><item><link>/post</link></item></channel></rss>")
            .links("http://example.com/post", &[])
    };
    let crawl = Crawl::of(web(), START).run();
    assert_eq!(crawl.web.times("http://example.com/post"), 1);
    assert_eq!(crawl.record.found("http://example.com/post")[0].via, Via::Feed);
    let mut crawl = Crawl::of(web(), START);
    crawl.options.reading.feeds = false;
    assert_eq!(crawl.run().web.times("http://example.com/feed"), 0);
}

#[test]
fn entries_out_of_scope_are_not_fetched_and_files_out_of_scope_are() {
    let web = Web::default()
        .text(ROBOTS, "Sitemap: http://other.example/map.xml")
        .sitemap("http://other.example/map.xml", &["http://other.example/page", "http://example.com/1"])
        .links(START, &[]);
    let crawl = Crawl::of(web, START).run();
    assert_eq!(crawl.web.times("http://other.example/page"), 0);
    assert_eq!(crawl.web.times("http://example.com/1"), 1);
}

#[test]
fn feeds_beyond_the_limit_are_not_read_and_take_no_place_of_a_sitemap() {
    let feeds = "<link rel=alternate type=application/rss+xml href=/1.rss>\
                 <link rel=alternate type=application/rss+xml href=/2.rss><a href=/page>p</a>";
    let web = Web::default().page(START, feeds).page("http://example.com/page", feeds);
    let web = web.index("http://example.com/sitemap.xml", &["http://example.com/1.xml"]);
    let mut crawl = Crawl::of(web.sitemap("http://example.com/1.xml", &[START]), START);
    crawl.options.max_sitemap_files = 2;
    let crawl = crawl.run();
    let read = crawl.web.requested();
    assert!(read.iter().any(|url| url.ends_with("/1.xml")), "{read:?}");
    assert!(!read.iter().any(|url| url.ends_with("/2.rss")), "{read:?}");
    assert_eq!(crawl.ended().refused, LimitCounts { feeds: true, ..LimitCounts::default() });
}

#[test]
fn sitemap_files_count_for_nothing_in_the_budget_of_urls() {
    let web = Web::default()
        .text(ROBOTS, "Sitemap: /a.xml\nSitemap: /b.xml\nSitemap: /c.xml")
        .sitemap("http://example.com/c.xml", &["http://example.com/1"])
        .links(START, &[])
        .links("http://example.com/1", &[]);
    let mut crawl = Crawl::of(web, START);
    crawl.rules.max_urls = Some(2);
    let crawl = crawl.run();
    assert_eq!(crawl.web.times("http://example.com/1"), 1);
    assert_eq!(crawl.ended().queue.pages, 2);
}

#[test]
fn a_sitemap_is_read_in_the_encoding_that_it_is_served_in() {
    let latin = b"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>http://example.com/\xE9</loc></url></urlset>";
    let web =
        Web::default().bytes("http://example.com/sitemap.xml", "text/xml; charset=iso-8859-1", latin).links(START, &[]);
    assert_eq!(Crawl::of(web, START).run().web.times("http://example.com/%C3%A9"), 1);
}
