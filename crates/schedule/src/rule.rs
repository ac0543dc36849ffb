//! The rule of a job as the user writes it, and its errors.

use std::time::Duration;

/// The rule of a job from the settings. [`Timetable::new`](crate::Timetable::new) checks it.
#[derive(Debug, Clone)]
pub struct ScheduleRule<'a> {
    /// Five cron fields (minute, hour, day of the month, month, day of the week), or `@hourly`, `@daily`, `@weekly`,
    /// `@monthly`, `@yearly`. A job without one runs by hand only.
    pub cron: Option<&'a str>,
    /// The zone whose clocks the cron expression and the window are read by: an IANA name, or `UTC`.
    pub zone: &'a str,
    /// The hours in which runs may be in progress, such as `01:00–05:00` or `22:00-04:00`; all day without one.
    pub window: Option<&'a str>,
    /// The longest delay of a run after its due instant; fractions of a second are ignored.
    pub jitter: Duration,
    /// The policy for a due instant while the previous run is unfinished.
    pub overlap: Overlap,
    /// The policy for due instants that passed while the service was down.
    pub catch_up: CatchUp,
}

/// The policy for a due instant that meets an unfinished run of the same job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overlap {
    /// It is skipped.
    Skip,
    /// One run is queued behind the unfinished one, and never more than one.
    Queue,
}

/// The policy for due instants that passed while the service was down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CatchUp {
    /// One run catches up on all of them.
    Once,
    /// Each is missed.
    None,
}

/// A rule that is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{key}: {what}; {hint}")]
pub struct RuleError {
    /// The fault.
    pub what: String,
    /// The key at fault: `cron`, `zone`, `window` or `jitter`.
    pub key: &'static str,
    /// The hint.
    pub hint: String,
}

impl RuleError {
    pub(crate) fn new(key: &'static str, what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { what: what.into(), key, hint: hint.into() }
    }
}

/// Quotes a user's text for an error, shortened to 60 characters.
pub(crate) fn quoted(text: &str) -> String {
    const MAX_LENGTH: usize = 60;
    if text.chars().count() <= MAX_LENGTH {
        return format!("{text:?}");
    }
    format!("{:?}…", text.chars().take(MAX_LENGTH).collect::<String>())
}
