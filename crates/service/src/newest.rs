//! The newest run of a job.

use crate::job_run::JobRun;
use crate::job_store::{JobStore, RUN_COLUMNS, job_run};
use mapwright_crawl::CrawlError;
use rusqlite::OptionalExtension;

/// The runs among which [`JobStore::newest_run`] looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Newest {
    /// All runs.
    OfAll,
    /// Runs that began and came to an end: done, refused or failed.
    ThatRan,
    /// Runs that are done, and published if their job publishes.
    ThatSucceeded,
}

impl JobStore {
    /// Returns the newest run of a job among those that are `wanted`.
    ///
    /// # Errors
    /// If the job store cannot be read.
    pub fn newest_run(&self, job: &str, wanted: Newest) -> Result<Option<JobRun>, CrawlError> {
        let states = match wanted {
            Newest::OfAll => "",
            Newest::ThatRan => "AND state IN ('done', 'refused', 'failed')",
            Newest::ThatSucceeded => "AND state = 'done'",
        };
        self.read(|connection| {
            let mut select = connection.prepare_cached(&format!(
                "SELECT {RUN_COLUMNS} FROM job_run WHERE job = ? {states} ORDER BY id DESC LIMIT 1"
            ))?;
            select.query_row([job], job_run).optional()
        })
    }
}
