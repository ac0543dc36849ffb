//! The retention of runs in a record, and the release of space when runs are removed.

use crate::error::StoreError;
use crate::record::{Record, now};
use rusqlite::Connection;
use std::time::Duration;

/// The retention of runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retention {
    /// The most runs that are kept.
    pub runs: u32,
    /// The greatest age of a run that is kept.
    pub age: Option<Duration>,
}

/// The number of runs kept at any age, since a comparison needs two.
const ALWAYS: u32 = 2;

impl Record {
    /// Removes the runs that `retention` does not keep, and the data that only they refer to. The state of pages stays,
    /// and so does the run whose sitemap is published, with which the next one is compared. Returns the number of
    /// removed runs.
    ///
    /// # Errors
    /// When the record cannot be written.
    pub fn prune(&mut self, retention: &Retention) -> Result<usize, StoreError> {
        let runs = self.beyond(retention)?;
        if runs.is_empty() {
            return Ok(0);
        }
        let transaction = self.connection.transaction()?;
        for run in &runs {
            for table in ["visit", "rendering", "found", "verdict", "entry", "fault", "queue"] {
                transaction.execute(&format!("DELETE FROM {table} WHERE run = ?"), [run])?;
            }
            transaction.execute("DELETE FROM run WHERE id = ?", [run])?;
        }
        sweep(&transaction)?;
        transaction.commit()?;
        self.give_back()?;
        Ok(runs.len())
    }

    /// Releases freed pages to the file system. Each row that the pragma returns is one page.
    fn give_back(&self) -> Result<(), StoreError> {
        let mut vacuum = self.connection.prepare("PRAGMA incremental_vacuum")?;
        let mut pages = vacuum.query([])?;
        while pages.next()?.is_some() {}
        drop(pages);
        self.connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE);")?;
        Ok(())
    }

    fn beyond(&self, retention: &Retention) -> Result<Vec<i64>, StoreError> {
        let oldest = retention
            .age
            .map_or(i64::MIN, |age| now().saturating_sub(i64::try_from(age.as_millis()).unwrap_or(i64::MAX)));
        let mut select = self.connection.prepare(
            "SELECT id FROM (SELECT id, started, row_number() OVER (ORDER BY id DESC) AS age FROM run)
             WHERE (age > ?1 OR (age > ?2 AND started < ?3))
                 AND id IS NOT (SELECT max(id) FROM run WHERE published) ORDER BY id",
        )?;
        let runs = select
            .query_map((retention.runs.max(ALWAYS), ALWAYS, oldest), |row| row.get(0))?
            .collect::<Result<_, _>>()?;
        Ok(runs)
    }
}

/// Removes versions that no visit and no state of a page refers to, the sets of links that only these had, and findings
/// that were last present before the kept runs and before the audit that the next one is compared with.
fn sweep(connection: &Connection) -> Result<(), StoreError> {
    connection.execute_batch(
        "CREATE TEMP TABLE kept (id INTEGER PRIMARY KEY);
         INSERT OR IGNORE INTO kept SELECT version FROM visit WHERE version IS NOT NULL;
         INSERT OR IGNORE INTO kept SELECT version FROM memory WHERE version IS NOT NULL;
         INSERT OR IGNORE INTO kept SELECT content FROM memory WHERE content IS NOT NULL;
         DELETE FROM version WHERE id NOT IN (SELECT id FROM kept);
         DELETE FROM block_text WHERE version NOT IN (SELECT id FROM kept);
         DELETE FROM kept;
         INSERT OR IGNORE INTO kept SELECT s.value FROM version x, json_each(x.sets) s;
         DELETE FROM link_set WHERE id NOT IN (SELECT id FROM kept);
         DROP TABLE kept;
         DELETE FROM finding WHERE last < min(
             (SELECT min(id) FROM run),
             (SELECT coalesce(max(run), 9223372036854775807) FROM audit
              WHERE complete = 1 AND run < (SELECT max(id) FROM run)));",
    )?;
    Ok(())
}
