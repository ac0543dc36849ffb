//! The way of a notification from the run to the receiver, through the outbox.

use jiff::{SignedDuration, Timestamp};
use mapwright_notify::{Channel, Notification, NotificationSender, OUTBOX_SCHEMA, Outbox, SenderOptions};
use mapwright_testkit::{FakeSite, Response};
use rusqlite::Connection;

use crate::event::reported;

fn start() -> Timestamp {
    "2026-03-01T04:00:00Z".parse().unwrap()
}

fn outbox(channel: &Channel) -> Connection {
    let mut database = Connection::open_in_memory().unwrap();
    database.execute_batch(OUTBOX_SCHEMA).unwrap();
    let transaction = database.transaction().unwrap();
    Outbox::put(&transaction, &reported(), &[channel.label()], start()).unwrap();
    transaction.commit().unwrap();
    database
}

/// Begins the one notification that is due.
fn begin(database: &Connection, now: Timestamp) -> Notification {
    let mut notification = Outbox::due(database, None, now, 10).unwrap().remove(0);
    assert!(Outbox::begin(database, &mut notification, now).unwrap());
    notification
}

#[tokio::test]
async fn a_notification_that_fails_at_first_is_delivered_once() {
    let site = FakeSite::open();
    site.first_n("/hook", 2, Response::new(503)).status("/hook", 200);
    let channel = Channel::parse(&format!("webhook:{}", site.url("/hook"))).unwrap();
    let (database, post) = (outbox(&channel), NotificationSender::new(SenderOptions::default()).unwrap());
    while let Some(now) = Outbox::wakes_at(&database).unwrap() {
        let notification = begin(&database, now);
        assert_eq!(notification.channel, channel.label());
        let result = post.deliver(&channel, &notification.message).await;
        Outbox::settle(&database, &notification, result.as_ref().copied(), now).unwrap();
    }
    assert_eq!(site.hits("/hook"), 3);
    assert_eq!((Outbox::waiting(&database).unwrap(), Outbox::given_up(&database).unwrap()), (0, 0));
}

#[tokio::test]
async fn a_delivery_that_was_never_settled_is_repeated_and_can_be_recognised() {
    let site = FakeSite::open();
    site.status("/hook", 200);
    let channel = Channel::parse(&format!("webhook:{}", site.url("/hook"))).unwrap();
    let (database, post) = (outbox(&channel), NotificationSender::new(SenderOptions::default()).unwrap());
    let notification = begin(&database, start());
    post.deliver(&channel, &notification.message).await.unwrap();
    // The process is killed here; the next one finds the notification after the wait.
    let now = start() + SignedDuration::from_mins(1);
    let notification = begin(&database, now);
    post.deliver(&channel, &notification.message).await.unwrap();
    Outbox::settle(&database, &notification, Ok(()), now).unwrap();
    let keys: Vec<_> =
        site.requests().iter().map(|request| request.header("idempotency-key").map(str::to_owned)).collect();
    assert_eq!(keys, [Some(reported().id), Some(reported().id)]);
    assert_eq!(Outbox::waiting(&database).unwrap(), 0);
}
