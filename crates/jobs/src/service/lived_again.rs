//! Nights that come again, since the clock was set back.

use super::job_run_state::JobRunState;
use super::ledger::Ledger;
use crate::error::JobError;
use jiff::Timestamp;
use rusqlite::{OptionalExtension, params};

/// Milliseconds after the due instant that stand for the same night, lived again.
const NAMESAKES: i64 = 999;

impl Ledger {
    /// The instant by which a night that is due then is known. Where it begins (not `goes_on`) and one of that name has
    /// ended, it is lived again, since the clock was set back: it is another, known by the next millisecond.
    pub(crate) fn name_of(&self, job: &str, due: Timestamp, goes_on: bool) -> Result<Timestamp, JobError> {
        let (first, last) = (due.as_millisecond(), due.as_millisecond().saturating_add(NAMESAKES));
        let newest: Option<(i64, JobRunState)> = self.read(|connection| {
            let select = "SELECT due, state FROM night WHERE job = ? AND due BETWEEN ? AND ? ORDER BY due DESC LIMIT 1";
            connection.query_row(select, params![job, first, last], |row| Ok((row.get(0)?, row.get(1)?))).optional()
        })?;
        let Some((newest, state)) = newest else { return Ok(due) };
        let has_ended = !matches!(state, JobRunState::Running | JobRunState::Unfinished);
        let name = if has_ended && !goes_on { newest.saturating_add(1) } else { newest };
        Ok(Timestamp::from_millisecond(name).unwrap_or(due))
    }
}
