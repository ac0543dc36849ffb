//! Secrets are neither printed nor stored, whatever happens.

use std::collections::BTreeMap;
use std::time::Duration;

use jiff::Timestamp;
use mapwright_tell::{Channel, OUTBOX_SCHEMA, Outbox, Post, PostOptions, Secret, Smtp, Tls};
use mapwright_testkit::{Answer, Request, Response, Site};
use rusqlite::Connection;

use crate::night::told;

const SECRETS: [&str; 4] = ["passw0rd", "s1gning", "T0K3N", "pr0xy"];

fn assert_clean(text: &str) {
    for secret in SECRETS {
        assert!(!text.contains(secret), "{secret} is in {text}");
    }
}

fn options(site: &Site) -> PostOptions {
    PostOptions {
        smtp: Some(Smtp {
            host: "127.0.0.1".to_owned(),
            port: site.port(),
            tls: Tls::None,
            user: Some("ops".to_owned()),
            password: Some(Secret::new("passw0rd")),
            from: "maps@example.com".to_owned(),
            ca: None,
        }),
        webhook_secret: Some(Secret::new("s1gning")),
        slack: BTreeMap::from([("ops".to_owned(), Secret::new(site.url("/T0K3N")))]),
        timeout: Duration::from_secs(1),
        ..PostOptions::default()
    }
}

fn channels(site: &Site) -> Vec<Channel> {
    let webhook = format!("webhook:{}", site.url("/hook/T0K3N?key=T0K3N"));
    ["mailto:ops@example.com", "slack:ops", &webhook].map(|text| Channel::parse(text).unwrap()).to_vec()
}

/// Answers with everything that was sent.
fn echo(request: &Request) -> Answer {
    let told = format!("{} {:?} {}", request.target, request.headers, String::from_utf8_lossy(&request.body));
    Response::text(told).status(403).into()
}

#[test]
fn nothing_that_holds_a_secret_prints_it() {
    let site = Site::open();
    let options = PostOptions { proxy: Some(Secret::new("http://u:pr0xy@127.0.0.1:1")), ..options(&site) };
    assert_clean(&format!("{options:?}"));
    assert_clean(&format!("{:?} {:?}", Post::new(options).unwrap(), channels(&site)));
    let options = PostOptions { proxy: Some(Secret::new("pr0xy://u:pr0xy@[")), ..PostOptions::default() };
    let error = Post::new(options).unwrap_err();
    assert_clean(&format!("{error} {error:?}"));
}

#[tokio::test]
async fn no_failure_tells_a_secret_nor_does_the_outbox() {
    let site = Site::open();
    let mut database = Connection::open_in_memory().unwrap();
    database.execute_batch(OUTBOX_SCHEMA).unwrap();
    let channels = channels(&site);
    let transaction = database.transaction().unwrap();
    let labels: Vec<String> = channels.iter().map(Channel::label).collect();
    Outbox::put(&transaction, &told(), &labels, Timestamp::now()).unwrap();
    transaction.commit().unwrap();
    let post = Post::new(options(&site)).unwrap();
    let mut failures = 0;
    for answer in ["echo", "reset", "redirect", "down"] {
        match answer {
            "echo" => drop(site.handler("/*", echo)),
            "reset" => drop(site.reset("/*")),
            _ => drop(site.redirect("/*", "/T0K3N", 302)),
        }
        for mut letter in Outbox::due(&database, None, Timestamp::MAX, 10).unwrap() {
            let channel = channels.iter().find(|channel| channel.label() == letter.channel).unwrap();
            assert!(Outbox::begin(&database, &mut letter, Timestamp::now()).unwrap());
            let failure = post.deliver(channel, &letter.message).await.unwrap_err();
            assert_clean(&format!("{failure} {failure:?} {letter:?}"));
            // As if it might pass, so that every failure is stored once.
            let passing = mapwright_tell::Undelivered { lasting: false, ..failure };
            Outbox::settle(&database, &letter, Err(&passing), Timestamp::now()).unwrap();
            failures += 1;
        }
        assert_clean(&everything(&database));
    }
    assert_eq!(failures, 12);
}

/// All that the database holds, as text.
fn everything(database: &Connection) -> String {
    let dump = "SELECT id || job || subject || text || json FROM outbox_message
                UNION ALL SELECT message || channel || coalesce(error, '') FROM outbox_letter";
    let mut select = database.prepare(dump).unwrap();
    let rows = select.query_map([], |row| row.get::<_, String>(0)).unwrap();
    rows.collect::<Result<Vec<_>, _>>().unwrap().join("\n")
}
