use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use rusqlite::Connection;

use super::{MAX_TRIES, Notification, OUTBOX_SCHEMA, Outbox};
use crate::message::tests::sample;
use crate::undelivered::Undelivered;

fn database() -> Connection {
    let connection = Connection::open_in_memory().unwrap();
    connection.execute_batch(OUTBOX_SCHEMA).unwrap();
    connection
}

fn start() -> Timestamp {
    "2026-03-01T04:00:00Z".parse().unwrap()
}

fn minutes(minutes: i64) -> SignedDuration {
    SignedDuration::from_mins(minutes)
}

fn put(connection: &mut Connection, due: Timestamp, channels: &[&str]) {
    let transaction = connection.transaction().unwrap();
    let channels: Vec<String> = channels.iter().map(|channel| (*channel).to_owned()).collect();
    Outbox::put(&transaction, &sample(due), &channels, start()).unwrap();
    transaction.commit().unwrap();
}

fn only(connection: &Connection, now: Timestamp) -> Notification {
    let mut due = Outbox::due(connection, None, now, 10).unwrap();
    assert_eq!(due.len(), 1);
    due.remove(0)
}

fn counts(connection: &Connection) -> (u64, u64) {
    (Outbox::waiting(connection).unwrap(), Outbox::given_up(connection).unwrap())
}

/// Tries the only notification at this instant.
fn attempt(connection: &Connection, now: Timestamp, result: Result<(), &Undelivered>) {
    let mut notification = only(connection, now);
    assert!(Outbox::begin(connection, &mut notification, now).unwrap());
    Outbox::settle(connection, &notification, result, now).unwrap();
}

#[test]
fn a_message_comes_out_as_it_went_in() {
    let mut connection = database();
    put(&mut connection, start(), &["mailto:ops@example.com", "slack:ops"]);
    let due = Outbox::due(&connection, None, start(), 10).unwrap();
    assert_eq!(due.len(), 2);
    for (notification, channel) in due.iter().zip(["mailto:ops@example.com", "slack:ops"]) {
        assert_eq!((notification.message.clone(), notification.tries), (sample(start()), 0));
        assert_eq!(notification.channel, channel);
    }
    assert_eq!(Outbox::due(&connection, None, start(), 1).unwrap().len(), 1);
    assert_eq!(Outbox::due(&connection, None, start() - minutes(1), 10).unwrap(), []);
    assert_eq!(Outbox::wakes_at(&connection).unwrap(), Some(start()));
}

#[test]
fn putting_twice_keeps_one() {
    let mut connection = database();
    put(&mut connection, start(), &["slack:ops", "slack:ops"]);
    put(&mut connection, start(), &["slack:ops"]);
    assert_eq!(counts(&connection), (1, 0));
    attempt(&connection, start(), Ok(()));
    put(&mut connection, start(), &["slack:ops"]);
    assert_eq!(counts(&connection), (0, 0), "what is delivered is not reported again");
    put(&mut connection, start(), &["slack:dev"]);
    put(&mut connection, start() + minutes(1), &["slack:ops"]);
    assert_eq!(counts(&connection), (2, 0), "another channel, another run");
}

#[test]
fn a_message_that_was_not_committed_is_not_delivered() {
    let mut connection = database();
    let transaction = connection.transaction().unwrap();
    Outbox::put(&transaction, &sample(start()), &["slack:ops".to_owned()], start()).unwrap();
    drop(transaction);
    assert_eq!(counts(&connection), (0, 0));
}

#[test]
fn a_failed_notification_is_tried_again_at_growing_intervals() {
    let mut connection = database();
    put(&mut connection, start(), &["slack:ops"]);
    let (failure, mut now) = (Undelivered::transient("no answer"), start());
    for wait in [1, 5, 15, 60, 60, 60] {
        attempt(&connection, now, Err(&failure));
        assert_eq!(Outbox::wakes_at(&connection).unwrap(), Some(now + minutes(wait)));
        assert_eq!(Outbox::due(&connection, None, now + minutes(wait) - SignedDuration::from_secs(1), 10).unwrap(), []);
        now += minutes(wait);
    }
    attempt(&connection, now, Ok(()));
    assert_eq!(counts(&connection), (0, 0));
    assert_eq!(Outbox::wakes_at(&connection).unwrap(), None);
}

#[test]
fn a_notification_that_fails_for_three_days_is_given_up() {
    let mut connection = database();
    put(&mut connection, start(), &["slack:ops"]);
    let mut tries = 0;
    while let Some(now) = Outbox::wakes_at(&connection).unwrap() {
        attempt(&connection, now, Err(&Undelivered::transient("no answer")));
        assert!(now <= start() + SignedDuration::from_hours(73));
        tries += 1;
    }
    assert!((70..MAX_TRIES).contains(&tries), "{tries}");
    assert_eq!(counts(&connection), (0, 1));
    put(&mut connection, start(), &["slack:ops"]);
    assert_eq!(counts(&connection), (0, 1), "given up stays given up");
}

#[test]
fn a_notification_older_than_three_days_gets_its_try() {
    let mut connection = database();
    put(&mut connection, start(), &["slack:ops"]);
    attempt(&connection, start() + SignedDuration::from_hours(100), Ok(()));
    assert_eq!(counts(&connection), (0, 0));
}

#[test]
fn a_lasting_failure_gives_a_notification_up_at_once() {
    let mut connection = database();
    put(&mut connection, start(), &["slack:ops"]);
    attempt(&connection, start(), Err(&Undelivered::permanent("Slack answered 404")));
    assert_eq!(counts(&connection), (0, 1));
    let error: String = connection.query_row("SELECT error FROM outbox_notification", [], |row| row.get(0)).unwrap();
    assert_eq!(error, "Slack answered 404");
}

#[test]
fn a_receiver_may_request_a_longer_wait_but_not_a_shorter_one() {
    for (requested, wait) in [(10, 60), (600, 600), (u64::MAX, 24 * 3_600)] {
        let mut connection = database();
        put(&mut connection, start(), &["slack:ops"]);
        let failure = Undelivered { after: Some(Duration::from_secs(requested)), ..Undelivered::transient("429") };
        attempt(&connection, start(), Err(&failure));
        assert_eq!(Outbox::wakes_at(&connection).unwrap(), Some(start() + SignedDuration::from_secs(wait)));
    }
}

#[test]
fn a_notification_whose_try_was_killed_is_tried_again() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("outbox.db");
    let mut connection = Connection::open(&path).unwrap();
    connection.execute_batch(OUTBOX_SCHEMA).unwrap();
    put(&mut connection, start(), &["slack:ops"]);
    let mut notification = only(&connection, start());
    assert!(Outbox::begin(&connection, &mut notification, start()).unwrap());
    drop(connection);

    let connection = Connection::open(&path).unwrap();
    assert_eq!(Outbox::due(&connection, None, start(), 10).unwrap(), [], "it may have arrived: not at once");
    let again = only(&connection, start() + minutes(1));
    assert_eq!((again.tries, &again.message.id), (1, &notification.message.id));
    attempt(&connection, start() + minutes(1), Ok(()));
    assert_eq!(counts(&connection), (0, 0));
}

#[test]
fn a_notification_that_crashes_the_process_is_not_tried_forever() {
    let mut connection = database();
    put(&mut connection, start(), &["slack:ops"]);
    let mut tries = 0;
    while let Some(now) = Outbox::wakes_at(&connection).unwrap() {
        let mut notification = only(&connection, now);
        tries += u32::from(Outbox::begin(&connection, &mut notification, now).unwrap());
    }
    assert_eq!((tries, counts(&connection)), (MAX_TRIES, (0, 1)));
}

#[test]
fn two_processes_do_not_deliver_the_same_notification() {
    let mut connection = database();
    put(&mut connection, start(), &["slack:ops"]);
    let (mut one, mut two) = (only(&connection, start()), only(&connection, start()));
    assert!(Outbox::begin(&connection, &mut one, start()).unwrap());
    assert!(!Outbox::begin(&connection, &mut two, start()).unwrap());
    Outbox::settle(&connection, &one, Ok(()), start()).unwrap();
    assert!(!Outbox::begin(&connection, &mut one, start()).unwrap(), "it is delivered");
}

#[test]
fn a_late_failure_does_not_undo_a_delivery() {
    let mut connection = database();
    put(&mut connection, start(), &["slack:ops"]);
    let mut slow = only(&connection, start());
    assert!(Outbox::begin(&connection, &mut slow, start()).unwrap());
    attempt(&connection, start() + minutes(1), Ok(()));
    Outbox::settle(&connection, &slow, Err(&Undelivered::permanent("too late")), start() + minutes(2)).unwrap();
    assert_eq!(counts(&connection), (0, 0));
}

#[test]
fn settled_notifications_are_deleted_in_time() {
    let mut connection = database();
    put(&mut connection, start(), &["slack:ops"]);
    attempt(&connection, start(), Ok(()));
    put(&mut connection, start(), &["slack:dev"]);
    attempt(&connection, start(), Err(&Undelivered::permanent("gone")));
    let rows = |connection: &Connection, table: &str| -> u64 {
        connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
    };
    Outbox::forget_settled(&connection, start()).unwrap();
    assert_eq!(
        (rows(&connection, "outbox_notification"), rows(&connection, "outbox_message")),
        (2, 1),
        "not before that instant"
    );
    let given_up_last = Outbox::given_up_last(&connection, 5).unwrap();
    assert_eq!(
        given_up_last.iter().map(|given_up_last| (&*given_up_last.channel, &*given_up_last.reason)).collect::<Vec<_>>(),
        [("slack:dev", "gone")]
    );
    put(&mut connection, start(), &["slack:new"]);
    Outbox::forget_settled(&connection, start() + minutes(1)).unwrap();
    assert_eq!(
        (rows(&connection, "outbox_notification"), rows(&connection, "outbox_message")),
        (1, 1),
        "its message is still needed"
    );
    attempt(&connection, start(), Ok(()));
    Outbox::forget_settled(&connection, start() + minutes(1)).unwrap();
    assert_eq!((rows(&connection, "outbox_notification"), rows(&connection, "outbox_message")), (0, 0));
}

#[test]
fn without_a_channel_there_is_no_notification() {
    let mut connection = database();
    put(&mut connection, start(), &[]);
    assert_eq!(counts(&connection), (0, 0));
}

#[test]
fn notifications_are_delivered_in_order() {
    let mut connection = database();
    for event in 0..3 {
        put(&mut connection, start() + minutes(event), &["slack:ops", "slack:dev"]);
    }
    let now = start() + minutes(10);
    for event in 0..3 {
        let due = Outbox::due(&connection, None, now, 10).unwrap();
        assert_eq!(
            due.iter().map(|notification| notification.channel.as_str()).collect::<Vec<_>>(),
            ["slack:ops", "slack:dev"]
        );
        for mut notification in due {
            assert_eq!(notification.message.scheduled_for, start() + minutes(event));
            assert!(Outbox::begin(&connection, &mut notification, now).unwrap());
            // A notification that was tried and not delivered does not block those that follow.
            let failure = Undelivered::transient("not now");
            let result = if notification.channel == "slack:dev" { Err(&failure) } else { Ok(()) };
            Outbox::settle(&connection, &notification, result, now).unwrap();
        }
    }
    assert_eq!(Outbox::due(&connection, None, now, 10).unwrap(), []);
    assert_eq!(counts(&connection), (3, 0));
}

#[test]
fn a_notification_that_a_clock_ahead_postponed_is_due_when_the_clock_is_right() {
    let mut connection = database();
    put(&mut connection, start(), &["slack:ops"]);
    let ahead = start() + SignedDuration::from_hours(24 * 3650);
    let mut notification = only(&connection, ahead);
    assert!(Outbox::begin(&connection, &mut notification, ahead).unwrap());
    assert_eq!(Outbox::due(&connection, None, ahead, 10).unwrap(), []);
    assert_eq!(only(&connection, start()).tries, 1);
}

#[test]
fn a_damaged_notification_does_not_block_others() {
    let mut connection = database();
    put(&mut connection, start(), &["mailto:ops@example.com", "slack:ops"]);
    connection.execute("UPDATE outbox_message SET json = '{\"job'", []).unwrap();
    let due = Outbox::due(&connection, None, start(), 10).unwrap();
    let complete = sample(start());
    assert_eq!(due.len(), 2);
    assert!(due.iter().all(|notification| notification.message.json["text"] == complete.text.as_str()));
    connection.execute("UPDATE outbox_message SET text = CAST(x'6869ff' AS TEXT)", []).unwrap();
    let due = Outbox::due(&connection, None, start(), 10).unwrap();
    assert_eq!(
        due.iter().map(|notification| notification.message.text.as_str()).collect::<Vec<_>>(),
        ["hi\u{fffd}"; 2]
    );
}
