//! Cookies over the wire.

use crate::site::{Site, answer, fetcher, get, header, ok, request};
use mapwright_fetch::{CookiePolicy, Fetch, FetchOptions, Request};

/// Options under which every cookie is sent back.
fn all(site: &Site) -> FetchOptions {
    FetchOptions { cookie_policy: CookiePolicy::All, ..site.options() }
}

#[tokio::test]
async fn a_cookie_is_sent_back_once_a_wall_opened_to_it() {
    let site = Site::answering(answer("302 Found", &["Location: /", "Set-Cookie: sid=1; Path=/"], "")).await;
    let fetch = fetcher(site.options());
    assert!(get(&fetch, &site.url("/")).await.unwrap().set_cookie);
    get(&fetch, &site.url("/")).await.unwrap();
    let reply = fetch.fetch(Request { cookie_wall: true, ..request(&site.url("/")) }).await.unwrap();
    assert_eq!(reply.sent_cookies, ["sid"]);
    get(&fetch, &site.url("/")).await.unwrap();
    let sent: Vec<Option<String>> =
        site.requests().iter().map(|head| header(head, "Cookie").map(str::to_owned)).collect();
    assert_eq!(sent, [None, None, Some("sid=1".to_owned()), None], "the wall stayed closed");
}

#[tokio::test]
async fn a_page_s_cookie_is_sent_back_only_once_it_is_kept() {
    let site = Site::answering(answer("200 OK", &["Set-Cookie: sid=1; Path=/"], "")).await;
    let fetch = fetcher(site.options());
    get(&fetch, &site.url("/")).await.unwrap();
    get(&fetch, &site.url("/")).await.unwrap();
    assert!(fetch.keep_cookie(&site.url("/"), "sid=1; Path=/"));
    get(&fetch, &site.url("/")).await.unwrap();
    let heads = site.requests();
    assert_eq!([0, 1, 2].map(|at: usize| header(&heads[at], "Cookie")), [None, None, Some("sid=1")]);
}

#[tokio::test]
async fn a_cookie_that_is_set_is_reported_and_sent_back() {
    let site = Site::answering(answer("302 Found", &["Location: /", "Set-Cookie: sid=1; Path=/; HttpOnly"], "")).await;
    let fetch = fetcher(all(&site));
    assert!(get(&fetch, &site.url("/")).await.unwrap().set_cookie);
    get(&fetch, &site.url("/")).await.unwrap();
    let heads = site.requests();
    assert_eq!(header(&heads[0], "Cookie"), None);
    assert_eq!(header(&heads[1], "Cookie"), Some("sid=1"));
}

#[tokio::test]
async fn clones_share_the_jar() {
    let site = Site::answering(answer("200 OK", &["Set-Cookie: sid=1"], "")).await;
    let fetch = fetcher(all(&site));
    get(&fetch.clone(), &site.url("/")).await.unwrap();
    get(&fetch, &site.url("/")).await.unwrap();
    assert_eq!(header(&site.requests()[1], "Cookie"), Some("sid=1"));
}

#[tokio::test]
async fn another_port_gets_no_cookie() {
    let site = Site::answering(answer("200 OK", &["Set-Cookie: sid=1"], "")).await;
    let other = Site::answering(ok("")).await;
    let fetch = fetcher(all(&site));
    get(&fetch, &site.url("/")).await.unwrap();
    get(&fetch, &other.url("/")).await.unwrap();
    assert_eq!(header(&other.request(), "Cookie"), None);
}

#[tokio::test]
async fn path_secure_and_expiry_are_honoured() {
    let set = [
        "Set-Cookie: everywhere=1; Path=/",
        "Set-Cookie: shop=2; Path=/shop",
        "Set-Cookie: secure=3; Secure",
        "Set-Cookie: over=4; Max-Age=0",
        "Set-Cookie: past=5; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
        "Set-Cookie: foreign=6; Domain=example.com",
    ];
    let site = Site::answering(answer("200 OK", &set, "")).await;
    let fetch = fetcher(all(&site));
    for path in ["/", "/", "/shop/cart"] {
        get(&fetch, &site.url(path)).await.unwrap();
    }
    let heads = site.requests();
    assert_eq!(header(&heads[1], "Cookie"), Some("everywhere=1"));
    assert_eq!(header(&heads[2], "Cookie"), Some("shop=2; everywhere=1"));
}

#[tokio::test]
async fn a_flood_of_cookies_stays_within_fifty_and_16_kib() {
    let lines: Vec<String> = (0..200).map(|number| format!("Set-Cookie: c{number}={}", "x".repeat(300))).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let site = Site::answering(answer("200 OK", &lines, "")).await;
    let fetch = fetcher(all(&site));
    get(&fetch, &site.url("/")).await.unwrap();
    get(&fetch, &site.url("/")).await.unwrap();
    let heads = site.requests();
    let sent = header(&heads[1], "Cookie").unwrap();
    assert!(sent.len() <= 16 << 10);
    assert_eq!(sent.split("; ").count(), 50);
}
