//! The schedule state of a job, which must outlive the service.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// The schedule state of a job. The caller stores it after each decision and each call that changes it, and passes it
/// in again when the service starts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScheduleState {
    /// Every due instant up to here is decided.
    pub(crate) settled: Timestamp,
    #[serde(default)]
    pub(crate) run: Option<PendingRun>,
    #[serde(default)]
    pub(crate) queued: Option<Timestamp>,
    #[serde(default)]
    pub(crate) paused: bool,
}

/// A run that has not ended for good.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PendingRun {
    pub(crate) due: Timestamp,
    pub(crate) running: bool,
    /// It has begun before, and is resumed.
    #[serde(default)]
    pub(crate) begun: bool,
    /// Started by hand: neither window nor pause holds it.
    #[serde(default)]
    pub(crate) by_hand: bool,
    /// It was stopped, and is not resumed, however it ends.
    #[serde(default)]
    pub(crate) given_up: bool,
    /// The decision to end it gracefully was returned. Not stored, because no run survives the service.
    #[serde(skip)]
    pub(crate) halted: bool,
    /// The instant from which it may be resumed after an interruption. Not stored: a restarted service does not wait.
    #[serde(skip)]
    pub(crate) not_before: Option<Timestamp>,
}

impl PendingRun {
    pub(crate) fn waiting(due: Timestamp) -> Self {
        Self { due, running: false, begun: false, by_hand: false, given_up: false, halted: false, not_before: None }
    }
}

impl ScheduleState {
    pub(crate) fn new(settled: Timestamp) -> Self {
        Self { settled, run: None, queued: None, paused: false }
    }

    /// Returns the instant through which the job is settled.
    #[must_use]
    pub fn settled(&self) -> Timestamp {
        self.settled
    }

    /// Returns the due instant of the unfinished run: in progress, or waiting for its window or a slot.
    #[must_use]
    pub fn unfinished(&self) -> Option<Timestamp> {
        self.run.as_ref().map(|run| run.due)
    }

    /// Returns whether a run is in progress.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.run.as_ref().is_some_and(|run| run.running)
    }

    /// Returns whether the unfinished run was started by hand.
    #[must_use]
    pub fn is_by_hand(&self) -> bool {
        self.run.as_ref().is_some_and(|run| run.by_hand)
    }

    /// Returns the due instant of the run that is queued behind the unfinished one.
    #[must_use]
    pub fn queued(&self) -> Option<Timestamp> {
        self.queued
    }

    /// Returns whether the job is paused.
    #[must_use]
    pub fn is_paused(&self) -> bool {
        self.paused
    }

    /// Returns the state with which a restarted service begins: a run that was in progress no longer is.
    pub(crate) fn after_restart(mut self) -> Self {
        if self.run.as_ref().is_some_and(|run| run.given_up) {
            self.run_is_over();
        }
        if let Some(run) = &mut self.run {
            run.begun |= run.running;
            run.running = false;
        }
        self
    }

    /// Removes the run; the queued one takes its place.
    pub(crate) fn run_is_over(&mut self) {
        self.run = self.queued.take().map(PendingRun::waiting);
    }
}
