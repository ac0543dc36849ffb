//! Messages on their way, in the caller's database.
//!
//! A message is put into the outbox in the transaction that records the night, so that neither exists without the
//! other. Who delivers it says so before the attempt ([`Outbox::begin`]) and after it ([`Outbox::settle`]):
//!
//! - A crash before `begin` changes nothing: the letter is still due.
//! - A crash between the two leaves a try that was never settled. Nobody knows whether the receiver got the letter, so
//!   it is tried again after the wait that follows a failed try. A receiver that did get it gets it twice, and can
//!   tell: `Message-ID`, `Idempotency-Key` and `X-Mapwright-Delivery` are the same.
//! - A crash after `settle` changes nothing: it is delivered.

use jiff::Timestamp;
use rusqlite::types::Type;
use rusqlite::{Connection, Row, Transaction, named_params};
use serde_json::json;

use crate::backoff;
use crate::message::Message;
use crate::undelivered::Undelivered;

/// The tables of the outbox. The caller creates them in its own migration.
pub const OUTBOX_SCHEMA: &str = include_str!("../sql/outbox.sql");

/// Tries that a letter gets, at most, however they end: one that brings the process down is not tried for ever.
const MOST_TRIES: u32 = 100;

/// One message to one channel.
#[derive(Clone, Debug, PartialEq)]
pub struct Letter {
    /// Its number in the outbox.
    pub number: i64,
    /// The [label](crate::Channel::label) of its channel.
    pub channel: String,
    /// What it says.
    pub message: Message,
    /// Attempts begun so far.
    pub tries: u32,
}

/// A letter that was given up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lost {
    /// The job that it is about.
    pub job: String,
    /// The [label](crate::Channel::label) of its channel.
    pub channel: String,
    /// Its subject.
    pub subject: String,
    /// Why it could not be delivered.
    pub why: String,
}

/// Messages on their way. Times are handed in; the outbox knows no clock.
#[derive(Debug, Clone, Copy)]
pub struct Outbox;

impl Outbox {
    /// Puts a message in for these channels, once for each: what is there already, delivered or not, stays as it is.
    ///
    /// # Errors
    /// Where the database cannot be written.
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
            "INSERT INTO outbox_message (id, job, due, subject, text, json)
             VALUES (:id, :job, :due, :subject, :text, :json) ON CONFLICT DO NOTHING",
            named_params! {
                ":id": message.id, ":job": message.job, ":due": message.due.as_millisecond(),
                ":subject": message.subject, ":text": message.text, ":json": message.json.to_string(),
            },
        )?;
        let mut insert = transaction.prepare(
            "INSERT INTO outbox_letter (message, channel, put, next) VALUES (?1, ?2, ?3, ?3) ON CONFLICT DO NOTHING",
        )?;
        channels.iter().try_for_each(|channel| {
            insert.execute((&message.id, channel, now.as_millisecond()))?;
            Ok(())
        })
    }

    /// The letters to be tried now, of one job or of all, the longest due first, at most `most`. One for each receiver
    /// of a job: those that follow are due once it was tried, so that what happened first is told first. One that is due
    /// later than any wait could have it was put off by a clock that was ahead, and is due now.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub fn due(
        connection: &Connection,
        job: Option<&str>,
        now: Timestamp,
        most: usize,
    ) -> rusqlite::Result<Vec<Letter>> {
        let mut select = connection.prepare(
            "SELECT number, channel, tries, id, job, due, subject, text, json FROM
             (SELECT *, row_number() OVER (PARTITION BY job, channel ORDER BY next, number) AS nth
              FROM outbox_letter JOIN outbox_message ON id = message
              WHERE state = 'waiting' AND (next <= ?1 OR next > ?4) AND (?2 IS NULL OR job = ?2))
             WHERE nth = 1 ORDER BY next, number LIMIT ?3",
        )?;
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let latest = backoff::latest(now).as_millisecond();
        select.query_map((now.as_millisecond(), job, most, latest), letter)?.collect()
    }

    /// Notes that an attempt begins: to be called right before it. `false` where the letter is not to be tried: it is
    /// settled, another process is at it, or it had 100 tries and is given up.
    ///
    /// # Errors
    /// Where the database cannot be written. The attempt must then not be made.
    pub fn begin(connection: &Connection, letter: &mut Letter, now: Timestamp) -> rusqlite::Result<bool> {
        if letter.tries >= MOST_TRIES {
            let why = format!("given up after {MOST_TRIES} tries");
            let update = "UPDATE outbox_letter SET state = 'given up', settled = ?3, error = coalesce(error, ?4)
                          WHERE number = ?1 AND tries = ?2 AND state = 'waiting'";
            connection.execute(update, (letter.number, letter.tries, now.as_millisecond(), why))?;
            return Ok(false);
        }
        // As if it had failed: should nobody come to settle it, it is due again after the wait for that.
        let tries = letter.tries + 1;
        let next = backoff::next(tries, now);
        let begun = connection.execute(
            "UPDATE outbox_letter SET tries = ?3, tried = ?4, next = ?5
             WHERE number = ?1 AND tries = ?2 AND state = 'waiting'",
            (letter.number, letter.tries, tries, now.as_millisecond(), next.as_millisecond()),
        )?;
        letter.tries = tries;
        Ok(begun == 1)
    }

    /// Notes how an attempt ended: to be called right after it. What was not delivered is tried again after 1, 5, 15
    /// and 60 minutes, then hourly, or when the receiver asked; it is given up after three days, or at once where that
    /// is of no use. Whether it waits to be tried again.
    ///
    /// # Errors
    /// Where the database cannot be written.
    pub fn settle(
        connection: &Connection,
        letter: &Letter,
        result: Result<(), &Undelivered>,
        now: Timestamp,
    ) -> rusqlite::Result<bool> {
        match result {
            Ok(()) => Self::close(connection, letter, "delivered", None, now).map(|()| false),
            Err(failure) => {
                let put = connection.query_row(
                    "SELECT put FROM outbox_letter WHERE number = ?1",
                    [letter.number],
                    |row| instant(row, 0),
                )?;
                match backoff::after(failure, letter.tries, put, now) {
                    Some(next) => Self::postpone(connection, letter, failure, next).map(|()| true),
                    None => Self::close(connection, letter, "given up", Some(&failure.what), now).map(|()| false),
                }
            }
        }
    }

    /// When the next letter is due; `None` where none waits.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub fn wakes_at(connection: &Connection) -> rusqlite::Result<Option<Timestamp>> {
        let select = "SELECT min(next) FROM outbox_letter WHERE state = 'waiting'";
        let next: Option<i64> = connection.query_row(select, [], |row| row.get(0))?;
        next.map(|milliseconds| timestamp(0, milliseconds)).transpose()
    }

    /// Forgets what was delivered or given up before this instant. A message put again after that is told again.
    ///
    /// # Errors
    /// Where the database cannot be written.
    pub fn forget_settled(connection: &Connection, before: Timestamp) -> rusqlite::Result<()> {
        connection.execute(
            "DELETE FROM outbox_letter WHERE state <> 'waiting' AND settled < ?1",
            [before.as_millisecond()],
        )?;
        connection
            .execute("DELETE FROM outbox_message WHERE id NOT IN (SELECT message FROM outbox_letter)", [])
            .map(drop)
    }

    /// The letters of a job that were tried since then and are not delivered: channel, and why.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub fn undelivered(
        connection: &Connection,
        job: &str,
        since: Timestamp,
    ) -> rusqlite::Result<Vec<(String, String)>> {
        let mut select = connection.prepare(
            "SELECT channel, coalesce(error, '') FROM outbox_letter JOIN outbox_message ON id = message
             WHERE state <> 'delivered' AND tried >= ?2 AND job = ?1 ORDER BY number",
        )?;
        select.query_map((job, since.as_millisecond()), |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
    }

    /// The letters that were given up last, newest first, at most `most`.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub fn lost(connection: &Connection, most: usize) -> rusqlite::Result<Vec<Lost>> {
        let mut select = connection.prepare(
            "SELECT job, channel, subject, coalesce(error, '') FROM outbox_letter JOIN outbox_message ON id = message
             WHERE state = 'given up' ORDER BY settled DESC, number DESC LIMIT ?1",
        )?;
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let lost =
            |row: &Row<'_>| Ok(Lost { job: row.get(0)?, channel: row.get(1)?, subject: row.get(2)?, why: row.get(3)? });
        select.query_map([most], lost)?.collect()
    }

    /// How many letters were given up and are not forgotten yet.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub fn given_up(connection: &Connection) -> rusqlite::Result<u64> {
        connection.query_row("SELECT count(*) FROM outbox_letter WHERE state = 'given up'", [], |row| row.get(0))
    }

    /// How many letters wait to be tried.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub fn waiting(connection: &Connection) -> rusqlite::Result<u64> {
        connection.query_row("SELECT count(*) FROM outbox_letter WHERE state = 'waiting'", [], |row| row.get(0))
    }

    fn postpone(
        connection: &Connection,
        letter: &Letter,
        failure: &Undelivered,
        next: Timestamp,
    ) -> rusqlite::Result<()> {
        let update = "UPDATE outbox_letter SET next = ?3, error = ?4
                      WHERE number = ?1 AND tries = ?2 AND state = 'waiting'";
        connection.execute(update, (letter.number, letter.tries, next.as_millisecond(), &failure.what)).map(drop)
    }

    fn close(
        connection: &Connection,
        letter: &Letter,
        state: &str,
        error: Option<&str>,
        now: Timestamp,
    ) -> rusqlite::Result<()> {
        // A delivery counts whoever made it; a failure only where no later try is under way.
        let update = "UPDATE outbox_letter SET state = ?3, settled = ?4, error = ?5
                      WHERE number = ?1 AND state = 'waiting' AND (tries = ?2 OR ?3 = 'delivered')";
        connection.execute(update, (letter.number, letter.tries, state, now.as_millisecond(), error)).map(drop)
    }
}

fn letter(row: &Row<'_>) -> rusqlite::Result<Letter> {
    // Damaged, it holds up no other letter, and says what can be read of it.
    let (id, job, subject, text, json) =
        (words(row, 3)?, words(row, 4)?, words(row, 6)?, words(row, 7)?, words(row, 8)?);
    let json = serde_json::from_str(&json).unwrap_or_else(|_| json!({ "subject": subject, "text": text }));
    Ok(Letter {
        number: row.get(0)?,
        channel: words(row, 1)?,
        tries: row.get(2)?,
        message: Message { id, job, due: instant(row, 5)?, subject, text, json },
    })
}

/// A text, whatever its bytes.
fn words(row: &Row<'_>, column: usize) -> rusqlite::Result<String> {
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
