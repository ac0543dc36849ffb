//! The identity of a job's run: the time it was scheduled for, and the occurrence of that time.

use crate::job_run_state::JobRunState;
use crate::job_store::JobStore;
use jiff::Timestamp;
use mapwright_crawl::CrawlError;
use rusqlite::{OptionalExtension, params};

/// The identity of a run among the runs of its job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct RunKey {
    /// The time it was scheduled for; it may begin later.
    pub scheduled_for: Timestamp,
    /// 0, unless the clock was set back and the same time was due again.
    pub occurrence: u32,
}

impl RunKey {
    /// The first run that is scheduled for a time.
    #[must_use]
    pub const fn first(scheduled_for: Timestamp) -> Self {
        Self { scheduled_for, occurrence: 0 }
    }

    pub(crate) fn milliseconds(self) -> i64 {
        self.scheduled_for.as_millisecond()
    }
}

impl JobStore {
    /// Returns the key of a run that begins, or is resumed (`resumes`), for a time. If a new run finds one of the same
    /// time that has ended, the clock was set back, and the new run is the next occurrence.
    pub(crate) fn key_of(&self, job: &str, scheduled_for: Timestamp, resumes: bool) -> Result<RunKey, CrawlError> {
        let newest: Option<(u32, JobRunState)> = self.read(|connection| {
            let select = "SELECT occurrence, state FROM job_run WHERE job = ? AND scheduled_for = ?
                          ORDER BY occurrence DESC LIMIT 1";
            let row = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?));
            connection.query_row(select, params![job, scheduled_for.as_millisecond()], row).optional()
        })?;
        let Some((newest, state)) = newest else { return Ok(RunKey::first(scheduled_for)) };
        let has_ended = !matches!(state, JobRunState::Running | JobRunState::Unfinished);
        let occurrence = if has_ended && !resumes { newest.saturating_add(1) } else { newest };
        Ok(RunKey { scheduled_for, occurrence })
    }
}
