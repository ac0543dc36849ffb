//! Links, redirects and files that lead to addresses that a crawl must not reach.
#![allow(clippy::unwrap_used, reason = "helpers fail the test by panicking; the lint knows test functions alone")]

use crate::hostile::{MEMORY, PATIENT, TIME, assert_good_pages, good_site};

use mapwright_e2e::{Workspace, links};
use mapwright_testkit::{Canary, FakeSite, Response};

#[test]
fn links_and_redirects_to_other_addresses_are_not_followed() {
    let (address, port) = (Canary::at("127.0.0.2:0"), Canary::open());
    for canary in [&address, &port] {
        let (workspace, site) = (Workspace::new(), good_site("/bad"));
        let url = |path: &str| canary.url(path);
        let head = format!(
            "<link rel=canonical href={}><link rel=alternate href={}><link rel=next href={}>\
             <meta http-equiv=refresh content='5; url={}'>",
            url("/c"),
            url("/alt"),
            url("/next"),
            url("/refresh")
        );
        let body = format!(
            "<a href={}>x</a><area href={}><iframe src={}></iframe><img src={}><form action={}></form>",
            url("/a"),
            url("/area"),
            url("/frame"),
            url("/img"),
            url("/form")
        );
        let moved: Vec<String> = [301, 302, 303, 307, 308].map(|status| format!("/moved/{status}")).to_vec();
        let moves = links(&moved.iter().map(String::as_str).collect::<Vec<_>>());
        site.answer(
            "/bad",
            Response::html(format!("<head>{head}</head>{body}{moves}<a href=/now>x</a>"))
                .header("Link", format!("<{}>; rel=next", url("/link"))),
        );
        for (path, status) in moved.iter().zip([301, 302, 303, 307, 308]) {
            site.redirect(path, &url("/target"), status);
        }
        site.page("/now", format!("<meta http-equiv=refresh content='0; url={}'>", url("/at-once")));
        site.sitemap("/sitemap.xml", &[]).file(
            "/sitemap.xml",
            "application/xml",
            format!(
                "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><url><loc>{}</loc></url></urlset>",
                url("/entry")
            ),
        );
        workspace.crawl(&site.url("/"), &[]).exited(0).assert_within(TIME, MEMORY);
        canary.assert_untouched();
        assert_good_pages(&workspace, &site);
    }
}

/// Prerequisites are exempt from the scope, but not from the guard.
#[test]
fn prerequisites_at_other_addresses_are_not_fetched() {
    let canary = Canary::at("127.0.0.2:0");
    let port = canary.address().port();
    let names = [
        canary.url("/map.xml"),
        format!("http://2130706434:{port}/number.xml"),
        format!("http://0x7f.0.0.2:{port}/hexadecimal.xml"),
        format!("http://0177.0.0.02:{port}/octal.xml"),
        format!("http://127.2:{port}/short.xml"),
        format!("http://[::ffff:127.0.0.2]:{port}/mapped.xml"),
        format!("http://[::ffff:7f00:2]:{port}/mapped.xml"),
    ];
    let (workspace, site) = (Workspace::new(), good_site("/ok"));
    let lines: String = names.iter().map(|name| format!("Sitemap: {name}\n")).collect();
    site.robots(format!("{lines}Sitemap: {}\nSitemap: {}\n", site.url("/moved.xml"), site.url("/index.xml")));
    site.redirect("/moved.xml", &canary.url("/map.xml"), 302);
    let entries: String = names.iter().map(|name| format!("<sitemap><loc>{name}</loc></sitemap>")).collect();
    let index = format!("<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">{entries}</sitemapindex>");
    site.file("/index.xml", "application/xml", index);
    let feed = format!("<link rel=alternate type=application/rss+xml href={}>", canary.url("/feed.rss"));
    site.page("/ok", format!("<head>{feed}</head><h1>Fine</h1>"));
    workspace.crawl(&site.url("/"), &PATIENT).exited(0).assert_within(TIME, MEMORY);
    canary.assert_untouched();
    assert_good_pages(&workspace, &site);
    assert_eq!((site.hits("/moved.xml"), site.hits("/index.xml")), (1, 1));
}

#[test]
fn robots_that_redirect_to_another_address_are_not_followed() {
    let canary = Canary::at("127.0.0.2:0");
    let (workspace, site) = (Workspace::new(), good_site("/ok"));
    site.redirect("/robots.txt", &canary.url("/robots.txt"), 302).page("/ok", "<h1>Fine</h1>");
    workspace.crawl(&site.url("/"), &PATIENT).assert_within(TIME, MEMORY);
    canary.assert_untouched();
}

/// A start URL permits only its own addresses: a host of the same domain at a private address is refused, unless that
/// address is allowed.
#[test]
fn an_address_is_reached_only_where_allowed() {
    let canary = FakeSite::at("127.0.0.2:0");
    canary.robots(String::new()).sitemap("/map.xml", &[]);
    let (workspace, site) = (Workspace::new(), good_site("/ok"));
    site.page("/ok", "<h1>Fine</h1>").robots(format!("Sitemap: {}\n", canary.url("/map.xml")));
    workspace.crawl_well(&site.url("/"), &[]);
    assert!(canary.requests().is_empty());
    workspace.crawl_well(&site.url("/"), &["--allow-address", "127.0.0.2"]);
    assert_eq!(canary.hits("/map.xml"), 1);
}
