//! Slow pages that are requested again alone, for their response time.

use crate::options::Checks;
use mapwright_frontier::{Finished, RetryCost, Settlement};
use mapwright_model::{Content, Outcome, Purpose, Visit};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// The slow pages of a crawl.
#[derive(Debug)]
pub(crate) struct SlowPages {
    /// The time above which a page that was fetched beside other requests is requested again alone.
    slow: Duration,
    /// Highest number of pages requested again; the times of others are taken as measured.
    max_timed: u32,
    /// The number of pages requested again so far.
    timed: AtomicU32,
}

impl SlowPages {
    pub(crate) fn new(checks: &Checks) -> Self {
        Self { slow: checks.slow, max_timed: checks.max_timed, timed: AtomicU32::new(0) }
    }

    /// Reports whether a page was slow beside other requests, and may have been queued behind them; if so, counts it.
    pub(super) fn takes(&self, finished: &Finished<Visit>) -> bool {
        let (Some((task, Settlement::Done)), Some(visit)) = (&finished.settles, &finished.visit) else { return false };
        let is_page = task.purpose == Purpose::Page && matches!(visit.outcome, Outcome::Page | Outcome::File);
        let is_slow = || visit.response.total.is_some_and(|total| total > self.slow);
        let has_room = || self.timed.fetch_add(1, Ordering::Relaxed) < self.max_timed;
        is_page && !task.tries.alone && !task.tries.timed && is_slow() && has_room()
    }
}

/// Has a page requested again for its response time. Its discoveries do not wait for that, except for those of a start
/// page, whose scope is not settled before.
pub(super) fn request_again(mut finished: Finished<Visit>) -> Finished<Visit> {
    let Some((task, settlement)) = &mut finished.settles else { return finished };
    *settlement = Settlement::Retry { after: None, cost: RetryCost::Timing };
    if task.route.seed {
        finished.found.clear();
    }
    if let Some(visit) = &mut finished.visit {
        visit.will_retry = true;
        visit.content = Content::None;
    }
    finished
}
