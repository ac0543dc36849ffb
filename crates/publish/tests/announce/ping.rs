//! The generic ping.

use mapwright_publish::Ping;
use mapwright_testkit::{FakeSite, Response};

use crate::stand_in::{caller, endless, hasty, ping, url};

#[tokio::test]
async fn the_sitemap_url_is_percent_encoded_completely() {
    let site = FakeSite::open();
    site.answer("/*", Response::new(200));
    let sitemap = url("https://example.com:8443/ü/a b.xml?x=1&y={z}+w#top");
    let encoded = "https%3A%2F%2Fexample.com%3A8443%2F%25C3%25BC%2Fa%2520b.xml%3Fx%3D1%26y%3D%7Bz%7D%2Bw%23top";
    for (template, expected) in [
        ("/ping?sitemap={sitemap}", format!("/ping?sitemap={encoded}")),
        ("/ping/{sitemap}/now?again={sitemap}&k=v", format!("/ping/{encoded}/now?again={encoded}&k=v")),
    ] {
        Ping::parse(&site.url(template)).unwrap().call(&caller(), &sitemap).await.unwrap();
        let request = site.requests().pop().unwrap();
        assert_eq!((request.method.as_str(), request.target), ("GET", expected));
    }
}

#[test]
fn addresses_without_a_place_for_the_sitemap_are_refused() {
    let bad = [
        "https://engine.example/ping",
        "https://engine.example/ping?sitemap={SITEMAP}",
        "",
        "engine.example/ping?sitemap={sitemap}",
        "ftp://engine.example/{sitemap}",
        "https://{sitemap}/",
        "https://{sitemap}@engine.example/",
        "https://engine.example/#{sitemap}",
        "javascript:{sitemap}",
        "{sitemap}",
    ];
    for template in bad {
        let error = Ping::parse(template).unwrap_err();
        assert!(error.permanent && error.what.contains("{sitemap}"), "{template}: {error}");
        assert!(!error.what.contains('\n'));
    }
}

#[test]
fn addresses_that_are_gone_are_refused_with_the_date() {
    let gone = [
        ("https://www.google.com/ping?sitemap={sitemap}", "2023"),
        ("http://GOOGLE.com/ping?sitemap={sitemap}", "2023"),
        ("http://www.google.com/webmasters/tools/ping?sitemap={sitemap}", "2023"),
        ("http://www.google.com/webmasters/sitemaps/ping?sitemap={sitemap}", "2023"),
        ("https://www.bing.com/ping?sitemap={sitemap}", "2021"),
        ("http://bing.com/webmaster/Ping.aspx?siteMap={sitemap}", "2021"),
    ];
    for (template, year) in gone {
        let error = Ping::parse(template).unwrap_err();
        assert!(error.permanent && error.what.contains("dead") && error.what.contains(year), "{template}: {error}");
        assert!(!error.what.contains('\n'));
    }
    Ping::parse("https://engine.example/ping?via=google.com/ping&sitemap={sitemap}").unwrap();
}

#[tokio::test]
async fn transient_and_permanent_errors_are_distinguished() {
    let permanent = [(301, true), (400, true), (404, true), (410, true), (429, false), (500, false), (503, false)];
    for (status, lasts) in permanent {
        let site = FakeSite::open();
        site.answer("/ping", Response::new(status).header("Retry-After", "9"));
        let error = ping(&site).await.unwrap_err();
        assert_eq!((error.permanent, error.after.is_some()), (lasts, !lasts), "{status}: {error}");
        assert!(error.what.contains(&status.to_string()), "{error}");
    }
}

#[tokio::test]
async fn an_answer_without_end_is_an_answer() {
    let site = FakeSite::open();
    site.answer("/ping", endless(200));
    ping(&site).await.unwrap();
}

#[tokio::test]
async fn a_token_in_the_address_is_never_shown() {
    let site = FakeSite::open();
    site.stall("/ping");
    let template = format!("http://user:s3cret@{}/ping?token=s3cret&sitemap={{sitemap}}", site.address());
    let ping = Ping::parse(&template).unwrap();
    let error = ping.call(&hasty(), &url("https://example.com/sitemap.xml")).await.unwrap_err();
    assert!(!error.permanent && error.what.contains("within 2 s"), "{error}");
    let submission = format!("{ping:?} {error} {error:?} {}", Ping::parse("https://e/?s3cret={site}").unwrap_err());
    assert!(!submission.contains("s3cret"), "{submission}");
    assert!(site.requests()[0].header("authorization").is_some(), "credentials are sent as such");
}
