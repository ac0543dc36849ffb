//! The outbox: stores notifications in the caller's database until they are delivered.
//!
//! A message is put into the outbox in the transaction that records the run, so that neither exists without the other.
//! The deliverer records each attempt before ([`Outbox::begin`]) and after it ([`Outbox::settle`]):
//!
//! - A crash before `begin` changes nothing: the notification is still due.
//! - A crash between the two leaves a try that was never settled. The receiver may have got the notification or not, so
//!   it is tried again after the wait that follows a failed try. A receiver that gets it twice recognises it, because
//!   `Message-ID`, `Idempotency-Key` and `X-Mapwright-Delivery` are the same.
//! - A crash after `settle` changes nothing: it is delivered.

use jiff::Timestamp;
use rusqlite::types::Type;
use rusqlite::{Connection, Row, Transaction, named_params};
use serde_json::json;

use crate::message::Message;
use crate::redelivery;
use crate::undelivered::Undelivered;

/// The tables of the outbox. The caller creates them in its own migration.
pub const OUTBOX_SCHEMA: &str = include_str!("../sql/outbox.sql");

/// Tries of a notification, at most, whatever their results, so that one that crashes the process is not tried forever.
const MAX_TRIES: u32 = 100;

/// One message to one channel.
#[derive(Clone, Debug, PartialEq)]
pub struct Notification {
    /// Its number in the outbox.
    pub number: i64,
    /// The [label](crate::Channel::label) of its channel.
    pub channel: String,
    /// Its content.
    pub message: Message,
    /// Attempts begun so far.
    pub tries: u32,
}

/// A notification that was given up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeadLetter {
    /// Its job.
    pub job: String,
    /// The [label](crate::Channel::label) of its channel.
    pub channel: String,
    /// Its subject.
    pub subject: String,
    /// The reason why it could not be delivered.
    pub reason: String,
}

/// The outbox. It reads no clock: times are passed in.
#[derive(Debug, Clone, Copy)]
pub struct Outbox;

impl Outbox {
    /// Adds a message for these channels, once for each. Notifications that exist already stay unchanged, delivered or
    /// not.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub fn put(
        transaction: &Transaction<'_>,
        message: &Message,
        channels: &[String],
        now: Timestamp,
    ) -> rusqlite::Result<()> {
        if channels.is_empty() {
            return Ok(());
        }
        transaction.execute(
            "INSERT INTO outbox_message (id, job, scheduled_for, subject, text, json)
             VALUES (:id, :job, :scheduled_for, :subject, :text, :json) ON CONFLICT DO NOTHING",
            named_params! {
                ":id": message.id, ":job": message.job, ":scheduled_for": message.scheduled_for.as_millisecond(),
                ":subject": message.subject, ":text": message.text, ":json": message.json.to_string(),
            },
        )?;
        let mut insert = transaction.prepare(
            "INSERT INTO outbox_notification (message, channel, put, next) VALUES (?1, ?2, ?3, ?3) ON CONFLICT DO NOTHING",
        )?;
        channels.iter().try_for_each(|channel| {
            insert.execute((&message.id, channel, now.as_millisecond()))?;
            Ok(())
        })
    }

    /// Returns the notifications to try now, of one job or of all, the longest due first, at most `most`. Each receiver
    /// of a job has one: its later ones follow after a try of that, so that notifications arrive in order. A due time
    /// that lies further ahead than any wait was set by a clock that was ahead, and counts as due now.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn due(
        connection: &Connection,
        job: Option<&str>,
        now: Timestamp,
        most: usize,
    ) -> rusqlite::Result<Vec<Notification>> {
        let mut select = connection.prepare(
            "SELECT number, channel, tries, id, job, scheduled_for, subject, text, json FROM
             (SELECT *, row_number() OVER (PARTITION BY job, channel ORDER BY next, number) AS nth
              FROM outbox_notification JOIN outbox_message ON id = message
              WHERE state = 'waiting' AND (next <= ?1 OR next > ?4) AND (?2 IS NULL OR job = ?2))
             WHERE nth = 1 ORDER BY next, number LIMIT ?3",
        )?;
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let latest = redelivery::latest(now).as_millisecond();
        select.query_map((now.as_millisecond(), job, most, latest), notification)?.collect()
    }

    /// Records that an attempt begins. Call it right before the attempt. Returns `false` if the notification is not to
    /// be tried: it is settled, another process is trying it, or it had 100 tries and is given up.
    ///
    /// # Errors
    /// If the database cannot be written. Do not make the attempt in that case.
    pub fn begin(connection: &Connection, notification: &mut Notification, now: Timestamp) -> rusqlite::Result<bool> {
        if notification.tries >= MAX_TRIES {
            let reason = format!("not delivered in {MAX_TRIES} tries");
            let update = "UPDATE outbox_notification SET state = 'given up', settled = ?3, error = coalesce(error, ?4)
                          WHERE number = ?1 AND tries = ?2 AND state = 'waiting'";
            connection.execute(update, (notification.number, notification.tries, now.as_millisecond(), reason))?;
            return Ok(false);
        }
        // Records a failure in advance: if the attempt is never settled, the notification is due after the usual wait.
        let tries = notification.tries + 1;
        let next = redelivery::next(tries, now);
        let begun = connection.execute(
            "UPDATE outbox_notification SET tries = ?3, tried = ?4, next = ?5
             WHERE number = ?1 AND tries = ?2 AND state = 'waiting'",
            (notification.number, notification.tries, tries, now.as_millisecond(), next.as_millisecond()),
        )?;
        notification.tries = tries;
        Ok(begun == 1)
    }

    /// Records the result of an attempt. Call it right after the attempt. A failed notification is tried again after 1,
    /// 5, 15 and 60 minutes, then hourly, or when the receiver requested; it is given up after three days, or at once
    /// if the failure is permanent. Returns whether it will be tried again.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub fn settle(
        connection: &Connection,
        notification: &Notification,
        result: Result<(), &Undelivered>,
        now: Timestamp,
    ) -> rusqlite::Result<bool> {
        match result {
            Ok(()) => Self::close(connection, notification, "delivered", None, now).map(|()| false),
            Err(failure) => {
                let put = connection.query_row(
                    "SELECT put FROM outbox_notification WHERE number = ?1",
                    [notification.number],
                    |row| instant(row, 0),
                )?;
                match redelivery::after(failure, notification.tries, put, now) {
                    Some(next) => Self::postpone(connection, notification, failure, next).map(|()| true),
                    None => Self::close(connection, notification, "given up", Some(&failure.what), now).map(|()| false),
                }
            }
        }
    }

    /// Returns the time at which the next notification is due; `None` if none waits.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn wakes_at(connection: &Connection) -> rusqlite::Result<Option<Timestamp>> {
        let select = "SELECT min(next) FROM outbox_notification WHERE state = 'waiting'";
        let next: Option<i64> = connection.query_row(select, [], |row| row.get(0))?;
        next.map(|milliseconds| timestamp(0, milliseconds)).transpose()
    }

    /// Deletes notifications that were delivered or given up before this instant. A message that is put again after
    /// that is delivered again.
    ///
    /// # Errors
    /// If the database cannot be written.
    pub fn forget_settled(connection: &Connection, before: Timestamp) -> rusqlite::Result<()> {
        connection.execute(
            "DELETE FROM outbox_notification WHERE state <> 'waiting' AND settled < ?1",
            [before.as_millisecond()],
        )?;
        connection
            .execute("DELETE FROM outbox_message WHERE id NOT IN (SELECT message FROM outbox_notification)", [])
            .map(drop)
    }

    /// Returns channel and fault of the notifications of a job that were tried since then and are not delivered.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn undelivered(
        connection: &Connection,
        job: &str,
        since: Timestamp,
    ) -> rusqlite::Result<Vec<(String, String)>> {
        let mut select = connection.prepare(
            "SELECT channel, coalesce(error, '') FROM outbox_notification JOIN outbox_message ON id = message
             WHERE state <> 'delivered' AND tried >= ?2 AND job = ?1 ORDER BY number",
        )?;
        select.query_map((job, since.as_millisecond()), |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
    }

    /// Returns the notifications that were given up last, newest first, at most `most`.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn given_up_last(connection: &Connection, most: usize) -> rusqlite::Result<Vec<DeadLetter>> {
        let mut select = connection.prepare(
            "SELECT job, channel, subject, coalesce(error, '') FROM outbox_notification JOIN outbox_message ON id = message
             WHERE state = 'given up' ORDER BY settled DESC, number DESC LIMIT ?1",
        )?;
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let given_up_last = |row: &Row<'_>| {
            Ok(DeadLetter { job: row.get(0)?, channel: row.get(1)?, subject: row.get(2)?, reason: row.get(3)? })
        };
        select.query_map([most], given_up_last)?.collect()
    }

    /// Returns the number of stored notifications that were given up.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn given_up(connection: &Connection) -> rusqlite::Result<u64> {
        connection.query_row("SELECT count(*) FROM outbox_notification WHERE state = 'given up'", [], |row| row.get(0))
    }

    /// Returns the number of notifications that wait to be tried.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub fn waiting(connection: &Connection) -> rusqlite::Result<u64> {
        connection.query_row("SELECT count(*) FROM outbox_notification WHERE state = 'waiting'", [], |row| row.get(0))
    }

    fn postpone(
        connection: &Connection,
        notification: &Notification,
        failure: &Undelivered,
        next: Timestamp,
    ) -> rusqlite::Result<()> {
        let update = "UPDATE outbox_notification SET next = ?3, error = ?4
                      WHERE number = ?1 AND tries = ?2 AND state = 'waiting'";
        connection
            .execute(update, (notification.number, notification.tries, next.as_millisecond(), &failure.what))
            .map(drop)
    }

    fn close(
        connection: &Connection,
        notification: &Notification,
        state: &str,
        error: Option<&str>,
        now: Timestamp,
    ) -> rusqlite::Result<()> {
        // A delivery counts in any case; a failure only if no later try is in progress.
        let update = "UPDATE outbox_notification SET state = ?3, settled = ?4, error = ?5
                      WHERE number = ?1 AND state = 'waiting' AND (tries = ?2 OR ?3 = 'delivered')";
        connection
            .execute(update, (notification.number, notification.tries, state, now.as_millisecond(), error))
            .map(drop)
    }
}

fn notification(row: &Row<'_>) -> rusqlite::Result<Notification> {
    // A damaged notification does not block others, and is delivered with the parts that can be read.
    let (id, job, subject, text, json) =
        (lossy_text(row, 3)?, lossy_text(row, 4)?, lossy_text(row, 6)?, lossy_text(row, 7)?, lossy_text(row, 8)?);
    let json = serde_json::from_str(&json).unwrap_or_else(|_| json!({ "subject": subject, "text": text }));
    Ok(Notification {
        number: row.get(0)?,
        channel: lossy_text(row, 1)?,
        tries: row.get(2)?,
        message: Message { id, job, scheduled_for: instant(row, 5)?, subject, text, json },
    })
}

/// Reads a text with any bytes.
fn lossy_text(row: &Row<'_>, column: usize) -> rusqlite::Result<String> {
    let bytes = row.get_ref(column)?.as_bytes_or_null()?.unwrap_or_default();
    Ok(String::from_utf8_lossy(bytes).into_owned())
}

fn instant(row: &Row<'_>, column: usize) -> rusqlite::Result<Timestamp> {
    timestamp(column, row.get(column)?)
}

fn timestamp(column: usize, milliseconds: i64) -> rusqlite::Result<Timestamp> {
    Timestamp::from_millisecond(milliseconds)
        .map_err(|error| rusqlite::Error::FromSqlConversionFailure(column, Type::Integer, Box::new(error)))
}

#[cfg(test)]
mod tests;
