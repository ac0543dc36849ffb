//! Webhooks.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use mapwright_notify::{Channel, Heartbeat, NotificationSender, Secret, SenderOptions, Undelivered};
use mapwright_testkit::{FakeSite, ReceivedRequest, Response, ServerAction};

use crate::event::reported;

const KEY: &str = "k3y of the webhook";

fn options() -> SenderOptions {
    SenderOptions { webhook_secret: Some(Secret::new(KEY)), ..SenderOptions::default() }
}

async fn post_with(options: SenderOptions, site: &FakeSite, path: &str) -> Result<(), Undelivered> {
    let channel = Channel::parse(&format!("webhook:{}", site.url(path))).unwrap();
    NotificationSender::new(options).unwrap().deliver(&channel, &reported()).await
}

async fn post(site: &FakeSite, path: &str) -> Result<(), Undelivered> {
    post_with(options(), site, path).await
}

fn only(site: &FakeSite) -> ReceivedRequest {
    let mut requests = site.requests();
    assert_eq!(requests.len(), 1);
    requests.remove(0)
}

#[tokio::test]
async fn the_message_is_posted_as_json_that_can_be_recognised() {
    let site = FakeSite::open();
    site.answer("/hook", Response::new(204));
    post(&site, "/hook?key=1").await.unwrap();
    let request = only(&site);
    assert_eq!((request.method.as_str(), request.target.as_str()), ("POST", "/hook?key=1"));
    assert_eq!(request.header("content-type"), Some("application/json"));
    assert!(request.header("user-agent").unwrap().starts_with("mapwright/"));
    for name in ["idempotency-key", "x-mapwright-delivery"] {
        assert_eq!(request.header(name), Some(reported().id.as_str()));
    }
    let body: serde_json::Value = serde_json::from_slice(&request.body).unwrap();
    assert_eq!(body, reported().json);
    assert_eq!((&body["version"], &body["id"]), (&1.into(), &reported().id.into()));
}

/// Runs the five lines of Python in the README that verify a signature.
fn genuine(key: &str, signature: &str, body: &[u8]) -> bool {
    let readme = include_str!("../../README.md");
    let (_, rest) = readme.split_once("```python\n").unwrap();
    let (lines, _) = rest.split_once("```").unwrap();
    let requesting = "import sys\nprint(genuine(sys.argv[1].encode(), sys.argv[2], sys.stdin.buffer.read()))\n";
    let mut python = Command::new("/usr/bin/python3")
        .args(["-c", &format!("{lines}\n{requesting}"), key, signature])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    python.stdin.take().unwrap().write_all(body).unwrap();
    let answer = python.wait_with_output().unwrap();
    match answer.stdout.as_slice() {
        b"True\n" => true,
        b"False\n" => false,
        other => panic!("{}", String::from_utf8_lossy(other)),
    }
}

#[tokio::test]
async fn the_documented_code_verifies_the_signature() {
    let site = FakeSite::open();
    site.status("/hook", 200);
    let before = Timestamp::now().as_second();
    post(&site, "/hook").await.unwrap();
    let request = only(&site);
    let signature = request.header("x-mapwright-signature").unwrap();
    assert!(genuine(KEY, signature, &request.body));
    assert!(!genuine("another key", signature, &request.body));
    assert!(!genuine(KEY, signature, b"{}"));
    let (time, digest) = signature.strip_prefix("t=").unwrap().split_once(',').unwrap();
    let time: i64 = time.parse().unwrap();
    assert!((before..=Timestamp::now().as_second()).contains(&time));
    assert!(!genuine(KEY, &format!("t={},{digest}", time + 1), &request.body), "the time is signed");
    assert!(!genuine(KEY, &format!("t={},{digest}", time - 1_000), &request.body));
}

#[tokio::test]
async fn without_a_secret_nothing_is_signed() {
    let site = FakeSite::open();
    site.status("/hook", 200);
    post_with(SenderOptions::default(), &site, "/hook").await.unwrap();
    assert_eq!(only(&site).header("x-mapwright-signature"), None);
}

#[tokio::test]
async fn the_status_decides_whether_to_try_again() {
    let site = FakeSite::open();
    for status in [200, 201, 202, 204] {
        site.answer("/hook", Response::new(status));
        assert_eq!(post(&site, "/hook").await, Ok(()), "{status}");
    }
    let permanent = [400, 404, 405, 410, 413, 422].map(|status| (status, true));
    let passing = [401, 403, 407, 408, 425, 429, 500, 502, 503, 504, 507].map(|status| (status, false));
    for (status, permanent) in permanent.into_iter().chain(passing) {
        site.answer("/hook", Response::new(status));
        let failure = post(&site, "/hook").await.unwrap_err();
        assert_eq!(
            (failure.what.as_str(), failure.permanent),
            (format!("the webhook answered {status}").as_str(), permanent)
        );
        assert_eq!(failure.after, None);
    }
}

#[tokio::test]
async fn a_requested_wait_is_reported() {
    let site = FakeSite::open();
    let ahead =
        (Timestamp::now() + jiff::SignedDuration::from_mins(10)).strftime("%a, %d %b %Y %H:%M:%S GMT").to_string();
    let seconds = |wait: Option<Duration>| wait.map(|wait| wait.as_secs());
    for (value, least, most) in
        [("120", 120, 120), (ahead.as_str(), 500, 600), ("99999999999999999999999", 86_400, 86_400)]
    {
        site.answer("/hook", Response::new(429).header("Retry-After", value));
        let wait = seconds(post(&site, "/hook").await.unwrap_err().after).unwrap();
        assert!((least..=most).contains(&wait), "{value}: {wait}");
    }
    for value in ["", "soon", "-1"] {
        site.answer("/hook", Response::new(503).header("Retry-After", value));
        assert_eq!(post(&site, "/hook").await.unwrap_err().after, None, "{value}");
    }
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let site = FakeSite::open();
    site.status("/there", 200);
    for status in [301, 302, 303, 307, 308] {
        site.redirect("/hook", "/there", status);
        let failure = post(&site, "/hook").await.unwrap_err();
        assert_eq!(failure.what, format!("the webhook answered {status} (redirects are not followed)"));
    }
    assert_eq!(site.hits("/there"), 0);
}

#[tokio::test]
async fn a_receiver_that_stalls_or_drips_is_left_in_time() {
    let site = FakeSite::open();
    site.stall("/hook").drip("/drip", "HTTP/1.1 200 OK\r\n".repeat(100), Duration::from_millis(50));
    for path in ["/hook", "/drip"] {
        let began = Instant::now();
        let hurried = SenderOptions { timeout: Duration::from_millis(300), ..options() };
        let failure = post_with(hurried, &site, path).await.unwrap_err();
        assert_eq!((failure.what.as_str(), failure.permanent), ("no answer in time", false));
        assert!(began.elapsed() < Duration::from_secs(30));
    }
}

#[tokio::test]
async fn an_endless_answer_is_not_read_to_the_end() {
    let site = FakeSite::open();
    site.endless("/hook", "all is well ");
    post(&site, "/hook").await.unwrap();
}

#[tokio::test]
async fn a_message_that_has_arrived_counts_whatever_the_body_does() {
    let site = FakeSite::open();
    site.answer("/hook", ServerAction::stall_after("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"));
    post_with(SenderOptions { timeout: Duration::from_secs(2), ..options() }, &site, "/hook").await.unwrap();
    site.answer("/cut", ServerAction::reset_after("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"));
    post(&site, "/cut").await.unwrap();
}

#[tokio::test]
async fn a_broken_connection_is_a_failure_that_may_pass_and_is_tried_once() {
    let site = FakeSite::open();
    site.close("/close").reset("/reset");
    for path in ["/close", "/reset"] {
        let failure = post(&site, path).await.unwrap_err();
        assert!(!failure.permanent, "{failure}");
        assert_eq!(site.hits(path), 1, "trying again is the business of the outbox");
    }
}

#[tokio::test]
async fn a_proxy_is_used_if_one_is_set() {
    let proxy = FakeSite::open();
    proxy.status("/hook", 200);
    let options = SenderOptions { proxy: Some(Secret::new(proxy.base())), ..options() };
    let channel = Channel::parse("webhook:http://far.example/hook").unwrap();
    NotificationSender::new(options).unwrap().deliver(&channel, &reported()).await.unwrap();
    assert_eq!(only(&proxy).target, "http://far.example/hook");
}

#[tokio::test]
async fn a_heartbeat_is_retried_until_it_is_answered() {
    let site = FakeSite::open();
    site.answer("/beat/1", Response::new(200)).first_n("/beat/1", 1, Response::new(503));
    let post = NotificationSender::new(SenderOptions::default()).unwrap();
    let heartbeat = Heartbeat::parse(&site.url("/beat/1")).unwrap();
    assert!(!format!("{heartbeat:?}").contains("beat/1"));
    post.beat(&heartbeat).await.unwrap();
    assert_eq!(site.requests().iter().map(|request| request.method.as_str()).collect::<Vec<_>>(), ["GET", "GET"]);
    let gone = post.beat(&Heartbeat::parse(&site.url("/nothing")).unwrap()).await.unwrap_err();
    assert!(gone.permanent && gone.what.contains("404"), "{gone:?}");
    assert_eq!(site.hits("/nothing"), 1, "a wrong address is not requested again");
    for text in ["", "ftp://watch.example/", "watch.example"] {
        assert!(Heartbeat::parse(text).is_err(), "{text}");
    }
}
