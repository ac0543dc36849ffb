//! Secrets are neither printed nor stored, whatever happens.

use std::collections::BTreeMap;
use std::time::Duration;

use jiff::Timestamp;
use mapwright_notify::{Channel, NotificationSender, OUTBOX_SCHEMA, Outbox, Secret, SenderOptions, Smtp};
use mapwright_settings::SmtpTls;
use mapwright_testkit::{FakeSite, ReceivedRequest, Response, ServerAction};
use rusqlite::Connection;

use crate::event::reported;

const SECRETS: [&str; 4] = ["passw0rd", "s1gning", "T0K3N", "pr0xy"];

fn assert_clean(text: &str) {
    for secret in SECRETS {
        assert!(!text.contains(secret), "{secret} is in {text}");
    }
}

fn options(site: &FakeSite) -> SenderOptions {
    SenderOptions {
        smtp: Some(Smtp {
            host: "127.0.0.1".to_owned(),
            port: site.port(),
            tls: SmtpTls::None,
            user: Some("ops".to_owned()),
            password: Some(Secret::new("passw0rd")),
            from: "maps@example.com".to_owned(),
            ca: None,
        }),
        webhook_secret: Some(Secret::new("s1gning")),
        slack: BTreeMap::from([("ops".to_owned(), Secret::new(site.url("/T0K3N")))]),
        timeout: Duration::from_secs(1),
        ..SenderOptions::default()
    }
}

fn channels(site: &FakeSite) -> Vec<Channel> {
    let webhook = format!("webhook:{}", site.url("/hook/T0K3N?key=T0K3N"));
    ["mailto:ops@example.com", "slack:ops", &webhook].map(|text| Channel::parse(text).unwrap()).to_vec()
}

/// Answers with the complete request.
fn echo(request: &ReceivedRequest) -> ServerAction {
    let reported = format!("{} {:?} {}", request.target, request.headers, String::from_utf8_lossy(&request.body));
    Response::text(reported).status(403).into()
}

#[test]
fn nothing_that_holds_a_secret_prints_it() {
    let site = FakeSite::open();
    let options = SenderOptions { proxy: Some(Secret::new("http://u:pr0xy@127.0.0.1:1")), ..options(&site) };
    assert_clean(&format!("{options:?}"));
    assert_clean(&format!("{:?} {:?}", NotificationSender::new(options).unwrap(), channels(&site)));
    let options = SenderOptions { proxy: Some(Secret::new("pr0xy://u:pr0xy@[")), ..SenderOptions::default() };
    let error = NotificationSender::new(options).unwrap_err();
    assert_clean(&format!("{error} {error:?}"));
}

#[tokio::test]
async fn neither_failures_nor_the_outbox_contain_a_secret() {
    let site = FakeSite::open();
    let mut database = Connection::open_in_memory().unwrap();
    database.execute_batch(OUTBOX_SCHEMA).unwrap();
    let channels = channels(&site);
    let transaction = database.transaction().unwrap();
    let labels: Vec<String> = channels.iter().map(Channel::label).collect();
    Outbox::put(&transaction, &reported(), &labels, Timestamp::now()).unwrap();
    transaction.commit().unwrap();
    let post = NotificationSender::new(options(&site)).unwrap();
    let mut failures = 0;
    for answer in ["echo", "reset", "redirect", "down"] {
        match answer {
            "echo" => drop(site.handler("/*", echo)),
            "reset" => drop(site.reset("/*")),
            _ => drop(site.redirect("/*", "/T0K3N", 302)),
        }
        for mut notification in Outbox::due(&database, None, Timestamp::MAX, 10).unwrap() {
            let channel = channels.iter().find(|channel| channel.label() == notification.channel).unwrap();
            assert!(Outbox::begin(&database, &mut notification, Timestamp::now()).unwrap());
            let failure = post.deliver(channel, &notification.message).await.unwrap_err();
            assert_clean(&format!("{failure} {failure:?} {notification:?}"));
            // Marks the failure as one that may pass, so that every failure is stored once.
            let passing = mapwright_notify::Undelivered { permanent: false, ..failure };
            Outbox::settle(&database, &notification, Err(&passing), Timestamp::now()).unwrap();
            failures += 1;
        }
        assert_clean(&everything(&database));
    }
    assert_eq!(failures, 12);
}

/// Returns the complete content of the database as text.
fn everything(database: &Connection) -> String {
    let dump = "SELECT id || job || subject || text || json FROM outbox_message
                UNION ALL SELECT message || channel || coalesce(error, '') FROM outbox_notification";
    let mut select = database.prepare(dump).unwrap();
    let rows = select.query_map([], |row| row.get::<_, String>(0)).unwrap();
    rows.collect::<Result<Vec<_>, _>>().unwrap().join("\n")
}
