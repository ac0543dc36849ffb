//! What came of a night.

use rusqlite::ToSql;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, ValueRef};
use std::fmt;

/// What came of a night.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum NightState {
    /// It goes on.
    Running,
    /// All went well.
    Done,
    /// Cut: the job's next night goes on with it.
    Unfinished,
    /// Nothing could be crawled, or what followed the crawl failed.
    Failed,
    /// Crawled, and not published: too much was lost.
    Refused,
    /// Due, and not begun, which nobody meant.
    Missed,
    /// Due, and not begun, as the job's settings say.
    Skipped,
}

impl NightState {
    const ALL: [Self; 7] =
        [Self::Running, Self::Done, Self::Unfinished, Self::Failed, Self::Refused, Self::Missed, Self::Skipped];

    /// Its word: in the ledger, and wherever it is told.
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

impl fmt::Display for NightState {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}

impl FromSql for NightState {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let word = value.as_str()?;
        Self::ALL.into_iter().find(|state| state.as_str() == word).ok_or(FromSqlError::InvalidType)
    }
}

impl ToSql for NightState {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        self.as_str().to_sql()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_read_as_they_are_written() {
        for state in NightState::ALL {
            assert_eq!(NightState::column_result(ValueRef::Text(state.as_str().as_bytes())), Ok(state));
        }
        assert!(NightState::column_result(ValueRef::Text(b"paused")).is_err());
    }
}
