//! The decisions about due instants that passed while the service was down.

use crate::decision::SkipReason;
use crate::rule::CatchUp;
use crate::timetable::Timetable;
use crate::zoned_clock::earlier;
use jiff::Timestamp;

/// Seconds after a due instant within which it is on time. An instant that is decided later passed while the service
/// was down or the machine asleep. A service that is restarted within this time misses nothing.
const GRACE: i64 = 60;
/// Due instants of one downtime that are reported, at most: sixteen hours of minutes, or almost three years of days.
/// Older ones are settled without a decision.
const EXPECTED: usize = 1_000;

/// The way in which a due instant was met.
pub(crate) enum DueOutcome {
    /// On time, or as the one run that catches up on others.
    Due(Timestamp),
    /// Missed.
    Missed(Timestamp, SkipReason),
}

/// Returns the due instants from `settled` up to `now`, each with the way in which it is met.
pub(crate) fn passed(timetable: &Timetable, settled: Timestamp, now: Timestamp) -> Vec<(Timestamp, DueOutcome)> {
    let dues = timetable.passed(settled, now, EXPECTED);
    let late = |due: Timestamp| due < earlier(now, GRACE);
    let outcome = |at: usize, due: Timestamp| {
        let is_caught_up = dues.get(at + 1).is_some_and(|next| late(*next));
        if late(due) { after_downtime(timetable.catch_up(), due, is_caught_up) } else { DueOutcome::Due(due) }
    };
    dues.iter().enumerate().map(|(at, due)| (*due, outcome(at, *due))).collect()
}

fn after_downtime(catch_up: CatchUp, due: Timestamp, is_caught_up: bool) -> DueOutcome {
    match catch_up {
        CatchUp::Once if is_caught_up => DueOutcome::Missed(due, SkipReason::CaughtUp),
        CatchUp::Once => DueOutcome::Due(due),
        CatchUp::None => DueOutcome::Missed(due, SkipReason::Down),
    }
}
