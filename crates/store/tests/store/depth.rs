//! Click depth and inlinks are computed from the finished graph, not from the first discovery of a page.

use crate::crawled::ReadRecord;
use mapwright_testcrawl::{Crawled, Web, url};

fn depth(crawled: &Crawled, path: &str) -> Option<u32> {
    let query = "SELECT depth FROM v_pages WHERE url = ?";
    crawled.reader().query_row(query, [url(path)], |row| row.get(0)).unwrap()
}

fn inlinks(crawled: &Crawled, path: &str) -> u32 {
    let query = "SELECT inlinks FROM v_pages WHERE url = ?";
    crawled.reader().query_row(query, [url(path)], |row| row.get(0)).unwrap()
}

#[test]
fn canonicals_and_alternates_are_no_clicks() {
    let head = "<link rel=canonical href=/named><link rel=alternate hreflang=de href=/german>";
    let crawled = Web::default()
        .links("/", &["/a"])
        .page("/a", &format!("<html><head>{head}</head><body>text of /a</body></html>"))
        .links("/named", &["/below"])
        .links("/german", &[])
        .links("/below", &[])
        .crawled();
    for (path, clicks, inlinks) in [("/a", Some(1), 1), ("/named", None, 0), ("/german", None, 0), ("/below", None, 1)]
    {
        assert_eq!((depth(&crawled, path), self::inlinks(&crawled, path)), (clicks, inlinks), "{path}");
    }
}

#[test]
fn depth_is_the_length_of_the_shortest_click_path() {
    let site = Web::default()
        .links("/", &["/a", "/z"])
        .links("/a", &["/b"])
        .links("/b", &["/c"])
        .links("/c", &[])
        .links("/z", &["/c"]);
    let crawled = site.crawled();
    let depths = ["/", "/a", "/z", "/b", "/c"].map(|path| depth(&crawled, path));
    assert_eq!(depths, [Some(0), Some(1), Some(1), Some(2), Some(2)]);
}

#[test]
fn a_redirect_costs_no_click() {
    let site =
        Web::default().links("/", &["/old"]).redirect("/old", "/new").links("/new", &["/next"]).links("/next", &[]);
    let crawled = site.crawled();
    assert_eq!(["/new", "/next"].map(|path| depth(&crawled, path)), [Some(1), Some(2)]);
}

#[test]
fn a_page_that_only_a_sitemap_lists_has_no_depth() {
    let map = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>http://example.com/island</loc></url></urlset>";
    let site = Web::default()
        .links("/", &[])
        .replies("/sitemap.xml", 200, &[("content-type", "application/xml")], map)
        .links("/island", &["/beach"])
        .links("/beach", &[]);
    let crawled = site.crawled();
    assert_eq!(crawled.listed(), ["/", "/beach", "/island"]);
    assert_eq!(["/island", "/beach"].map(|path| depth(&crawled, path)), [None, None]);
}

#[test]
fn a_url_of_the_list_has_the_depth_of_its_links_and_is_a_start_where_there_is_no_other() {
    let site = Web::default().links("/", &["/a"]).links("/a", &["/b"]).links("/b", &[]).links("/island", &["/b"]);
    let crawled = site.clone().url_list(&["/", "/b", "/island"]).crawled();
    assert_eq!(["/", "/b", "/island"].map(|path| depth(&crawled, path)), [Some(0), Some(2), None]);
    let crawled = site.url_list(&["/a", "/island"]).startless().crawled();
    assert_eq!(["/a", "/b", "/island"].map(|path| depth(&crawled, path)), [Some(0), Some(1), Some(0)]);
}

#[test]
fn a_nofollow_link_is_no_click() {
    let site = Web::default()
        .page("/", "<a rel=nofollow href=/a>a</a><a href=/b>b</a>")
        .links("/b", &["/c"])
        .links("/c", &["/a"])
        .links("/a", &[]);
    let crawled = site.crawled();
    assert_eq!(depth(&crawled, "/a"), Some(3));
}

#[test]
fn the_links_of_a_page_that_says_nofollow_are_no_clicks() {
    let site = Web::default()
        .links("/", &["/a", "/b"])
        .page("/a", "<meta name=robots content=nofollow><a href=/d>d</a>")
        .links("/b", &["/c"])
        .links("/c", &["/d"])
        .links("/d", &[]);
    assert_eq!(depth(&site.crawled(), "/d"), Some(3));
}

#[test]
fn inlinks_count_each_page_once_and_not_the_page_itself() {
    let site = Web::default()
        .links("/", &["/a", "/a", "/b"])
        .page("/b", "<nav><a href=/a>a</a></nav><main><a href=/a>a</a></main>")
        .links("/a", &["/a"]);
    let crawled = site.crawled();
    assert_eq!(inlinks(&crawled, "/a"), 2);
}
