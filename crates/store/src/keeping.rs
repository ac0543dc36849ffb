//! A bad hour is not a bad page: what was listed stays listed for some runs though it fails.

use crate::error::StoreError;
use mapwright_verdict::Reason;
use rusqlite::{Connection, OptionalExtension};

/// Decides which failing pages stay listed, and keeps the account of it.
pub(crate) struct Keeping<'c> {
    connection: &'c Connection,
    run: i64,
    runs: u32,
}

impl<'c> Keeping<'c> {
    /// Keeps pages for `runs` runs of failing in a row.
    pub(crate) fn new(connection: &'c Connection, run: i64, runs: u32) -> Self {
        Self { connection, run, runs }
    }

    /// The reason that stands in the end, and for how many runs the page has been failing where it stays listed all
    /// the same. `bad_hour`: the failure may be one of the hour (5xx, no answer, throttling).
    pub(crate) fn settle(
        &self,
        url: u32,
        reason: Option<Reason>,
        bad_hour: bool,
    ) -> Result<(Option<Reason>, u32), StoreError> {
        let Some(reason) = reason else {
            self.connection
                .prepare_cached(
                    "UPDATE memory SET listed = ?, failing = 0 WHERE url = ? AND (listed IS NULL OR failing > 0)",
                )?
                .execute((self.run, url))?;
            return Ok((None, 0));
        };
        if !bad_hour {
            // It is out for a reason of its own, and no failure brings it back.
            self.connection
                .prepare_cached("UPDATE memory SET listed = NULL, failing = 0 WHERE url = ? AND listed IS NOT NULL")?
                .execute([url])?;
            return Ok((Some(reason), 0));
        }
        let failing = self.failing(url)?;
        Ok(if (1..=self.runs).contains(&failing) { (None, failing) } else { (Some(reason), 0) })
    }

    /// For how many runs a page that was listed has been failing, this one included; 0 for one that was not listed.
    /// A run is counted once, however often it is judged.
    fn failing(&self, url: u32) -> Result<u32, StoreError> {
        self.connection
            .prepare_cached(
                "UPDATE memory SET failing = failing + 1, failed = ?1
                 WHERE url = ?2 AND listed IS NOT NULL AND (failing = 0 OR failed IS NOT ?1)",
            )?
            .execute((self.run, url))?;
        let mut select =
            self.connection.prepare_cached("SELECT failing FROM memory WHERE url = ? AND listed IS NOT NULL")?;
        Ok(select.query_row([url], |row| row.get(0)).optional()?.unwrap_or(0))
    }
}
