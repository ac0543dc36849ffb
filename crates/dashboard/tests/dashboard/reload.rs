//! Another door while the dashboard runs.

use crate::made::Made;
use crate::safety::{OPERATOR, READER, certificate, trusting, users};
use crate::served::{Asking, PATIENCE, Served, TOKEN};
use mapwright_dashboard::{Door, Role, User};
use mapwright_jobs::service::Live;
use tokio::time::timeout;

const OTHER: &str = "another-token-of-some-length";

fn door() -> Door {
    Door::on("127.0.0.1:0".parse().unwrap())
}

/// The users, with hashes that no others of them have.
fn hashed() -> Vec<User> {
    let mut door = door();
    users(&mut door);
    door.users
}

#[tokio::test]
async fn another_token_takes_the_place_of_the_one_before() {
    let served = Served::closed(Made::bare()).await;
    let with = |token: &str| served.request("GET", "/api/v1/jobs").header("authorization", format!("Bearer {token}"));
    let browser = served.browser(&served.log_in(&format!("token={TOKEN}")).await).await;
    served.keeper.reload(Door { token: Some(OTHER.to_owned()), ..door() }).unwrap();
    with(OTHER).ask().await.is(200);
    with(TOKEN).ask().await.is(401);
    served.visit(&browser, "/").await.is(303);
}

#[tokio::test]
async fn sessions_stay_with_those_who_may_still_come_in() {
    let hashes = hashed();
    let served = Served::with(Made::bare(), |door| door.users = hashes.clone()).await;
    let olga = served.browser(&served.log_in(OPERATOR).await).await;
    let rita = served.browser(&served.log_in(READER).await).await;
    served.keeper.reload(Door { users: hashes.clone(), hosts: vec!["board.example".to_owned()], ..door() }).unwrap();
    served.press(&olga, "/jobs/shop/start").await.is(303);
    served.visit(&rita, "/").await.is(200);
    let mut fewer = hashes.clone();
    fewer.retain(|user| user.name == "olga");
    fewer[0].role = Role::Reader;
    served.keeper.reload(Door { users: fewer, ..door() }).unwrap();
    served.visit(&rita, "/").await.is(303);
    assert!(served.visit(&olga, "/").await.is(200).body.contains("olga (reader)"));
    served.press(&olga, "/jobs/shop/stop").await.is(403);
    // The same password, hashed anew: what was taken before is no longer.
    served.keeper.reload(Door { users: hashed(), ..door() }).unwrap();
    served.visit(&olga, "/").await.is(303);
    served.keeper.reload(Door { users: hashes, ..door() }).unwrap();
    served.visit(&olga, "/").await.is(303);
}

#[tokio::test]
async fn what_only_a_restart_can_change_is_refused_and_named() {
    let served = Served::closed(Made::bare()).await;
    let token = || Some(OTHER.to_owned());
    let moved = Door { listen: "127.0.0.1:1".parse().unwrap(), token: token(), ..door() };
    let folder = tempfile::tempdir().unwrap();
    let tls = (folder.path().join("chain"), folder.path().join("key"));
    certificate(&tls.0, &tls.1);
    for (door, place) in [
        (moved, "flag --listen, 127.0.0.1:1: "),
        (Door { tls: Some(tls), token: token(), ..door() }, "flag --tls-cert: "),
        (Door { token: Some("short".to_owned()), ..door() }, "flag --token-file: "),
        (Door { behind_proxy: Some("https://ops.example".to_owned()), ..door() }, "flag --behind-proxy: "),
    ] {
        let error = served.keeper.reload(door).unwrap_err().to_string();
        assert!(error.starts_with(place) && !error.contains('\n'), "{error}");
    }
    // All goes on as before.
    served.request("GET", "/api/v1/jobs").header("authorization", format!("Bearer {TOKEN}")).ask().await.is(200);
    // The address that was taken is none other than the one that was asked for.
    served.keeper.reload(Door { listen: served.address, token: token(), ..door() }).unwrap();
    served.request("GET", "/api/v1/jobs").header("authorization", format!("Bearer {OTHER}")).ask().await.is(200);
}

#[tokio::test]
async fn another_certificate_is_shown_to_those_who_come_anew() {
    let folder = tempfile::tempdir().unwrap();
    let tls = (folder.path().join("chain.pem"), folder.path().join("key.pem"));
    let first = certificate(&tls.0, &tls.1);
    let door = || Door { tls: Some(tls.clone()), token: Some(TOKEN.to_owned()), ..door() };
    let served = Served::with(Made::bare(), |opened| *opened = door()).await;
    let url = format!("https://localhost:{}/api/v1/jobs", served.address.port());
    let ask = async |client: &reqwest::Client| {
        let answer = client.get(&url).header("authorization", format!("Bearer {TOKEN}")).send().await;
        answer.ok().map(|answer| answer.status().as_u16())
    };
    let before = trusting(first.clone());
    assert_eq!(ask(&before).await, Some(200));
    let second = certificate(&tls.0, &tls.1);
    assert_eq!(ask(&trusting(second.clone())).await, None);
    served.keeper.reload(door()).unwrap();
    assert_eq!(ask(&trusting(second)).await, Some(200));
    assert_eq!(ask(&trusting(first)).await, None);
    assert_eq!(ask(&before).await, Some(200), "its connection stays open");
    std::fs::write(&tls.0, "no certificate").unwrap();
    let error = served.keeper.reload(door()).unwrap_err().to_string();
    assert!(error.starts_with("flag --tls-cert, "), "{error}");
    assert_eq!(ask(&before).await, Some(200));
}

#[tokio::test]
async fn who_may_no_longer_come_in_is_told_nothing_more() {
    let made = Made::bare();
    made.runs(Live::default());
    let served = Served::closed(made).await;
    let live = served.request("GET", "/api/v1/jobs/shop/live").header("authorization", format!("Bearer {TOKEN}"));
    let mut stream = live.send().await.unwrap();
    let mut next = async || timeout(PATIENCE, stream.chunk()).await.expect("something").unwrap();
    assert!(next().await.is_some());
    served
        .keeper
        .reload(Door { token: Some(TOKEN.to_owned()), hosts: vec!["a.example".to_owned()], ..door() })
        .unwrap();
    served.made.runs(Live { done: 2, ..Live::default() });
    let text = String::from_utf8(next().await.unwrap().to_vec()).unwrap();
    assert!(text.contains("\"done\":2,"), "{text}");
    served.keeper.reload(Door { token: Some(OTHER.to_owned()), ..door() }).unwrap();
    while next().await.is_some() {}
}
