//! Decides which slow pages are requested again for their response time.

use crate::context::VisitContext;
use mapwright_frontier::{Finished, RetryCost, Settlement};
use mapwright_model::{Content, Outcome, Purpose, Visit};

/// Reports whether a page was slow beside other requests, and may have been queued behind them.
pub(super) fn is_to_be_timed<C>(context: &VisitContext<C>, finished: &Finished<Visit>) -> bool {
    let (Some((task, Settlement::Done)), Some(visit)) = (&finished.settles, &finished.visit) else { return false };
    let is_page = task.purpose == Purpose::Page && matches!(visit.outcome, Outcome::Page | Outcome::File);
    is_page
        && !task.tries.alone
        && !task.tries.timed
        && visit.response.total.is_some_and(|total| context.is_to_be_timed(total))
}

/// Has a page requested again for its response time. Its discoveries do not wait for that, except for those of a start
/// page, whose scope is not settled before.
pub(super) fn to_be_timed(mut finished: Finished<Visit>) -> Finished<Visit> {
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
