//! The keys of runs that begin.

use crate::job_run_state::JobRunState;
use crate::job_store::JobStore;
use crate::run_key::RunKey;
use jiff::Timestamp;
use mapwright_crawl::CrawlError;
use rusqlite::{OptionalExtension, params};

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
