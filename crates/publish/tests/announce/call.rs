//! Tests of the HTTP client itself.

use std::time::Duration;

use mapwright_publish::EngineClient;

use crate::stand_in::{AGENT, caller, ping};
use mapwright_testkit::{FakeSite, Response};

#[tokio::test]
async fn every_call_names_us() {
    let site = FakeSite::open();
    site.answer("/ping", Response::new(200));
    ping(&site).await.unwrap();
    assert_eq!(site.requests()[0].header("user-agent"), Some(AGENT));
}

#[test]
fn a_user_agent_on_two_lines_is_refused_in_one() {
    let error = EngineClient::new("mapwright\r\nX: y", Duration::from_secs(1), None).unwrap_err();
    assert!(error.permanent);
    assert!(error.what.contains("user agent") && !error.what.contains('\n'), "{error}");
}

#[tokio::test]
async fn an_address_that_cannot_be_called_is_reported_without_a_panic() {
    let engine = mapwright_publish::IndexNow {
        endpoint: "data:text/plain,engine".parse().unwrap(),
        key: mapwright_publish::generate_key([1; 16]),
        key_location: None,
    };
    let submission = engine.submit(&caller(), &["https://example.com/".to_owned()]).await;
    assert_eq!((submission.accepted, submission.left.len(), submission.refused_urls), (0, 0, 1));
    assert!(submission.refused.unwrap().contains("cannot be called"));
}
