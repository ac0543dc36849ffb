//! The state of a run.

use rusqlite::ToSql;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, ValueRef};
use serde::Serialize;
use std::fmt;

/// The state of a run, or the way it ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RunState {
    /// It is running.
    #[default]
    Running,
    /// It was complete: everything requested was fetched.
    Complete,
    /// It was interrupted, and can be resumed.
    Cut,
    /// Nothing could be crawled.
    Failed,
    /// It was interrupted, and a new run was begun instead.
    Dropped,
}

impl RunState {
    const ALL: [Self; 5] = [Self::Running, Self::Complete, Self::Cut, Self::Failed, Self::Dropped];

    /// The name of the state in the record and in reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Complete => "complete",
            Self::Cut => "cut",
            Self::Failed => "failed",
            Self::Dropped => "dropped",
        }
    }

    /// The actual state for a stored one; `at_work`: a process holds the lock of the record. A process that was killed
    /// could not store that its run was interrupted.
    pub(crate) fn seen(self, at_work: bool) -> Self {
        if self == Self::Running && !at_work { Self::Cut } else { self }
    }
}

impl fmt::Display for RunState {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}

impl FromSql for RunState {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let word = value.as_str()?;
        Self::ALL.into_iter().find(|state| state.as_str() == word).ok_or(FromSqlError::InvalidType)
    }
}

impl ToSql for RunState {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        self.as_str().to_sql()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_without_a_process_was_cut() {
        assert_eq!(RunState::Running.seen(true), RunState::Running);
        assert_eq!(RunState::Running.seen(false), RunState::Cut);
        assert_eq!(RunState::Complete.seen(false), RunState::Complete);
    }

    #[test]
    fn states_are_read_as_they_are_written() {
        for state in RunState::ALL {
            assert_eq!(RunState::column_result(ValueRef::Text(state.as_str().as_bytes())), Ok(state));
        }
        assert!(RunState::column_result(ValueRef::Text(b"paused")).is_err());
    }
}
