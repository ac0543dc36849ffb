//! Slack and compatible services.

use std::collections::BTreeMap;

use mapwright_notify::{Channel, NotificationSender, Secret, SenderError, SenderOptions, Undelivered};
use mapwright_testkit::{FakeSite, Response};

use crate::event::reported;

fn options(url: &str) -> SenderOptions {
    SenderOptions { slack: BTreeMap::from([("ops".to_owned(), Secret::new(url))]), ..SenderOptions::default() }
}

async fn post(site: &FakeSite) -> Result<(), Undelivered> {
    let post = NotificationSender::new(options(&site.url("/services/T0/s3cret"))).unwrap();
    post.deliver(&Channel::parse("slack:ops").unwrap(), &reported()).await
}

#[tokio::test]
async fn everything_from_the_site_is_posted_as_plain_text() {
    let site = FakeSite::open();
    site.answer("/services/T0/s3cret", Response::text("ok"));
    post(&site).await.unwrap();
    let request = site.requests().remove(0);
    let body: serde_json::Value = serde_json::from_slice(&request.body).unwrap();
    assert_eq!(body.as_object().unwrap().len(), 1);
    let text = body["text"].as_str().unwrap();
    assert!(text.starts_with("*mapwright*\n```\n[mapwright] shop: 1 page added\n\n"), "{text}");
    assert!(text.contains("https://shop.example/grün?a=1&amp;b=&lt;2&gt;"), "{text}");
    assert!(text.ends_with("\n```\n<https://maps.example/jobs/shop/17>"), "{text}");
    assert_eq!(request.header("idempotency-key"), Some(reported().id.as_str()));
}

#[tokio::test]
async fn only_the_error_word_of_an_answer_is_quoted() {
    let site = FakeSite::open();
    let cases = [
        (410, "channel_is_archived", "Slack answered 410: channel_is_archived", true),
        (500, "rollup_error\n", "Slack answered 500: rollup_error", false),
        (404, "/services/T0/s3cret not found", "Slack answered 404", true),
        (404, "services", "Slack answered 404", true),
        (403, "<h1>No</h1>", "Slack answered 403", false),
    ];
    for (status, body, what, permanent) in cases {
        site.answer("/services/T0/s3cret", Response::text(body).status(status));
        let failure = post(&site).await.unwrap_err();
        assert_eq!((failure.what.as_str(), failure.permanent), (what, permanent));
    }
}

#[tokio::test]
async fn a_name_without_a_secret_may_get_one() {
    let post = NotificationSender::new(SenderOptions::default()).unwrap();
    let failure = post.deliver(&Channel::parse("slack:ops").unwrap(), &reported()).await.unwrap_err();
    assert_eq!((failure.what.as_str(), failure.permanent), ("no secret URL is set for slack:ops (slack-url)", false));
    let failure = post.deliver(&Channel::parse("mailto:ops@example.com").unwrap(), &reported()).await.unwrap_err();
    assert_eq!((failure.what.as_str(), failure.permanent), ("no mail server is set (smtp-host)", false));
}

#[test]
fn a_secret_that_is_not_a_url_is_refused_without_showing_it() {
    for secret in ["hunter2", "", "ftp://example.com/hunter2"] {
        let error = NotificationSender::new(options(secret)).map(drop).unwrap_err();
        assert_eq!(error, SenderError::Slack("ops".to_owned()));
        assert!(!error.to_string().contains("hunter2"), "{error}");
    }
}
