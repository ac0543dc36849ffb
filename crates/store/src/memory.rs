//! What is remembered of a page from run to run, and how a page is asked for because of it.

use crate::commit::Batch;
use crate::error::StoreError;
use mapwright_engine::{Carried, Outcome, Visit};
use mapwright_frontier::{Mode, Purpose, Task, UrlId, Validators};
use rusqlite::{Connection, OptionalExtension, named_params};
use std::time::Duration;

/// How a run asks for pages that the record knows.
#[derive(Debug, Clone, Copy, Default)]
pub struct Recrawl {
    /// The policy.
    pub policy: Policy,
    /// Stands for all settings that decide what is read from a page: what was read under others is not built upon.
    pub basis: u64,
    /// For so many runs a page that fails still leads where it led.
    pub keep_failing: u32,
}

/// Which of the known pages are asked for, and how.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Policy {
    /// All, without conditions.
    #[default]
    Full,
    /// All, on condition that they changed.
    Conditional,
    /// Those that are due by the rate at which they were seen to change; none is left alone for longer than this.
    Due(Duration),
}

/// A row of what is remembered, as far as it decides how the page is asked for.
struct Row {
    basis: i64,
    validators: Validators,
    at: i64,
    first: Option<i64>,
    checked: Option<i64>,
    changes: u32,
    failing: u32,
}

impl Recrawl {
    /// Settles how a task of a page is carried out. `now` in milliseconds since 1970.
    pub(crate) fn settle(&self, connection: &Connection, task: &mut Task, now: i64) -> Result<(), StoreError> {
        let Some(row) = task.id.map(|id| read(connection, id)).transpose()?.flatten() else { return Ok(()) };
        task.remembered = row.failing < self.keep_failing;
        let usable = row.basis == self.basis.cast_signed();
        task.mode = match self.policy {
            _ if !usable => Mode::Plain,
            Policy::Full => Mode::Plain,
            Policy::Due(max_age) if !task.seed && row.rests(max_age, now) => Mode::Remembered,
            Policy::Conditional | Policy::Due(_) if row.validators == Validators::default() => Mode::Plain,
            Policy::Conditional | Policy::Due(_) => Mode::Conditional(Box::new(row.validators)),
        };
        Ok(())
    }
}

impl Row {
    /// Whether the page need not be asked for yet. A visit that lies in the future was dated by a clock that has been
    /// set back since: how long it is ago is not known.
    fn rests(&self, max_age: Duration, now: i64) -> bool {
        self.at <= now && now < self.due(max_age)
    }

    /// When the page is to be asked for again: after half of the mean time between the changes that were seen.
    fn due(&self, max_age: Duration) -> i64 {
        let (Some(first), Some(checked)) = (self.first, self.checked) else { return self.at };
        let mean = (checked - first).max(0) / (i64::from(self.changes) + 1);
        let most = i64::try_from(max_age.as_millis()).unwrap_or(i64::MAX);
        self.at.saturating_add((mean / 2).min(most))
    }
}

fn read(connection: &Connection, id: UrlId) -> Result<Option<Row>, StoreError> {
    let mut select = connection.prepare_cached(
        "SELECT basis, etag, last_modified, at, first, checked, changes, failing FROM memory WHERE url = ?",
    )?;
    let row = select.query_row([id.0], |row| {
        Ok(Row {
            basis: row.get(0)?,
            validators: Validators { etag: row.get(1)?, last_modified: row.get(2)? },
            at: row.get(3)?,
            first: row.get(4)?,
            checked: row.get(5)?,
            changes: row.get(6)?,
            failing: row.get(7)?,
        })
    });
    Ok(row.optional()?)
}

/// Remembers the visit of a page that was just recorded as row `seq` of the run, if there is something to remember.
pub(crate) fn note(batch: &Batch<'_>, visit: &Visit, url: UrlId, seq: u64) -> Result<(), StoreError> {
    if visit.task.purpose != Purpose::Page || visit.to_be_tried_again {
        return Ok(());
    }
    match visit.carried {
        Some(Carried::Unasked) => Ok(()),
        Some(Carried::Vouched) => vouched(batch, visit, url),
        None if matches!(visit.outcome, Outcome::Page | Outcome::File) => seen(batch, seq),
        None if visit.outcome == Outcome::Refused => Ok(()),
        None => doubted(batch, url),
    }
}

/// A 304 renews the validators that it carries (RFC 9111 section 4.3.4).
fn vouched(batch: &Batch<'_>, visit: &Visit, url: UrlId) -> Result<(), StoreError> {
    batch
        .transaction
        .prepare_cached(
            "UPDATE memory SET at = ?, etag = coalesce(?, etag), last_modified = coalesce(?, last_modified)
             WHERE url = ?",
        )?
        .execute((visit.at.as_millisecond(), &visit.seal.etag, &visit.seal.last_modified, url.0))?;
    Ok(())
}

/// An answer that was not fine. The one before it may come back; without being asked for, it no longer stands.
fn doubted(batch: &Batch<'_>, url: UrlId) -> Result<(), StoreError> {
    batch.transaction.prepare_cached("UPDATE memory SET at = 0 WHERE url = ?")?.execute([url.0])?;
    Ok(())
}

/// An answer that was fine: what it said is what the next 304 vouches for.
fn seen(batch: &Batch<'_>, seq: u64) -> Result<(), StoreError> {
    batch
        .transaction
        .prepare_cached(
            "INSERT INTO memory (url, basis, at, outcome, status, body_bytes, media, media_kind, sniffed, etag,
                                 last_modified, target, canonical, canonical_fault, noindex, nofollow, version)
             SELECT url, :basis, at, outcome, status, body_bytes, media, media_kind, sniffed, etag, last_modified,
                    target, canonical, canonical_fault, noindex, nofollow, version
             FROM visit WHERE run = :run AND seq = :seq
             ON CONFLICT (url) DO UPDATE SET
                basis = excluded.basis, at = excluded.at, outcome = excluded.outcome, status = excluded.status,
                body_bytes = excluded.body_bytes, media = excluded.media, media_kind = excluded.media_kind,
                sniffed = excluded.sniffed, etag = excluded.etag, last_modified = excluded.last_modified,
                target = excluded.target, canonical = excluded.canonical,
                canonical_fault = excluded.canonical_fault, noindex = excluded.noindex,
                nofollow = excluded.nofollow, version = excluded.version",
        )?
        .execute(named_params! {
            ":basis": batch.ledger.recrawl.basis.cast_signed(),
            ":run": batch.ledger.run,
            ":seq": seq,
        })?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: i64 = 86_400_000;

    /// A page first seen on day 0, and on day 10 the last time, without a change.
    fn unchanging() -> Row {
        let validators = Validators::default();
        Row { basis: 0, validators, at: 10 * DAY, first: Some(0), checked: Some(10 * DAY), changes: 0, failing: 0 }
    }

    #[test]
    fn a_page_rests_for_half_the_time_between_its_changes_at_most_so_long() {
        let (day, month) = (Duration::from_hours(24), Duration::from_hours(24 * 30));
        assert!(unchanging().rests(month, 14 * DAY) && !unchanging().rests(month, 15 * DAY));
        assert!(!unchanging().rests(day, 11 * DAY));
    }

    #[test]
    fn a_page_last_seen_in_the_future_is_asked_for() {
        assert!(!unchanging().rests(Duration::from_hours(24), 9 * DAY));
    }
}
