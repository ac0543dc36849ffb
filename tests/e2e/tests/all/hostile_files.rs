//! Hostile robots.txt files, sitemaps and feeds: each crawl is bounded in time and memory, and finds all good pages.
#![allow(clippy::unwrap_used, reason = "helpers fail the test by panicking; the lint knows test functions alone")]

use crate::hostile::{MEMORY, PATIENT, TIME, add_good_pages, assert_good_pages, good_links, good_site};
use std::fmt::Write as _;

use mapwright_e2e::{Workspace, links};
use mapwright_testkit::{Canary, FakeSite, ReceivedRequest, Response};

// ---- robots.txt

#[test]
fn a_million_robots_rules() {
    let (workspace, site) = (Workspace::new(), good_site("/forbidden"));
    let rules: String = (0..1_000_000).map(|number| format!("Disallow: /no/{number}\n")).collect();
    site.robots(format!("User-agent: *\nDisallow: /forbidden\n{rules}"));
    site.page("/forbidden", "<h1>Forbidden</h1>");
    let run = workspace.crawl(&site.url("/"), &[]).exited(0);
    run.assert_within(TIME, MEMORY);
    assert_good_pages(&workspace, &site);
    // RFC 9309, 2.5: at least 500 KiB are read, and this rule comes first.
    assert_eq!(site.hits("/forbidden"), 0);
}

#[test]
fn wildcards_that_blow_up() {
    let (workspace, site) = (Workspace::new(), FakeSite::open());
    let rule = format!("/{}b$", "a*".repeat(200));
    let path = format!("/{}", "a".repeat(1_900));
    site.robots(format!("User-agent: *\n{}", format!("Disallow: {rule}\n").repeat(1_000)));
    site.page("/", links(&[&path]) + &good_links()).page(&path, "<h1>So many a</h1>");
    add_good_pages(&site);
    let run = workspace.crawl(&site.url("/"), &[]).exited(0);
    run.assert_within(TIME, MEMORY);
    assert_good_pages(&workspace, &site);
    assert!(workspace.listed().contains(&site.url(&path)), "no rule matches it, for it does not end in b");
}

#[test]
fn an_endless_robots_line() {
    let (workspace, site) = (Workspace::new(), good_site("/ok"));
    site.robots(format!("User-agent: *\nDisallow: /{}\n", "ä".repeat(400_000))).page("/ok", "<h1>Fine</h1>");
    workspace.crawl(&site.url("/"), &[]).exited(0).assert_within(TIME, MEMORY);
    assert_good_pages(&workspace, &site);
}

/// RFC 9309, 2.3.1.2: at least five redirects are followed, and then it may count as unavailable.
#[test]
fn robots_that_redirect_for_ever() {
    let (workspace, site) = (Workspace::new(), good_site("/ok"));
    site.page("/ok", "<h1>Fine</h1>");
    site.handler("/robots.txt", |request: &ReceivedRequest| {
        let hop: u32 = request.query().and_then(|hop| hop.parse().ok()).unwrap_or(0);
        Response::redirect(302, &format!("/robots.txt?{}", hop + 1))
    });
    let run = workspace.crawl(&site.url("/"), &PATIENT);
    run.assert_within(TIME, MEMORY);
    assert!((6..=30).contains(&site.hits("/robots.txt")), "{} hops", site.hits("/robots.txt"));
}

// ---- sitemaps and feeds

#[test]
fn sitemap_indexes_that_name_themselves_and_one_another() {
    let (workspace, site) = (Workspace::new(), good_site("/ok"));
    site.page("/ok", "<h1>Fine</h1>").page("/only-in-the-map", "<h1>Found</h1>");
    site.sitemap_index("/sitemap.xml", &["/sitemap.xml", "/other.xml", "/pages.xml"]);
    site.sitemap_index("/other.xml", &["/sitemap.xml", "/other.xml"]).sitemap("/pages.xml", &["/only-in-the-map"]);
    workspace.crawl(&site.url("/"), &[]).exited(0).assert_within(TIME, MEMORY);
    assert_good_pages(&workspace, &site);
    assert!(workspace.listed().contains(&site.url("/only-in-the-map")));
    assert_eq!(["/sitemap.xml", "/other.xml", "/pages.xml"].map(|path| site.hits(path)), [1, 1, 1]);
}

/// "Sitemap files 2,000 in five levels."
#[test]
fn endlessly_nested_sitemap_indexes() {
    let (workspace, site) = (Workspace::new(), good_site("/ok"));
    site.page("/ok", "<h1>Fine</h1>").robots(format!("Sitemap: {}\n", site.url("/map/1")));
    let base = site.base();
    site.handler("/map/*", move |request: &ReceivedRequest| {
        let level: u32 = request.path().rsplit('/').next().and_then(|level| level.parse().ok()).unwrap_or(0);
        let deeper = format!("<sitemap><loc>{base}/map/{}</loc></sitemap>", level + 1);
        Response::xml(format!(
            "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{deeper}</sitemapindex>"
        ))
    });
    workspace.crawl(&site.url("/"), &[]).exited(0).assert_within(TIME, MEMORY);
    assert_good_pages(&workspace, &site);
    let levels: Vec<usize> = (1..=7).map(|level| site.hits(&format!("/map/{level}"))).collect();
    assert_eq!(levels, [1, 1, 1, 1, 1, 0, 0]);
}

#[test]
fn an_index_of_a_hundred_thousand_sitemaps() {
    let (workspace, site) = (Workspace::new(), good_site("/ok"));
    site.page("/ok", "<h1>Fine</h1>");
    let parts: Vec<String> = (0..100_000).map(|number| format!("/part/{number}.xml")).collect();
    site.sitemap_index("/sitemap.xml", &parts.iter().map(String::as_str).collect::<Vec<_>>());
    let run = workspace.crawl(&site.url("/"), &["--max-sitemap-files", "100"]).exited(0);
    run.assert_within(TIME, MEMORY);
    assert_good_pages(&workspace, &site);
    let read = site.requests().iter().filter(|request| request.path().starts_with("/part/")).count();
    assert!(read <= 100, "{read} sitemaps were read where a hundred may be");
}

#[test]
fn entity_bombs() {
    let mut laughs = String::from("<?xml version=\"1.0\"?>\n<!DOCTYPE x [<!ENTITY e0 \"ha\">\n");
    for level in 1..30 {
        let below = format!("&e{};", level - 1);
        let _ = writeln!(laughs, "<!ENTITY e{level} \"{}\">", below.repeat(10));
    }
    laughs.push_str("]>\n");
    let long = format!("<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY e29 \"{}\">]>", "a".repeat(100_000));
    for prolog in [laughs, long] {
        let (workspace, site) = (Workspace::new(), good_site("/page.xhtml"));
        let uses = "&e29;".repeat(10_000);
        let urlset = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">";
        let map = format!("{prolog}{urlset}<url><loc>{}{uses}</loc></url></urlset>", site.url("/"));
        site.file("/sitemap.xml", "application/xml", map);
        let feed = format!("{prolog}<rss version=\"2.0\"><channel><item><link>{uses}</link></item></channel></rss>");
        site.robots(format!("Sitemap: {}\nSitemap: {}\n", site.url("/sitemap.xml"), site.url("/feed.rss")));
        site.file("/feed.rss", "application/rss+xml", feed);
        let page = format!("{prolog}<html xmlns=\"http://www.w3.org/1999/xhtml\"><body>{uses}</body></html>");
        site.file("/page.xhtml", "application/xhtml+xml", page);
        workspace.crawl(&site.url("/"), &[]).exited(0).assert_within(TIME, MEMORY);
        assert_good_pages(&workspace, &site);
    }
}

/// External entities are not fetched, and local files not read.
#[test]
fn external_entities() {
    let (workspace, site, canary) = (Workspace::new(), good_site("/ok"), Canary::at("127.0.0.2:0"));
    let secret = workspace.file("secret", "/stolen-from-the-disk");
    let prolog = format!(
        "<?xml version=\"1.0\"?><!DOCTYPE urlset SYSTEM \"{0}\" [<!ENTITY % p SYSTEM \"{0}\"> %p;\
         <!ENTITY e SYSTEM \"file://{secret}\"><!ENTITY f SYSTEM \"{0}\">]>",
        canary.url("/evil.dtd")
    );
    let urlset = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">";
    let map = format!("{prolog}{urlset}<url><loc>{}&e;&f;</loc></url></urlset>", site.base());
    site.file("/sitemap.xml", "application/xml", map).page("/ok", "<h1>Fine</h1>");
    workspace.crawl(&site.url("/"), &[]).exited(0).assert_within(TIME, MEMORY);
    canary.assert_untouched();
    assert_good_pages(&workspace, &site);
    assert!(site.requests().iter().all(|request| !request.target.contains("stolen")));
}
