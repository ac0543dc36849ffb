//! From the night to the receiver, by the outbox.

use jiff::{SignedDuration, Timestamp};
use mapwright_tell::{Channel, Letter, OUTBOX_SCHEMA, Outbox, Post, PostOptions};
use mapwright_testkit::{Response, Site};
use rusqlite::Connection;

use crate::night::told;

fn start() -> Timestamp {
    "2026-03-01T04:00:00Z".parse().unwrap()
}

fn outbox(channel: &Channel) -> Connection {
    let mut database = Connection::open_in_memory().unwrap();
    database.execute_batch(OUTBOX_SCHEMA).unwrap();
    let transaction = database.transaction().unwrap();
    Outbox::put(&transaction, &told(), &[channel.label()], start()).unwrap();
    transaction.commit().unwrap();
    database
}

/// Begins the one letter that is due.
fn begin(database: &Connection, now: Timestamp) -> Letter {
    let mut letter = Outbox::due(database, None, now, 10).unwrap().remove(0);
    assert!(Outbox::begin(database, &mut letter, now).unwrap());
    letter
}

#[tokio::test]
async fn what_fails_at_first_is_delivered_once() {
    let site = Site::open();
    site.first_n("/hook", 2, Response::new(503)).status("/hook", 200);
    let channel = Channel::parse(&format!("webhook:{}", site.url("/hook"))).unwrap();
    let (database, post) = (outbox(&channel), Post::new(PostOptions::default()).unwrap());
    while let Some(now) = Outbox::wakes_at(&database).unwrap() {
        let letter = begin(&database, now);
        assert_eq!(letter.channel, channel.label());
        let result = post.deliver(&channel, &letter.message).await;
        Outbox::settle(&database, &letter, result.as_ref().copied(), now).unwrap();
    }
    assert_eq!(site.hits("/hook"), 3);
    assert_eq!((Outbox::waiting(&database).unwrap(), Outbox::given_up(&database).unwrap()), (0, 0));
}

#[tokio::test]
async fn what_was_delivered_and_never_settled_comes_again_and_can_be_told() {
    let site = Site::open();
    site.status("/hook", 200);
    let channel = Channel::parse(&format!("webhook:{}", site.url("/hook"))).unwrap();
    let (database, post) = (outbox(&channel), Post::new(PostOptions::default()).unwrap());
    let letter = begin(&database, start());
    post.deliver(&channel, &letter.message).await.unwrap();
    // Here the process is killed; the next one finds the letter after the wait.
    let now = start() + SignedDuration::from_mins(1);
    let letter = begin(&database, now);
    post.deliver(&channel, &letter.message).await.unwrap();
    Outbox::settle(&database, &letter, Ok(()), now).unwrap();
    let keys: Vec<_> =
        site.requests().iter().map(|request| request.header("idempotency-key").map(str::to_owned)).collect();
    assert_eq!(keys, [Some(told().id), Some(told().id)]);
    assert_eq!(Outbox::waiting(&database).unwrap(), 0);
}
