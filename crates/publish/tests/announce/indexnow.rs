//! IndexNow, against an engine that answers as configured.

use std::time::{Duration, SystemTime};

use jiff::{Span, Timestamp};
use mapwright_publish::{IndexNow, MAX_URLS, Submitted};
use mapwright_testkit::{FakeSite, ReceivedRequest, Response};
use serde_json::Value;

use crate::stand_in::{KEY, caller, endless, engine, hasty, pages, url};

fn answering(answer: impl Into<mapwright_testkit::ServerAction>) -> FakeSite {
    let site = FakeSite::open();
    site.answer("/indexnow", answer);
    site
}

fn json(request: &ReceivedRequest) -> Value {
    serde_json::from_slice(&request.body).unwrap()
}

/// The number of URLs in each request.
fn sizes(site: &FakeSite) -> Vec<usize> {
    site.requests().iter().map(|request| json(request)["urlList"].as_array().unwrap().len()).collect()
}

/// Submits three URLs of one host to an engine with this answer, and checks that each is counted exactly once.
async fn submitted(answer: impl Into<mapwright_testkit::ServerAction>) -> Submitted {
    let site = answering(answer);
    let submission = engine(&site).submit(&caller(), &pages("example.com", 3)).await;
    assert_eq!(submission.accepted + submission.left.len() as u64 + submission.refused_urls, 3, "{submission:?}");
    assert_eq!(site.hits("/indexnow"), 1, "nothing is tried again");
    assert!(!format!("{submission:?}").contains(KEY), "{submission:?}");
    submission
}

#[tokio::test]
async fn a_request_is_as_the_protocol_has_it() {
    let site = answering(Response::new(200));
    let submission = engine(&site).submit(&caller(), &["https://example.com/süß?a=1&b".to_owned()]).await;
    assert_eq!(submission, Submitted { accepted: 1, ..Submitted::default() });
    let request = &site.requests()[0];
    assert_eq!(request.method, "POST");
    assert_eq!(request.header("content-type"), Some("application/json; charset=utf-8"));
    let expected = serde_json::json!({
        "host": "example.com",
        "key": KEY,
        "urlList": ["https://example.com/s%C3%BC%C3%9F?a=1&b"],
    });
    assert_eq!(json(request), expected);
}

#[tokio::test]
async fn a_key_that_is_yet_to_be_looked_at_is_no_refusal() {
    assert_eq!(submitted(Response::new(202)).await, Submitted { accepted: 3, ..Submitted::default() });
}

#[tokio::test]
async fn nothing_to_send_is_not_sent() {
    let site = answering(Response::new(200));
    assert_eq!(engine(&site).submit(&caller(), &[]).await, Submitted::default());
    assert_eq!(site.connections(), 0);
}

#[tokio::test]
async fn ten_thousand_urls_are_one_request_and_one_more_is_another() {
    for (count, expected) in [(MAX_URLS, vec![10_000]), (MAX_URLS + 1, vec![10_000, 1])] {
        let site = answering(Response::new(200));
        let submission = engine(&site).submit(&caller(), &pages("example.com", count)).await;
        assert_eq!(submission, Submitted { accepted: count as u64, ..Submitted::default() });
        assert_eq!(sizes(&site), expected);
    }
}

#[tokio::test]
async fn each_host_has_requests_of_its_own() {
    let site = answering(Response::new(200));
    let urls = ["https://b.example/1", "http://a.example/1", "https://b.example:8443/1", "https://a.example/2"];
    let submission = engine(&site).submit(&caller(), &urls.map(str::to_owned)).await;
    assert_eq!(submission.accepted, 4);
    let sent: Vec<_> =
        site.requests().iter().map(json).map(|body| (body["host"].clone(), body["urlList"].clone())).collect();
    let expected = [
        ("a.example", vec!["http://a.example/1", "https://a.example/2"]),
        ("b.example", vec!["https://b.example/1"]),
        ("b.example:8443", vec!["https://b.example:8443/1"]),
    ];
    assert_eq!(sent, expected.map(|(host, urls)| (Value::from(host), Value::from(urls))));
}

#[tokio::test]
async fn the_key_location_is_sent_to_its_own_host_and_bounds_the_urls() {
    let site = answering(Response::new(200));
    let location = url("https://a.example/shop/key.txt");
    let engine = IndexNow { key_location: Some(location.clone()), ..engine(&site) };
    let urls = ["https://a.example/shop/1", "https://a.example/shopping", "https://a.example/", "https://b.example/2"];
    let submission = engine.submit(&caller(), &urls.map(str::to_owned)).await;
    assert_eq!((submission.accepted, submission.refused_urls), (2, 2));
    assert!(submission.refused.unwrap().contains("directory"));
    let sent: Vec<_> = site.requests().iter().map(json).collect();
    assert_eq!(sent[0]["keyLocation"], location.as_str());
    assert_eq!(sent[0]["urlList"], Value::from(vec![urls[0]]));
    assert_eq!((&sent[1]["host"], sent[1].get("keyLocation")), (&Value::from("b.example"), None));
}

#[tokio::test]
async fn what_is_no_url_of_the_web_is_not_sent() {
    let site = answering(Response::new(200));
    let urls = ["/relative", "mailto:a@b.example", "ftp://a.example/", "https://", "", "https://a.example/"];
    let submission = engine(&site).submit(&caller(), &urls.map(str::to_owned)).await;
    assert_eq!((submission.accepted, submission.refused_urls, sizes(&site)), (1, 5, vec![1]));
    assert!(submission.refused.unwrap().contains("absolute URLs"));
}

#[tokio::test]
async fn too_many_requests_ends_the_sending_and_gives_the_rest_back() {
    let site = answering(Response::new(429).header("Retry-After", "120"));
    site.first_n("/indexnow", 1, Response::new(200));
    let mut urls = pages("a.example", MAX_URLS + 2);
    urls.extend(pages("b.example", 3));
    let submission = engine(&site).submit(&caller(), &urls).await;
    assert_eq!(site.hits("/indexnow"), 2, "nothing is sent after a 429");
    assert_eq!(submission.accepted, 10_000);
    assert_eq!(submission.left, urls[MAX_URLS..], "the refused batch and all behind it");
    assert_eq!(submission.retry_after, Some(Duration::from_secs(120)));
    assert_eq!((submission.refused, submission.refused_urls), (None, 0));
    assert!(submission.delayed.unwrap().contains("429"));
}

#[tokio::test]
async fn the_wait_may_be_a_date() {
    let until = Timestamp::now().checked_add(Span::new().hours(1)).unwrap();
    let date = until.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string();
    let submission = submitted(Response::new(429).header("Retry-After", date)).await;
    let wait = submission.retry_after.unwrap();
    assert!(wait > Duration::from_secs(3_500) && wait <= Duration::from_secs(3_600), "{wait:?}");
    assert!(SystemTime::now().checked_add(wait).is_some());
}

#[tokio::test]
async fn a_wait_may_be_missing_or_nonsense() {
    let silent = [Response::new(429), Response::new(429).header("Retry-After", "soon\u{1}"), Response::new(503)];
    for answer in silent {
        let submission = submitted(answer).await;
        assert_eq!((submission.left.len(), submission.retry_after), (3, None), "{submission:?}");
    }
    let submission = submitted(Response::new(429).header("Retry-After", "9".repeat(60))).await;
    assert_eq!(submission.retry_after, Some(Duration::from_secs(365 * 24 * 3600)), "bounded");
}

#[tokio::test]
async fn refusals_are_reported_in_words_and_are_permanent() {
    for (status, word) in [(400, "malformed"), (422, "not of example.com")] {
        let submission = submitted(Response::new(status)).await;
        assert_eq!((submission.refused_urls, submission.retry_after), (3, None), "{submission:?}");
        let words = submission.refused.unwrap();
        assert!(words.contains(word) && words.contains(&status.to_string()), "{words}");
    }
}

#[tokio::test]
async fn a_key_that_is_refused_leaves_its_hosts_urls_for_later_and_no_others() {
    let site = FakeSite::open();
    site.handler("/indexnow", |request| {
        let host = json(request)["host"].clone();
        Response::new(if host == "a.example" { 403 } else { 200 })
    });
    let mut urls = pages("a.example", MAX_URLS + 1);
    urls.extend(pages("b.example", 2));
    let submission = engine(&site).submit(&caller(), &urls).await;
    assert_eq!(sizes(&site), [10_000, 2], "the host's other batch is not sent");
    assert_eq!((submission.accepted, submission.refused_urls, submission.left.len()), (2, 0, 10_001));
    let words = submission.delayed.unwrap();
    assert!(words.contains("a.example") && words.contains("serve the key file"), "{words}");
}

#[tokio::test]
async fn refusals_of_many_hosts_stay_one_bounded_text() {
    let site = answering(Response::new(403));
    let urls: Vec<String> = (0..200).map(|host| format!("https://host-{host}.example/")).collect();
    let submission = engine(&site).submit(&caller(), &urls).await;
    assert_eq!(submission.left.len(), 200);
    assert!(submission.delayed.unwrap().len() < 2_000);
}

#[tokio::test]
async fn a_server_error_leaves_everything_for_later() {
    for status in [408, 425, 500, 502, 503, 599] {
        let submission = submitted(Response::new(status).header("Retry-After", "7")).await;
        assert_eq!((submission.left.len(), submission.retry_after), (3, Some(Duration::from_secs(7))), "{status}");
        assert!(submission.delayed.unwrap().contains(&status.to_string()));
    }
}

#[tokio::test]
async fn an_address_that_is_not_the_engines_leaves_everything_for_later() {
    for status in [301, 401, 404, 405, 418] {
        let submission = submitted(Response::new(status).header("Location", "/elsewhere")).await;
        assert_eq!((submission.left.len(), submission.refused_urls), (3, 0), "{status}");
        assert!(submission.delayed.unwrap().contains(&status.to_string()));
    }
}

#[tokio::test]
async fn silence_leaves_everything_for_later() {
    let site = FakeSite::open();
    site.stall("/stall").reset("/reset").close("/close").raw("/noise", "\0\u{1}no HTTP\r\n\r\n");
    for path in ["/stall", "/reset", "/close", "/noise"] {
        let engine = IndexNow { endpoint: url(&site.url(path)), ..engine(&site) };
        let submission = engine.submit(&hasty(), &pages("example.com", 3)).await;
        assert_eq!((submission.left.len(), submission.refused), (3, None), "{path}");
        let words = submission.delayed.unwrap();
        assert!(words.contains(&site.address().to_string()) && !words.contains(path), "{words}");
    }
}

#[tokio::test]
async fn nobody_there_leaves_everything_for_later() {
    // No server listens on this port, which is not an ephemeral one.
    let engine = IndexNow { endpoint: url("http://127.0.0.1:1/indexnow"), ..engine(&FakeSite::open()) };
    let submission = engine.submit(&caller(), &pages("example.com", 3)).await;
    assert_eq!((submission.left.len(), submission.refused_urls), (3, 0));
    assert!(submission.delayed.unwrap().contains("cannot be reached"));
}

#[tokio::test]
async fn an_answer_without_end_counts_by_its_head() {
    let site = answering(endless(200));
    let submission = engine(&site).submit(&caller(), &pages("example.com", 3)).await;
    assert_eq!(submission.accepted, 3);
    assert!(site.bytes_sent("/indexnow") < 32 << 20, "the connection was closed");
    assert_eq!(submitted(endless(403)).await.left.len(), 3);
}

#[tokio::test]
async fn an_answer_that_breaks_off_counts_by_its_head() {
    let cut = "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf";
    assert_eq!(submitted(mapwright_testkit::ServerAction::raw(cut)).await.accepted, 3);
    let site = answering(mapwright_testkit::ServerAction::stall_after(cut));
    assert_eq!(engine(&site).submit(&hasty(), &pages("example.com", 3)).await.accepted, 3);
}

#[tokio::test]
async fn a_redirect_is_reported_and_not_followed() {
    let other = FakeSite::open();
    let submission = submitted(Response::redirect(308, &other.url("/indexnow?key=copied"))).await;
    assert_eq!(other.connections(), 0);
    let words = submission.delayed.unwrap();
    assert!(words.contains(&other.base()) && !words.contains("copied"), "{words}");
    assert_eq!(submitted(Response::new(302).header("Location", "http://[bad")).await.left.len(), 3);
    assert_eq!(submitted(Response::new(304)).await.left.len(), 3);
}

#[test]
fn neither_key_nor_its_place_is_shown() {
    let site = FakeSite::open();
    let location = url(&format!("https://example.com/{KEY}.txt"));
    let engine = IndexNow { key_location: Some(location), ..engine(&site) };
    let shown = format!("{engine:?} {:?}", engine.key);
    assert!(!shown.contains(KEY), "{shown}");
    assert!(shown.contains(&site.address().to_string()), "{shown}");
}
