use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use rusqlite::Connection;

use super::{Letter, MOST_TRIES, OUTBOX_SCHEMA, Outbox};
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

fn only(connection: &Connection, now: Timestamp) -> Letter {
    let mut due = Outbox::due(connection, None, now, 10).unwrap();
    assert_eq!(due.len(), 1);
    due.remove(0)
}

fn counts(connection: &Connection) -> (u64, u64) {
    (Outbox::waiting(connection).unwrap(), Outbox::given_up(connection).unwrap())
}

/// Tries the only letter at this instant.
fn attempt(connection: &Connection, now: Timestamp, result: Result<(), &Undelivered>) {
    let mut letter = only(connection, now);
    assert!(Outbox::begin(connection, &mut letter, now).unwrap());
    Outbox::settle(connection, &letter, result, now).unwrap();
}

#[test]
fn a_message_comes_out_as_it_went_in() {
    let mut connection = database();
    put(&mut connection, start(), &["mailto:ops@example.com", "slack:ops"]);
    let due = Outbox::due(&connection, None, start(), 10).unwrap();
    assert_eq!(due.len(), 2);
    for (letter, channel) in due.iter().zip(["mailto:ops@example.com", "slack:ops"]) {
        assert_eq!((letter.message.clone(), letter.tries), (sample(start()), 0));
        assert_eq!(letter.channel, channel);
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
    assert_eq!(counts(&connection), (0, 0), "what is delivered is not told again");
    put(&mut connection, start(), &["slack:dev"]);
    put(&mut connection, start() + minutes(1), &["slack:ops"]);
    assert_eq!(counts(&connection), (2, 0), "another channel, another night");
}

#[test]
fn a_message_that_was_not_committed_is_not_told() {
    let mut connection = database();
    let transaction = connection.transaction().unwrap();
    Outbox::put(&transaction, &sample(start()), &["slack:ops".to_owned()], start()).unwrap();
    drop(transaction);
    assert_eq!(counts(&connection), (0, 0));
}

#[test]
fn what_fails_is_tried_again_later_and_later() {
    let mut connection = database();
    put(&mut connection, start(), &["slack:ops"]);
    let (failure, mut now) = (Undelivered::passing("no answer"), start());
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
fn what_fails_for_three_days_is_given_up() {
    let mut connection = database();
    put(&mut connection, start(), &["slack:ops"]);
    let mut tries = 0;
    while let Some(now) = Outbox::wakes_at(&connection).unwrap() {
        attempt(&connection, now, Err(&Undelivered::passing("no answer")));
        assert!(now <= start() + SignedDuration::from_hours(73));
        tries += 1;
    }
    assert!((70..MOST_TRIES).contains(&tries), "{tries}");
    assert_eq!(counts(&connection), (0, 1));
    put(&mut connection, start(), &["slack:ops"]);
    assert_eq!(counts(&connection), (0, 1), "given up stays given up");
}

#[test]
fn a_letter_older_than_three_days_gets_its_try() {
    let mut connection = database();
    put(&mut connection, start(), &["slack:ops"]);
    attempt(&connection, start() + SignedDuration::from_hours(100), Ok(()));
    assert_eq!(counts(&connection), (0, 0));
}

#[test]
fn what_will_never_go_is_given_up_at_once() {
    let mut connection = database();
    put(&mut connection, start(), &["slack:ops"]);
    attempt(&connection, start(), Err(&Undelivered::lasting("Slack answered 404")));
    assert_eq!(counts(&connection), (0, 1));
    let error: String = connection.query_row("SELECT error FROM outbox_letter", [], |row| row.get(0)).unwrap();
    assert_eq!(error, "Slack answered 404");
}

#[test]
fn the_receiver_may_ask_for_a_longer_wait_but_not_for_a_shorter_one() {
    for (asked, wait) in [(10, 60), (600, 600), (u64::MAX, 24 * 3_600)] {
        let mut connection = database();
        put(&mut connection, start(), &["slack:ops"]);
        let failure = Undelivered { after: Some(Duration::from_secs(asked)), ..Undelivered::passing("429") };
        attempt(&connection, start(), Err(&failure));
        assert_eq!(Outbox::wakes_at(&connection).unwrap(), Some(start() + SignedDuration::from_secs(wait)));
    }
}

#[test]
fn a_process_killed_in_the_midst_of_a_try_leaves_a_letter_that_is_tried_again() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("outbox.db");
    let mut connection = Connection::open(&path).unwrap();
    connection.execute_batch(OUTBOX_SCHEMA).unwrap();
    put(&mut connection, start(), &["slack:ops"]);
    let mut letter = only(&connection, start());
    assert!(Outbox::begin(&connection, &mut letter, start()).unwrap());
    drop(connection);

    let connection = Connection::open(&path).unwrap();
    assert_eq!(Outbox::due(&connection, None, start(), 10).unwrap(), [], "it may have arrived: not at once");
    let again = only(&connection, start() + minutes(1));
    assert_eq!((again.tries, &again.message.id), (1, &letter.message.id));
    attempt(&connection, start() + minutes(1), Ok(()));
    assert_eq!(counts(&connection), (0, 0));
}

#[test]
fn a_letter_that_brings_the_process_down_is_not_tried_for_ever() {
    let mut connection = database();
    put(&mut connection, start(), &["slack:ops"]);
    let mut tries = 0;
    while let Some(now) = Outbox::wakes_at(&connection).unwrap() {
        let mut letter = only(&connection, now);
        tries += u32::from(Outbox::begin(&connection, &mut letter, now).unwrap());
    }
    assert_eq!((tries, counts(&connection)), (MOST_TRIES, (0, 1)));
}

#[test]
fn two_who_deliver_do_not_deliver_the_same() {
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
    Outbox::settle(&connection, &slow, Err(&Undelivered::lasting("too late")), start() + minutes(2)).unwrap();
    assert_eq!(counts(&connection), (0, 0));
}

#[test]
fn what_is_settled_is_forgotten_in_time() {
    let mut connection = database();
    put(&mut connection, start(), &["slack:ops"]);
    attempt(&connection, start(), Ok(()));
    put(&mut connection, start(), &["slack:dev"]);
    attempt(&connection, start(), Err(&Undelivered::lasting("gone")));
    let rows = |connection: &Connection, table: &str| -> u64 {
        connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
    };
    Outbox::forget_settled(&connection, start()).unwrap();
    assert_eq!(
        (rows(&connection, "outbox_letter"), rows(&connection, "outbox_message")),
        (2, 1),
        "not before that instant"
    );
    let lost = Outbox::lost(&connection, 5).unwrap();
    assert_eq!(lost.iter().map(|lost| (&*lost.channel, &*lost.why)).collect::<Vec<_>>(), [("slack:dev", "gone")]);
    put(&mut connection, start(), &["slack:new"]);
    Outbox::forget_settled(&connection, start() + minutes(1)).unwrap();
    assert_eq!(
        (rows(&connection, "outbox_letter"), rows(&connection, "outbox_message")),
        (1, 1),
        "its message is still needed"
    );
    attempt(&connection, start(), Ok(()));
    Outbox::forget_settled(&connection, start() + minutes(1)).unwrap();
    assert_eq!((rows(&connection, "outbox_letter"), rows(&connection, "outbox_message")), (0, 0));
}

#[test]
fn no_label_is_no_letter() {
    let mut connection = database();
    put(&mut connection, start(), &[]);
    assert_eq!(counts(&connection), (0, 0));
}

#[test]
fn what_happened_first_is_told_first() {
    let mut connection = database();
    for night in 0..3 {
        put(&mut connection, start() + minutes(night), &["slack:ops", "slack:dev"]);
    }
    let now = start() + minutes(10);
    for night in 0..3 {
        let due = Outbox::due(&connection, None, now, 10).unwrap();
        assert_eq!(due.iter().map(|letter| letter.channel.as_str()).collect::<Vec<_>>(), ["slack:ops", "slack:dev"]);
        for mut letter in due {
            assert_eq!(letter.message.due, start() + minutes(night));
            assert!(Outbox::begin(&connection, &mut letter, now).unwrap());
            // One that was tried and not delivered holds up none that follow.
            let failure = Undelivered::passing("not now");
            let result = if letter.channel == "slack:dev" { Err(&failure) } else { Ok(()) };
            Outbox::settle(&connection, &letter, result, now).unwrap();
        }
    }
    assert_eq!(Outbox::due(&connection, None, now, 10).unwrap(), []);
    assert_eq!(counts(&connection), (3, 0));
}

#[test]
fn what_a_clock_ahead_put_off_is_due_when_the_clock_is_right() {
    let mut connection = database();
    put(&mut connection, start(), &["slack:ops"]);
    let ahead = start() + SignedDuration::from_hours(24 * 3650);
    let mut letter = only(&connection, ahead);
    assert!(Outbox::begin(&connection, &mut letter, ahead).unwrap());
    assert_eq!(Outbox::due(&connection, None, ahead, 10).unwrap(), []);
    assert_eq!(only(&connection, start()).tries, 1);
}

#[test]
fn a_letter_that_is_damaged_holds_up_no_other() {
    let mut connection = database();
    put(&mut connection, start(), &["mailto:ops@example.com", "slack:ops"]);
    connection.execute("UPDATE outbox_message SET json = '{\"job'", []).unwrap();
    let due = Outbox::due(&connection, None, start(), 10).unwrap();
    let whole = sample(start());
    assert_eq!(due.len(), 2);
    assert!(due.iter().all(|letter| letter.message.json["text"] == whole.text.as_str()));
    connection.execute("UPDATE outbox_message SET text = CAST(x'6869ff' AS TEXT)", []).unwrap();
    let due = Outbox::due(&connection, None, start(), 10).unwrap();
    assert_eq!(due.iter().map(|letter| letter.message.text.as_str()).collect::<Vec<_>>(), ["hi\u{fffd}"; 2]);
}
