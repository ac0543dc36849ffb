//! Visits that have ended, on their way to the record.

use crate::visited::Visit;
use mapwright_frontier::Finished;
use std::time::Duration;
use tokio::time::Instant;

/// A commit is due at once when so many visits wait for it.
const FULL: usize = 32;

/// So many visits may have ended and not be committed: a crash loses no more than these and what is in flight.
pub(crate) const MOST_UNCOMMITTED: usize = 64;

/// What waits to be committed, and what is being committed.
#[derive(Debug)]
pub(crate) struct Batch {
    waiting: Vec<Finished<Visit>>,
    since: Instant,
    in_commit: usize,
    longest_wait: Duration,
}

impl Batch {
    /// A batch that waits so long at most.
    pub(crate) fn new(longest_wait: Duration) -> Self {
        Self { waiting: Vec::new(), since: Instant::now(), in_commit: 0, longest_wait }
    }

    pub(crate) fn push(&mut self, finished: Finished<Visit>) {
        if self.waiting.is_empty() {
            self.since = Instant::now();
        }
        self.waiting.push(finished);
    }

    /// Nothing waits.
    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Visits that have ended and are not in the record yet.
    pub(crate) fn uncommitted(&self) -> usize {
        self.waiting.len() + self.in_commit
    }

    /// Whether a commit is due: because the batch is full or old, or because places stand empty for want of what it may
    /// bring.
    pub(crate) fn is_due(&self, places_stand_empty: bool) -> bool {
        let pressing = places_stand_empty || self.waiting.len() >= FULL || self.since.elapsed() >= self.longest_wait;
        !self.is_empty() && pressing
    }

    /// When it is due at the latest, if anything waits.
    pub(crate) fn due_at(&self) -> Option<Instant> {
        (!self.is_empty()).then(|| self.since + self.longest_wait)
    }

    /// All that waits, to be committed now.
    pub(crate) fn take(&mut self) -> Vec<Finished<Visit>> {
        self.in_commit = self.waiting.len();
        std::mem::take(&mut self.waiting)
    }

    /// What was taken is in the record.
    pub(crate) fn committed(&mut self) {
        self.in_commit = 0;
    }
}
