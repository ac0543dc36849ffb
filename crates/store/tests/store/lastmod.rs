//! Modification dates come from the best plausible source, and are never "now".

use crate::crawled::ReadRecord;
use jiff::{SignedDuration, Timestamp};
use mapwright_testcrawl::Web;

const MODIFIED: &str = "Wed, 05 Mar 2025 10:00:00 GMT";

fn http(time: Timestamp) -> String {
    time.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()
}

fn reported(date: &str, from: &str) -> Option<(String, String)> {
    Some((date.to_owned(), from.to_owned()))
}

fn map(entries: &[(&str, &str)]) -> String {
    let entry = |(path, date): &(&str, &str)| {
        format!("<url><loc>http://example.com{path}</loc><lastmod>{date}</lastmod></url>")
    };
    let entries: String = entries.iter().map(entry).collect();
    format!("<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{entries}</urlset>")
}

fn listing(site: Web, entries: &[(&str, &str)]) -> Web {
    site.replies("/sitemap.xml", 200, &[("content-type", "application/xml")], &map(entries))
}

#[test]
fn json_ld_precedes_article_modified_time_and_both_precede_the_header_and_the_sitemap() {
    let ld = "<script type='application/ld+json'>{\"@type\": \"WebPage\", \"dateModified\": \"2025-01-01\"}</script>";
    let article = "<meta property='article:modified_time' content='2025-02-02T00:00:00Z'>";
    let headers = [("content-type", "text/html"), ("last-modified", MODIFIED)];
    let site = Web::default()
        .links("/", &["/ld", "/article", "/header", "/map", "/none"])
        .replies("/ld", 200, &headers, &format!("{ld}{article}"))
        .replies("/article", 200, &headers, article)
        .replies("/header", 200, &headers, "header")
        .links("/map", &[])
        .links("/none", &[]);
    let all = ["/ld", "/article", "/header", "/map"].map(|path| (path, "2025-04-04"));
    let crawled = listing(site, &all).crawled();
    assert_eq!(crawled.lastmod("/ld"), reported("2025-01-01", "json-ld"));
    assert_eq!(crawled.lastmod("/article").unwrap().1, "article:modified_time");
    assert_eq!(crawled.lastmod("/header"), reported("2025-03-05T10:00:00Z", "last-modified"));
    assert_eq!(crawled.lastmod("/map"), reported("2025-04-04", "sitemap"));
    assert_eq!(crawled.lastmod("/none"), None);
}

#[test]
fn a_date_in_the_future_is_ignored() {
    let ahead = Timestamp::now() + SignedDuration::from_hours(72);
    let meta = format!("<meta property='article:modified_time' content='{ahead}'>");
    let site = Web::default()
        .links("/", &["/header", "/meta", "/map"])
        .dated("/header", &http(ahead))
        .page("/meta", &meta)
        .links("/map", &[]);
    let day = ahead.strftime("%Y-%m-%d").to_string();
    let crawled = listing(site, &[("/map", &day)]).crawled();
    for path in ["/header", "/meta", "/map"] {
        assert_eq!(crawled.lastmod(path), None, "{path}");
    }
}

#[test]
fn a_date_in_the_future_from_a_fast_clock_is_no_longer_published() {
    let mut crawled = Web::default().dated("/", MODIFIED).crawled();
    let fast = "UPDATE memory SET lastmod = '2999-01-01T00:00:00Z', lastmod_from = 'change'";
    crawled.reader().execute(fast, []).unwrap();
    crawled.judge();
    assert_eq!(crawled.lastmod("/"), reported("2025-03-05T10:00:00Z", "last-modified"));
}

#[test]
fn the_time_of_the_request_is_ignored_as_a_date() {
    let now = Timestamp::now();
    let meta = format!("<meta property='article:modified_time' content='{}'>", now.strftime("%Y-%m-%dT%H:%M:%S+00:00"));
    let ld = format!("<script type='application/ld+json'>{{\"dateModified\": \"{now}\"}}</script>");
    let site = Web::default()
        .links("/", &["/header", "/meta", "/ld", "/map"])
        .dated("/header", &http(now))
        .page("/meta", &meta)
        .page("/ld", &ld)
        .links("/map", &[]);
    let crawled = listing(site, &[("/map", &now.to_string())]).crawled();
    for path in ["/header", "/meta", "/ld", "/map"] {
        assert_eq!(crawled.lastmod(path), None, "{path}");
    }
}

#[test]
fn the_time_of_an_earlier_request_is_ignored_as_a_date() {
    let now = Timestamp::now().to_string();
    let site = listing(Web::default().links("/", &["/map"]).links("/map", &[]), &[("/map", &now)]);
    let mut crawled = site.crawled();
    crawled.again(&site);
    // The second request for the file was an hour later, and the file stayed as it was.
    let later =
        "UPDATE visit SET at = at + 3600000 WHERE run = 2 AND url = (SELECT id FROM url WHERE text LIKE '%.xml')";
    assert_eq!(crawled.reader().execute(later, []).unwrap(), 1);
    crawled.judge();
    assert_eq!(crawled.lastmod("/map"), None);
}

#[test]
fn a_date_without_a_time_is_not_taken_for_the_time_of_a_request() {
    let today = Timestamp::now().strftime("%Y-%m-%d").to_string();
    let meta = format!("<meta property='article:modified_time' content='{today}'>");
    let site = Web::default().links("/", &["/meta", "/map"]).page("/meta", &meta).links("/map", &[]);
    let crawled = listing(site, &[("/map", &today)]).crawled();
    assert_eq!(crawled.lastmod("/meta"), reported(&today, "article:modified_time"));
    assert_eq!(crawled.lastmod("/map"), reported(&today, "sitemap"));
}

#[test]
fn a_date_from_before_the_web_is_ignored() {
    let meta = "<meta property='article:modified_time' content='1970-01-01T00:00:00Z'>";
    let site = Web::default()
        .links("/", &["/header", "/meta", "/map", "/old"])
        .dated("/header", "Thu, 01 Jan 1970 00:00:00 GMT")
        .page("/meta", meta)
        .links("/map", &[])
        .dated("/old", "Tue, 06 Aug 1991 14:56:20 GMT");
    let crawled = listing(site, &[("/map", "1970-01-01")]).crawled();
    for path in ["/header", "/meta", "/map"] {
        assert_eq!(crawled.lastmod(path), None, "{path}");
    }
    assert_eq!(crawled.lastmod("/old"), reported("1991-08-06T14:56:20Z", "last-modified"));
}

/// `same` pages that share one `Last-Modified`, and `others` that have one of their own.
fn alike(same: usize, others: usize) -> Option<(String, String)> {
    let paths: Vec<String> = (0..same + others).map(|n| format!("/{n}")).collect();
    let targets: Vec<&str> = paths.iter().skip(1).map(String::as_str).collect();
    let links: String = targets.iter().map(|target| format!("<a href='{target}'>x</a>")).collect();
    let mut site = Web::default().redirect("/", "/0");
    for (n, path) in paths.iter().enumerate() {
        let own = http(Timestamp::from_second(1_700_000_000 + 1000 * n as i64).unwrap());
        let modified = if n < same { MODIFIED } else { own.as_str() };
        let headers = [("content-type", "text/html"), ("last-modified", modified)];
        site = site.replies(path, 200, &headers, &format!("{links}{n}"));
    }
    site.crawled().lastmod("/1")
}

#[test]
fn a_value_that_most_of_twenty_pages_have_is_ignored() {
    let own = reported("2025-03-05T10:00:00Z", "last-modified");
    assert_eq!(alike(19, 0), own, "nineteen pages are too few to report");
    assert_eq!(alike(20, 0), None);
    assert_eq!(alike(11, 9), None, "most of twenty");
    assert_eq!(alike(10, 10), own, "half of twenty is not most");
}

#[test]
fn of_several_sitemaps_the_latest_date_counts() {
    let site = Web::default()
        .links("/", &["/a"])
        .links("/a", &[])
        .replies("/robots.txt", 200, &[("content-type", "text/plain")], "Sitemap: /1.xml\nSitemap: /2.xml")
        .replies("/1.xml", 200, &[("content-type", "application/xml")], &map(&[("/a", "2025-05-05")]))
        .replies("/2.xml", 200, &[("content-type", "application/xml")], &map(&[("/a", "2024-05-05")]));
    assert_eq!(site.crawled().lastmod("/a"), reported("2025-05-05", "sitemap"));
}
