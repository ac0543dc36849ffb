//! Cookies over the wire.

use crate::site::{Site, fetcher, get, request};
use mapwright_fetch::{CookiePolicy, Fetch, FetchOptions, Request};
use mapwright_testkit::Response;

/// Options under which every cookie is sent back.
fn all(site: &Site) -> FetchOptions {
    FetchOptions { cookie_policy: CookiePolicy::All, ..site.options() }
}

#[tokio::test]
async fn a_cookie_is_sent_back_once_a_wall_opened_to_it() {
    let site = Site::with(Response::redirect(302, "/").header("Set-Cookie", "sid=1; Path=/"));
    let fetch = fetcher(site.options());
    assert!(get(&fetch, &site.url("/")).await.unwrap().set_cookie);
    get(&fetch, &site.url("/")).await.unwrap();
    let reply = fetch.fetch(Request { cookie_wall: true, ..request(&site.url("/")) }).await.unwrap();
    assert_eq!(reply.sent_cookies, ["sid"]);
    get(&fetch, &site.url("/")).await.unwrap();
    let requests = site.requests();
    let sent: Vec<Option<&str>> = requests.iter().map(|request| request.header("Cookie")).collect();
    assert_eq!(sent, [None, None, Some("sid=1"), None], "the wall stayed closed");
}

#[tokio::test]
async fn a_page_s_cookie_is_sent_back_only_once_it_is_kept() {
    let site = Site::with(Response::new(200).header("Set-Cookie", "sid=1; Path=/"));
    let fetch = fetcher(site.options());
    get(&fetch, &site.url("/")).await.unwrap();
    get(&fetch, &site.url("/")).await.unwrap();
    assert!(fetch.keep_cookie(&site.url("/"), "sid=1; Path=/"));
    get(&fetch, &site.url("/")).await.unwrap();
    let requests = site.requests();
    assert_eq!([0, 1, 2].map(|at: usize| requests[at].header("Cookie")), [None, None, Some("sid=1")]);
}

#[tokio::test]
async fn a_cookie_that_is_set_is_reported_and_sent_back() {
    let site = Site::with(Response::redirect(302, "/").header("Set-Cookie", "sid=1; Path=/; HttpOnly"));
    let fetch = fetcher(all(&site));
    assert!(get(&fetch, &site.url("/")).await.unwrap().set_cookie);
    get(&fetch, &site.url("/")).await.unwrap();
    let requests = site.requests();
    assert_eq!(requests[0].header("Cookie"), None);
    assert_eq!(requests[1].header("Cookie"), Some("sid=1"));
}

#[tokio::test]
async fn clones_share_the_jar() {
    let site = Site::with(Response::new(200).header("Set-Cookie", "sid=1"));
    let fetch = fetcher(all(&site));
    get(&fetch.clone(), &site.url("/")).await.unwrap();
    get(&fetch, &site.url("/")).await.unwrap();
    assert_eq!(site.requests()[1].header("Cookie"), Some("sid=1"));
}

#[tokio::test]
async fn another_port_gets_no_cookie() {
    let site = Site::with(Response::new(200).header("Set-Cookie", "sid=1"));
    let other = Site::with(Response::html(""));
    let fetch = fetcher(all(&site));
    get(&fetch, &site.url("/")).await.unwrap();
    get(&fetch, &other.url("/")).await.unwrap();
    assert_eq!(other.request().header("Cookie"), None);
}

#[tokio::test]
async fn path_secure_and_expiry_are_honoured() {
    let set = [
        "everywhere=1; Path=/",
        "shop=2; Path=/shop",
        "secure=3; Secure",
        "over=4; Max-Age=0",
        "past=5; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
        "foreign=6; Domain=example.com",
    ];
    let site = Site::with(set.iter().fold(Response::new(200), |page, cookie| page.header("Set-Cookie", cookie)));
    let fetch = fetcher(all(&site));
    for path in ["/", "/", "/shop/cart"] {
        get(&fetch, &site.url(path)).await.unwrap();
    }
    let requests = site.requests();
    assert_eq!(requests[1].header("Cookie"), Some("everywhere=1"));
    assert_eq!(requests[2].header("Cookie"), Some("shop=2; everywhere=1"));
}

#[tokio::test]
async fn a_flood_of_cookies_stays_within_fifty_and_16_kib() {
    let cookies = (0..200).map(|number| format!("c{number}={}", "x".repeat(300)));
    let site = Site::with(cookies.fold(Response::new(200), |page, cookie| page.header("Set-Cookie", cookie)));
    let fetch = fetcher(all(&site));
    get(&fetch, &site.url("/")).await.unwrap();
    get(&fetch, &site.url("/")).await.unwrap();
    let requests = site.requests();
    let sent = requests[1].header("Cookie").unwrap();
    assert!(sent.len() <= 16 << 10);
    assert_eq!(sent.split("; ").count(), 50);
}
