//! Slow pages that are requested again alone, for their response time.

use mapwright_frontier::{Finished, RetryCost, Settlement};
use mapwright_model::{Content, Outcome, Purpose, Visit};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// Highest number of slow pages of a crawl that are requested again alone; the times of others are taken as measured.
const MAX_TIMED: u32 = 100;

/// The slow pages of a crawl.
#[derive(Debug)]
pub(crate) struct SlowPages {
    /// The time above which a page that was fetched beside other requests is requested again alone.
    slow: Option<Duration>,
    /// The number of pages requested again so far.
    timed: AtomicU32,
}

impl SlowPages {
    pub(crate) fn new(slow: Option<Duration>) -> Self {
        Self { slow, timed: AtomicU32::new(0) }
    }

    /// Reports whether a page was slow beside other requests, and may have been queued behind them; if so, counts it.
    pub(super) fn takes(&self, finished: &Finished<Visit>) -> bool {
        let (Some((task, Settlement::Done)), Some(visit)) = (&finished.settles, &finished.visit) else { return false };
        let is_page = task.purpose == Purpose::Page && matches!(visit.outcome, Outcome::Page | Outcome::File);
        let is_slow = || self.slow.zip(visit.response.total).is_some_and(|(slow, total)| total > slow);
        let has_room = || self.timed.fetch_add(1, Ordering::Relaxed) < MAX_TIMED;
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
