//! The state of a run.

use rusqlite::ToSql;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, ValueRef};
use serde::Serialize;
use std::fmt;
use utoipa::ToSchema;

/// The state of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum JobRunState {
    /// It is in progress.
    Running,
    /// It succeeded.
    Done,
    /// Interrupted: the job's next run resumes it.
    Unfinished,
    /// Nothing could be crawled, or a later step failed.
    Failed,
    /// Complete, but not published: the sitemap would shrink too much.
    Refused,
    /// Due, but not begun, which was not intended.
    Missed,
    /// Due, but not begun, as the settings of the job say.
    Skipped,
}

impl JobRunState {
    const ALL: [Self; 7] =
        [Self::Running, Self::Done, Self::Unfinished, Self::Failed, Self::Refused, Self::Missed, Self::Skipped];

    /// Returns its word in the service's database and in messages.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Done => "done",
            Self::Unfinished => "unfinished",
            Self::Failed => "failed",
            Self::Refused => "refused",
            Self::Missed => "missed",
            Self::Skipped => "skipped",
        }
    }
}

impl fmt::Display for JobRunState {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}

impl FromSql for JobRunState {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let word = value.as_str()?;
        Self::ALL.into_iter().find(|state| state.as_str() == word).ok_or(FromSqlError::InvalidType)
    }
}

impl ToSql for JobRunState {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        self.as_str().to_sql()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_read_as_they_are_written() {
        for state in JobRunState::ALL {
            assert_eq!(JobRunState::column_result(ValueRef::Text(state.as_str().as_bytes())), Ok(state));
        }
        assert!(JobRunState::column_result(ValueRef::Text(b"paused")).is_err());
    }
}
