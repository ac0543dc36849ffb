//! Replacing the access configuration while the dashboard runs.

use crate::made::Made;
use crate::safety::{OPERATOR, READER, certificate, trusting, users};
use crate::served::{PATIENCE, Requests, Served, TOKEN};
use mapwright_dashboard::{AccessConfig, Role, User};
use mapwright_service::Live;
use tokio::time::timeout;

const OTHER: &str = "another-token-of-some-length";

fn access() -> AccessConfig {
    AccessConfig::on("127.0.0.1:0".parse().unwrap())
}

/// The users, with newly salted hashes.
fn hashed() -> Vec<User> {
    let mut access = access();
    users(&mut access);
    access.users
}

#[tokio::test]
async fn another_token_takes_the_place_of_the_one_before() {
    let served = Served::closed(Made::bare()).await;
    let with = |token: &str| served.request("GET", "/api/v1/jobs").header("authorization", format!("Bearer {token}"));
    let browser = served.browser(&served.log_in(&format!("token={TOKEN}")).await).await;
    served.reload_handle.reload(AccessConfig { token: Some(OTHER.to_owned()), ..access() }).unwrap();
    with(OTHER).request().await.is(200);
    with(TOKEN).request().await.is(401);
    served.visit(&browser, "/").await.is(303);
}

#[tokio::test]
async fn sessions_stay_with_those_who_may_still_come_in() {
    let hashes = hashed();
    let served = Served::with(Made::bare(), |access| access.users = hashes.clone()).await;
    let olga = served.browser(&served.log_in(OPERATOR).await).await;
    let rita = served.browser(&served.log_in(READER).await).await;
    served
        .reload_handle
        .reload(AccessConfig { users: hashes.clone(), hosts: vec!["board.example".to_owned()], ..access() })
        .unwrap();
    served.press(&olga, "/jobs/shop/start").await.is(303);
    served.visit(&rita, "/").await.is(200);
    let mut fewer = hashes.clone();
    fewer.retain(|user| user.name == "olga");
    fewer[0].role = Role::Reader;
    served.reload_handle.reload(AccessConfig { users: fewer, ..access() }).unwrap();
    served.visit(&rita, "/").await.is(303);
    assert!(served.visit(&olga, "/").await.is(200).body.contains("olga (reader)"));
    served.press(&olga, "/jobs/shop/stop").await.is(403);
    // The same password with a new hash: the old session is no longer admitted.
    served.reload_handle.reload(AccessConfig { users: hashed(), ..access() }).unwrap();
    served.visit(&olga, "/").await.is(303);
    served.reload_handle.reload(AccessConfig { users: hashes, ..access() }).unwrap();
    served.visit(&olga, "/").await.is(303);
}

#[tokio::test]
async fn changes_that_need_a_restart_are_refused_by_name() {
    let served = Served::closed(Made::bare()).await;
    let token = || Some(OTHER.to_owned());
    let moved = AccessConfig { listen: "127.0.0.1:1".parse().unwrap(), token: token(), ..access() };
    let folder = tempfile::tempdir().unwrap();
    let tls = (folder.path().join("chain"), folder.path().join("key"));
    certificate(&tls.0, &tls.1);
    for (access, place) in [
        (moved, "flag --listen, 127.0.0.1:1: "),
        (AccessConfig { tls: Some(tls), token: token(), ..access() }, "flag --tls-cert: "),
        (AccessConfig { token: Some("short".to_owned()), ..access() }, "flag --token-file: "),
        (AccessConfig { behind_proxy: Some("https://ops.example".to_owned()), ..access() }, "flag --behind-proxy: "),
    ] {
        let error = served.reload_handle.reload(access).unwrap_err().to_string();
        assert!(error.starts_with(place) && !error.contains('\n'), "{error}");
    }
    // The old configuration stays in force.
    served.request("GET", "/api/v1/jobs").header("authorization", format!("Bearer {TOKEN}")).request().await.is(200);
    // The bound address counts as the configured one.
    served.reload_handle.reload(AccessConfig { listen: served.address, token: token(), ..access() }).unwrap();
    served.request("GET", "/api/v1/jobs").header("authorization", format!("Bearer {OTHER}")).request().await.is(200);
}

#[tokio::test]
async fn new_connections_get_the_new_certificate() {
    let folder = tempfile::tempdir().unwrap();
    let tls = (folder.path().join("chain.pem"), folder.path().join("key.pem"));
    let first = certificate(&tls.0, &tls.1);
    let access = || AccessConfig { tls: Some(tls.clone()), token: Some(TOKEN.to_owned()), ..access() };
    let served = Served::with(Made::bare(), |opened| *opened = access()).await;
    let url = format!("https://localhost:{}/api/v1/jobs", served.address.port());
    let request = async |client: &reqwest::Client| {
        let answer = client.get(&url).header("authorization", format!("Bearer {TOKEN}")).send().await;
        answer.ok().map(|answer| answer.status().as_u16())
    };
    let before = trusting(first.clone());
    assert_eq!(request(&before).await, Some(200));
    let second = certificate(&tls.0, &tls.1);
    assert_eq!(request(&trusting(second.clone())).await, None);
    served.reload_handle.reload(access()).unwrap();
    assert_eq!(request(&trusting(second)).await, Some(200));
    assert_eq!(request(&trusting(first)).await, None);
    assert_eq!(request(&before).await, Some(200), "its connection stays open");
    std::fs::write(&tls.0, "no certificate").unwrap();
    let error = served.reload_handle.reload(access()).unwrap_err().to_string();
    assert!(error.starts_with("flag --tls-cert, "), "{error}");
    assert_eq!(request(&before).await, Some(200));
}

#[tokio::test]
async fn event_streams_end_when_their_access_is_revoked() {
    let made = Made::bare();
    made.runs(Live::default());
    let served = Served::closed(made).await;
    let live = served.request("GET", "/api/v1/jobs/shop/live").header("authorization", format!("Bearer {TOKEN}"));
    let mut stream = live.send().await.unwrap();
    let mut next = async || timeout(PATIENCE, stream.chunk()).await.expect("something").unwrap();
    assert!(next().await.is_some());
    served
        .reload_handle
        .reload(AccessConfig { token: Some(TOKEN.to_owned()), hosts: vec!["a.example".to_owned()], ..access() })
        .unwrap();
    served.made.runs(Live { done: 2, ..Live::default() });
    let text = String::from_utf8(next().await.unwrap().to_vec()).unwrap();
    assert!(text.contains("\"done\":2,"), "{text}");
    served.reload_handle.reload(AccessConfig { token: Some(OTHER.to_owned()), ..access() }).unwrap();
    while next().await.is_some() {}
}
