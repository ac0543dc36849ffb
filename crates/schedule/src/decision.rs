//! What the agenda says, and what it is told.

use jiff::Timestamp;

/// One thing to do, or to note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// Start this job's run.
    Start {
        /// The job.
        job: String,
        /// The due instant the run stands for; for a run asked for by hand, the instant it was asked for.
        due: Timestamp,
        /// Whether it is an unfinished run that goes on.
        goes_on: bool,
    },
    /// End this job's run in good order: its window closed, or it was stopped. Said once.
    Halt {
        /// The job.
        job: String,
    },
    /// No run will start for this due instant, as the rule has it.
    Skipped {
        /// The job.
        job: String,
        /// The due instant.
        due: Timestamp,
        /// Why.
        why: Why,
    },
    /// No run will start for this due instant, since the service was down.
    Missed {
        /// The job.
        job: String,
        /// The due instant.
        due: Timestamp,
        /// Why.
        why: Why,
    },
}

/// Why no run starts for a due instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// The run before goes on, or is unfinished.
    Unfinished,
    /// The run before is unfinished, and another waits already.
    Queued,
    /// The run before waits for a place still, which others hold.
    NoPlace,
    /// The job is paused.
    Paused,
    /// The run was stopped before it began.
    Stopped,
    /// The job was removed before the run began.
    Removed,
    /// The service was down.
    Down,
    /// The service was down, and one run makes up for this and later due instants.
    CaughtUp,
}

impl Why {
    /// In plain words, as the end of a sentence that begins "skipped:" or "missed:".
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unfinished => "the run before is unfinished",
            Self::Queued => "the run before is unfinished, and another waits already",
            Self::NoPlace => "the run before waits for a place",
            Self::Paused => "the job is paused",
            Self::Stopped => "stopped before it began",
            Self::Removed => "the job was removed before it began",
            Self::Down => "the service was down",
            Self::CaughtUp => "the service was down; one run makes up for it",
        }
    }
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// All of it is done.
    Done,
    /// It was cut and is unfinished: it goes on later.
    Cut,
    /// It failed, and is over.
    Failed,
}

/// Why nothing can be done by hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// Its run goes on.
    #[error("the job is running already")]
    Running,
    /// There is no run to stop.
    #[error("the job has no run to stop")]
    Idle,
    /// No job has this name.
    #[error("there is no such job")]
    Unknown,
}
