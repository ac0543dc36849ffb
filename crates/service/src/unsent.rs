//! The waiting submissions to search engines, in the job store.

use crate::job_store::JobStore;
use jiff::Timestamp;
use mapwright_crawl::CrawlError;
use rusqlite::params;
use std::time::Duration;

impl JobStore {
    /// Adds URLs to submit to an endpoint until it has accepted them. Returns how many are new.
    pub(crate) fn add_unsent(&self, job: &str, endpoint: &str, urls: &[String]) -> Result<usize, CrawlError> {
        self.write(|transaction| {
            let mut insert =
                transaction.prepare("INSERT OR IGNORE INTO indexnow_queue (job, endpoint, url) VALUES (?, ?, ?)")?;
            urls.iter().try_fold(0, |new, url| Ok(new + insert.execute([job, endpoint, url])?))
        })
    }

    /// Returns the number of URLs that an endpoint has not accepted yet.
    pub(crate) fn count_unsent(&self, job: &str, endpoint: &str) -> Result<usize, CrawlError> {
        let count = "SELECT count(*) FROM indexnow_queue WHERE job = ? AND endpoint = ?";
        self.read(|connection| connection.query_row(count, [job, endpoint], |row| row.get(0)))
    }

    /// Returns the URLs that an endpoint has not accepted yet.
    pub(crate) fn unsent(&self, job: &str, endpoint: &str) -> Result<Vec<String>, CrawlError> {
        self.read(|connection| {
            let mut select =
                connection.prepare("SELECT url FROM indexnow_queue WHERE job = ? AND endpoint = ? ORDER BY url")?;
            select.query_map([job, endpoint], |row| row.get(0))?.collect()
        })
    }

    /// Replaces the URLs that an endpoint has not accepted, and the time `until` which it is not called.
    pub(crate) fn set_unsent(
        &self,
        job: &str,
        endpoint: &str,
        urls: &[String],
        until: Option<Timestamp>,
    ) -> Result<(), CrawlError> {
        self.write(|transaction| {
            transaction.execute("DELETE FROM indexnow_queue WHERE job = ? AND endpoint = ?", [job, endpoint])?;
            transaction.execute("DELETE FROM indexnow_pause WHERE job = ? AND endpoint = ?", [job, endpoint])?;
            if let Some(until) = until {
                let insert = "INSERT INTO indexnow_pause (job, endpoint, until) VALUES (?, ?, ?)";
                transaction.execute(insert, params![job, endpoint, until.as_millisecond()])?;
            }
            let mut insert =
                transaction.prepare("INSERT OR IGNORE INTO indexnow_queue (job, endpoint, url) VALUES (?, ?, ?)")?;
            urls.iter().try_for_each(|url| insert.execute([job, endpoint, url]).map(drop))
        })
    }

    /// Returns whether an endpoint is not to be called yet. A stored time that lies further ahead than `long`, the
    /// longest wait, was stored by a clock that was ahead, and is ignored.
    pub(crate) fn rests(&self, job: &str, endpoint: &str, now: Timestamp, long: Duration) -> Result<bool, CrawlError> {
        let latest = now.saturating_add(long).unwrap_or(Timestamp::MAX);
        self.read(|connection| {
            let select =
                "SELECT count(*) FROM indexnow_pause WHERE job = ? AND endpoint = ? AND until > ? AND until <= ?";
            let (now, latest) = (now.as_millisecond(), latest.as_millisecond());
            connection.query_row(select, params![job, endpoint, now, latest], |row| row.get(0))
        })
    }

    /// Deletes the entries of all endpoints of a job but these.
    pub(crate) fn keep_endpoints(&self, job: &str, endpoints: &[&str]) -> Result<(), CrawlError> {
        let endpoints = serde_json::to_string(endpoints).unwrap_or_default();
        self.write(|transaction| {
            for table in ["indexnow_queue", "indexnow_pause"] {
                let others = "WHERE job = ? AND endpoint NOT IN (SELECT value FROM json_each(?))";
                transaction.execute(&format!("DELETE FROM {table} {others}"), [job, &endpoints])?;
            }
            Ok(())
        })
    }
}
