//! What a user writes of a job's hours, and what is said where it cannot be.

use std::time::Duration;

/// A job's rule as it stands in the settings. [`Timetable::new`](crate::Timetable::new) checks it.
#[derive(Debug, Clone)]
pub struct Rule<'a> {
    /// Five cron fields (minute, hour, day of the month, month, day of the week), or `@hourly`, `@daily`, `@weekly`,
    /// `@monthly`, `@yearly`. A job without one runs by hand alone.
    pub cron: Option<&'a str>,
    /// The zone whose clocks the cron expression and the window are read by: an IANA name, or `UTC`.
    pub zone: &'a str,
    /// The hours in which runs may go on, such as `01:00–05:00` or `22:00-04:00`; whole days without one.
    pub window: Option<&'a str>,
    /// By how much a run may begin later than the clock says, at most; whole seconds.
    pub jitter: Duration,
    /// What becomes of a due instant while the run before is unfinished.
    pub overlap: Overlap,
    /// What becomes of due instants that passed while the service was down.
    pub catch_up: CatchUp,
}

/// What becomes of a due instant that meets an unfinished run of the same job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overlap {
    /// It is noted as skipped.
    Skip,
    /// One run follows when the other ends; never more than one waits.
    Queue,
}

/// What becomes of due instants that passed while the service was down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CatchUp {
    /// One run makes up for all of them.
    Once,
    /// Each is noted as missed.
    None,
}

/// A rule that cannot be kept.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{key}: {what}; {remedy}")]
pub struct RuleError {
    /// What is wrong.
    pub what: String,
    /// Where: `cron`, `zone`, `window` or `jitter`.
    pub key: &'static str,
    /// What to do.
    pub remedy: String,
}

impl RuleError {
    pub(crate) fn new(key: &'static str, what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { what: what.into(), key, remedy: remedy.into() }
    }
}

/// A user's text as it is quoted in an error: no longer than anyone reads.
pub(crate) fn quoted(text: &str) -> String {
    const LONGEST: usize = 60;
    if text.chars().count() <= LONGEST {
        return format!("{text:?}");
    }
    format!("{:?}…", text.chars().take(LONGEST).collect::<String>())
}
