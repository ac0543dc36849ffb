//! Where a job stands: what must outlive the service.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Where a job stands. The caller keeps it (after each decision, and after each call that changes it) and hands it in
/// again when the service is started.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    /// Each due instant up to here is decided.
    pub(crate) settled: Timestamp,
    #[serde(default)]
    pub(crate) run: Option<Run>,
    #[serde(default)]
    pub(crate) queued: Option<Timestamp>,
    #[serde(default)]
    pub(crate) paused: bool,
}

/// A run that is not over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Run {
    pub(crate) due: Timestamp,
    pub(crate) running: bool,
    /// It was started before, and goes on.
    #[serde(default)]
    pub(crate) begun: bool,
    /// Asked for by hand: neither window nor pause holds it.
    #[serde(default)]
    pub(crate) by_hand: bool,
    /// It was stopped: however it ends, it is over.
    #[serde(default)]
    pub(crate) given_up: bool,
    /// It is to end in good order, and was told so. Forgotten with the service, as what runs is.
    #[serde(skip)]
    pub(crate) halted: bool,
    /// After a cut, when it may go on. A service that starts afresh does not wait for it.
    #[serde(skip)]
    pub(crate) not_before: Option<Timestamp>,
}

impl Run {
    pub(crate) fn waiting(due: Timestamp) -> Self {
        Self { due, running: false, begun: false, by_hand: false, given_up: false, halted: false, not_before: None }
    }
}

impl Standing {
    pub(crate) fn new(settled: Timestamp) -> Self {
        Self { settled, run: None, queued: None, paused: false }
    }

    /// Through which due instant the job is settled.
    #[must_use]
    pub fn settled(&self) -> Timestamp {
        self.settled
    }

    /// The due instant of the run that is not over: under way, or waiting for its window or a free place.
    #[must_use]
    pub fn unfinished(&self) -> Option<Timestamp> {
        self.run.as_ref().map(|run| run.due)
    }

    /// Whether a run is under way.
    #[must_use]
    pub fn is_running(&self) -> bool {
        self.run.as_ref().is_some_and(|run| run.running)
    }

    /// Whether the unfinished run was asked for by hand.
    #[must_use]
    pub fn is_by_hand(&self) -> bool {
        self.run.as_ref().is_some_and(|run| run.by_hand)
    }

    /// The due instant whose run follows when the unfinished one ends.
    #[must_use]
    pub fn queued(&self) -> Option<Timestamp> {
        self.queued
    }

    /// Whether the job is paused.
    #[must_use]
    pub fn is_paused(&self) -> bool {
        self.paused
    }

    /// The standing as a service that starts afresh takes it up: what was under way no longer is.
    pub(crate) fn taken_up(mut self) -> Self {
        if self.run.as_ref().is_some_and(|run| run.given_up) {
            self.run_is_over();
        }
        if let Some(run) = &mut self.run {
            run.begun |= run.running;
            run.running = false;
        }
        self
    }

    /// The run is over; what was queued takes its place.
    pub(crate) fn run_is_over(&mut self) {
        self.run = self.queued.take().map(Run::waiting);
    }
}
