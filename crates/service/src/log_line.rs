//! A line of the log of a run.

use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

/// The gravity of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum LogLevel {
    /// A step of the run.
    Info,
    /// The user should know.
    Warning,
    /// A request or a step failed.
    Error,
}

impl LogLevel {
    /// Returns its word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }

    pub(crate) fn of(word: &str) -> Self {
        match word {
            "error" => Self::Error,
            "warning" => Self::Warning,
            _ => Self::Info,
        }
    }
}

/// A line of the log. Its text may quote the site, and is hostile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct LogLine {
    /// Its time.
    pub at: Timestamp,
    /// Its gravity.
    pub level: LogLevel,
    /// Its text, one line.
    pub text: String,
}
