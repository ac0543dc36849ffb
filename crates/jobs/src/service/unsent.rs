//! What search engines are to hear of yet, in the ledger.

use super::ledger::Ledger;
use crate::error::JobError;
use jiff::Timestamp;
use rusqlite::params;
use std::time::Duration;

impl Ledger {
    /// Notes URLs that an endpoint is to hear of until it has taken them: how many of them are new.
    pub(crate) fn add_unsent(&self, job: &str, endpoint: &str, urls: &[String]) -> Result<usize, JobError> {
        self.write(|transaction| {
            let mut insert =
                transaction.prepare("INSERT OR IGNORE INTO unsent (job, endpoint, url) VALUES (?, ?, ?)")?;
            urls.iter().try_fold(0, |new, url| Ok(new + insert.execute([job, endpoint, url])?))
        })
    }

    /// How many URLs an endpoint has not taken yet.
    pub(crate) fn count_unsent(&self, job: &str, endpoint: &str) -> Result<usize, JobError> {
        let count = "SELECT count(*) FROM unsent WHERE job = ? AND endpoint = ?";
        self.read(|connection| connection.query_row(count, [job, endpoint], |row| row.get(0)))
    }

    /// URLs that an endpoint has not taken yet.
    pub(crate) fn unsent(&self, job: &str, endpoint: &str) -> Result<Vec<String>, JobError> {
        self.read(|connection| {
            let mut select =
                connection.prepare("SELECT url FROM unsent WHERE job = ? AND endpoint = ? ORDER BY url")?;
            select.query_map([job, endpoint], |row| row.get(0))?.collect()
        })
    }

    /// Notes what an endpoint has not taken, in place of what was noted before, and until when it is to be left alone.
    pub(crate) fn set_unsent(
        &self,
        job: &str,
        endpoint: &str,
        urls: &[String],
        until: Option<Timestamp>,
    ) -> Result<(), JobError> {
        self.write(|transaction| {
            transaction.execute("DELETE FROM unsent WHERE job = ? AND endpoint = ?", [job, endpoint])?;
            transaction.execute("DELETE FROM rest WHERE job = ? AND endpoint = ?", [job, endpoint])?;
            if let Some(until) = until {
                let insert = "INSERT INTO rest (job, endpoint, until) VALUES (?, ?, ?)";
                transaction.execute(insert, params![job, endpoint, until.as_millisecond()])?;
            }
            let mut insert =
                transaction.prepare("INSERT OR IGNORE INTO unsent (job, endpoint, url) VALUES (?, ?, ?)")?;
            urls.iter().try_for_each(|url| insert.execute([job, endpoint, url]).map(drop))
        })
    }

    /// Whether an endpoint asked to be left alone for longer than until now. What is noted is at most so `long`; by a
    /// clock that was ahead, it lies further off, and counts for nothing.
    pub(crate) fn rests(&self, job: &str, endpoint: &str, now: Timestamp, long: Duration) -> Result<bool, JobError> {
        let latest = now.saturating_add(long).unwrap_or(Timestamp::MAX);
        self.read(|connection| {
            let select = "SELECT count(*) FROM rest WHERE job = ? AND endpoint = ? AND until > ? AND until <= ?";
            let (now, latest) = (now.as_millisecond(), latest.as_millisecond());
            connection.query_row(select, params![job, endpoint, now, latest], |row| row.get(0))
        })
    }

    /// Forgets what waits for other endpoints of a job than these.
    pub(crate) fn keep_endpoints(&self, job: &str, endpoints: &[&str]) -> Result<(), JobError> {
        let endpoints = serde_json::to_string(endpoints).unwrap_or_default();
        self.write(|transaction| {
            for table in ["unsent", "rest"] {
                let others = "WHERE job = ? AND endpoint NOT IN (SELECT value FROM json_each(?))";
                transaction.execute(&format!("DELETE FROM {table} {others}"), [job, &endpoints])?;
            }
            Ok(())
        })
    }
}
