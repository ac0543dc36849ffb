//! Requests that the scripts of a page make.

use mapwright_fetch::{Fetch as _, FetchOptions, Headers, HttpFetch, Method, Request, Scripted};
use mapwright_testkit::{ReceivedRequest, Response};
use mapwright_web::Origin;

use crate::site::{Site, fetcher, request, url};

/// A request of a script on a page of this origin.
async fn send(
    fetch: &HttpFetch,
    site: &Site,
    page: Origin,
    method: Method,
    fields: &[(&str, &str)],
) -> ReceivedRequest {
    let headers = Headers::from_pairs(fields.iter().copied());
    let scripted = Some(Box::new(Scripted { page, headers, body: b"{}".to_vec() }));
    fetch.fetch(Request { method, scripted, ..request(&site.url("/call")) }).await.unwrap();
    site.request()
}

fn with_token(site: &Site) -> HttpFetch {
    fetcher(FetchOptions { headers: vec![("X-Token".into(), "secret".into())], ..site.options() })
}

#[tokio::test]
async fn a_script_chooses_header_fields_but_not_those_of_the_crawler_and_the_connection() {
    let site = Site::with(Response::html(""));
    let fields = [
        ("X-Requested-With", "XMLHttpRequest"),
        ("Host", "other.example"),
        ("User-Agent", "other"),
        ("Cookie", "a=b"),
        ("Sec-Fetch-Mode", "cors"),
    ];
    let received = send(&fetcher(site.options()), &site, site.origin(), Method::Get, &fields).await;
    assert_eq!(received.header("X-Requested-With"), Some("XMLHttpRequest"));
    assert_eq!(received.header("Accept"), Some("*/*"));
    assert!(received.host().starts_with("127.0.0.1"), "{}", received.host());
    assert!(received.header("User-Agent").is_some_and(|agent| agent.contains("mapwright")), "{received:?}");
    assert_eq!((received.header("Cookie"), received.header("Sec-Fetch-Mode")), (None, None));
}

#[tokio::test]
async fn secrets_go_with_requests_of_the_sites_own_pages_and_not_with_messages() {
    for (method, expected) in [(Method::Get, Some("secret")), (Method::Post, None)] {
        let site = Site::with(Response::html(""));
        let received = send(&with_token(&site), &site, site.origin(), method, &[]).await;
        assert_eq!(received.header("X-Token"), expected, "{method:?}");
    }
}

#[tokio::test]
async fn a_page_of_another_site_gets_no_secret_sent() {
    let site = Site::with(Response::html(""));
    let elsewhere = url("http://other.example/").origin();
    let received = send(&with_token(&site), &site, elsewhere, Method::Get, &[]).await;
    assert_eq!(received.header("X-Token"), None);
}

#[tokio::test]
async fn a_message_has_its_body_and_its_type() {
    let site = Site::with(Response::html(""));
    let fields = [("Content-Type", "application/json")];
    let received = send(&fetcher(site.options()), &site, site.origin(), Method::Post, &fields).await;
    assert_eq!(received.method, "POST");
    assert_eq!(received.header("Content-Type"), Some("application/json"));
    assert_eq!(received.header("Content-Length"), Some("2"));
}
