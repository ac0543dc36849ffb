//! The decisions of the agenda, and the results that are reported to it.

use jiff::Timestamp;

/// One decision to carry out or to store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// Start this job's run.
    Start {
        /// The job.
        job: String,
        /// The due instant of the run; for a run by hand, the instant of the command.
        due: Timestamp,
        /// The run is unfinished and is resumed.
        resumes: bool,
    },
    /// End this job's run gracefully, because its window closed or it was stopped. Returned once.
    Halt {
        /// The job.
        job: String,
    },
    /// No run starts for this due instant, by the rule of the job.
    Skipped {
        /// The job.
        job: String,
        /// The due instant.
        due: Timestamp,
        /// The reason.
        reason: SkipReason,
    },
    /// No run starts for this due instant, because the service was down.
    Missed {
        /// The job.
        job: String,
        /// The due instant.
        due: Timestamp,
        /// The reason.
        reason: SkipReason,
    },
}

/// The reason why no run starts for a due instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SkipReason {
    /// The previous run is in progress, or unfinished.
    Unfinished,
    /// The previous run is unfinished, and another is queued already.
    Queued,
    /// The previous run still waits for a slot, because others hold them.
    NoSlot,
    /// The job is paused.
    Paused,
    /// The run was stopped before it began.
    Stopped,
    /// The job was removed before the run began.
    Removed,
    /// The service was down.
    Down,
    /// The service was down, and one run catches up on this and later due instants.
    CaughtUp,
}

impl SkipReason {
    /// Returns plain words that complete a sentence beginning "skipped:" or "missed:".
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unfinished => "the run before is unfinished",
            Self::Queued => "the run before is unfinished, and another waits already",
            Self::NoSlot => "the previous run waits for a slot",
            Self::Paused => "the job is paused",
            Self::Stopped => "stopped before it began",
            Self::Removed => "the job was removed before it began",
            Self::Down => "the service was down",
            Self::CaughtUp => "the service was down; one run stands for all that were missed",
        }
    }
}

/// The end of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunEnd {
    /// It is complete.
    Done,
    /// It was interrupted, and is resumed later.
    Cut,
    /// It failed, and is not resumed.
    Failed,
}

/// The reason why a command by hand is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// Its run is in progress.
    #[error("the job is running already")]
    Running,
    /// There is no run to stop.
    #[error("the job has no run to stop")]
    Idle,
    /// No job has this name.
    #[error("there is no such job")]
    Unknown,
}
