//! The way that a known page is requested, by the settings and by the state kept of it.

use crate::error::StoreError;
use mapwright_model::{FetchMode, Task, UrlId, Validators};
use rusqlite::{Connection, OptionalExtension};
use std::time::Duration;

/// The settings for requesting pages that the record knows.
#[derive(Debug, Clone, Copy, Default)]
pub struct Recrawl {
    /// The policy.
    pub policy: Policy,
    /// A hash of all settings that decide what is read from a page. Pages read under other settings are fetched again.
    pub settings_hash: u64,
    /// The number of runs for which the links of a failing page are still followed.
    pub keep_failing: u32,
}

/// The policy for known pages: which are requested, and how.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Policy {
    /// Requests all pages, unconditionally.
    #[default]
    Full,
    /// Requests all pages, conditionally.
    Conditional,
    /// Requests the pages that are due by their rate of change; every page after this time at the latest.
    Due(Duration),
}

/// The stored state that decides how a page is requested.
struct MemoryRow {
    basis: i64,
    validators: Validators,
    at: i64,
    first: Option<i64>,
    checked: Option<i64>,
    changes: u32,
    failing: u32,
    rendered: bool,
}

impl Recrawl {
    /// Returns what the facts of a page rest on: the settings, and whether its scripts ran. Facts that rest on different
    /// things are not compared.
    pub(crate) fn basis(&self, is_rendered: bool) -> i64 {
        self.settings_hash.wrapping_add(u64::from(is_rendered)).cast_signed()
    }

    /// Decides how the page of a task is requested. `now` is in milliseconds since 1970.
    pub(crate) fn settle(&self, connection: &Connection, task: &mut Task, now: i64) -> Result<(), StoreError> {
        let Some(row) = task.url_id.map(|id| read(connection, id)).transpose()?.flatten() else { return Ok(()) };
        task.remembered = row.failing < self.keep_failing;
        let usable = row.basis == self.basis(row.rendered);
        task.mode = match self.policy {
            _ if !usable => FetchMode::Plain,
            Policy::Full => FetchMode::Plain,
            Policy::Due(max_age) if !task.route.seed && row.is_not_due(max_age, now) => FetchMode::Remembered,
            Policy::Conditional | Policy::Due(_) if row.rendered || row.validators == Validators::default() => {
                FetchMode::Plain
            }
            Policy::Conditional | Policy::Due(_) => FetchMode::Conditional(Box::new(row.validators)),
        };
        Ok(())
    }
}

impl MemoryRow {
    /// Reports whether the page is not due yet. If the last visit is in the future, the clock was set back since and
    /// the age is unknown, so the page is due.
    fn is_not_due(&self, max_age: Duration, now: i64) -> bool {
        self.at <= now && now < self.due(max_age)
    }

    /// The time of the next request: half the mean time between changes after the last visit, at most `max_age`.
    fn due(&self, max_age: Duration) -> i64 {
        let (Some(first), Some(checked)) = (self.first, self.checked) else { return self.at };
        let mean = (checked - first).max(0) / (i64::from(self.changes) + 1);
        let most = i64::try_from(max_age.as_millis()).unwrap_or(i64::MAX);
        self.at.saturating_add((mean / 2).min(most))
    }
}

fn read(connection: &Connection, id: UrlId) -> Result<Option<MemoryRow>, StoreError> {
    let mut select = connection.prepare_cached(
        "SELECT basis, etag, last_modified, at, first, checked, changes, failing, rendered FROM memory WHERE url = ?",
    )?;
    let row = select.query_row([id.0], |row| {
        Ok(MemoryRow {
            basis: row.get(0)?,
            validators: Validators { etag: row.get(1)?, last_modified: row.get(2)? },
            at: row.get(3)?,
            first: row.get(4)?,
            checked: row.get(5)?,
            changes: row.get(6)?,
            failing: row.get(7)?,
            rendered: row.get(8)?,
        })
    });
    Ok(row.optional()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: i64 = 86_400_000;

    /// A page that was first visited on day 0 and last on day 10, without a change.
    fn unchanging() -> MemoryRow {
        let validators = Validators::default();
        MemoryRow {
            basis: 0,
            validators,
            at: 10 * DAY,
            first: Some(0),
            checked: Some(10 * DAY),
            changes: 0,
            failing: 0,
            rendered: false,
        }
    }

    #[test]
    fn a_page_is_due_after_half_the_time_between_its_changes_and_at_the_maximum_age() {
        let (day, month) = (Duration::from_hours(24), Duration::from_hours(24 * 30));
        assert!(unchanging().is_not_due(month, 14 * DAY) && !unchanging().is_not_due(month, 15 * DAY));
        assert!(!unchanging().is_not_due(day, 11 * DAY));
    }

    #[test]
    fn a_page_last_visited_in_the_future_is_requested() {
        assert!(!unchanging().is_not_due(Duration::from_hours(24), 9 * DAY));
    }
}
