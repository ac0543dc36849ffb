//! The effect of errors on the limit of requests in flight.

use std::time::Duration;

/// The errors of an origin that the crawl's load may cause: 429, 5xx, resets.
///
/// An error halves the limit, and keeps it below its value at the error for a while. A URL that fails while nothing
/// else is in flight, or fails again later, fails by itself; where most errors are such, they say nothing about the
/// load.
#[derive(Debug, Default)]
pub(crate) struct Losses {
    /// When the limit was last halved.
    halved_at: Option<Duration>,
    /// Highest limit, and the time until which it applies.
    cap: Option<(usize, Duration)>,
    rest: Duration,
    /// Failures that the URL itself caused, and URLs that responded when they were requested again.
    own: u32,
    ours: u32,
}

/// Errors of single URLs from which on errors say nothing about the load. Where load caused more errors than that,
/// errors of single URLs must outnumber them.
const OWN: u32 = 3;
/// Time after a halving within which an error of unknown start counts as sent before it.
const IN_FLIGHT: Duration = Duration::from_secs(1);
/// Shortest and longest time for which the limit stays below its value at an error; doubled each time.
const REST: Duration = Duration::from_secs(5);
const MAX_REST: Duration = Duration::from_secs(60);

impl Losses {
    /// Learns from a good response. With `again`, an earlier request for the URL failed under load.
    pub(crate) fn answered(&mut self, again: bool) {
        self.ours = self.ours.saturating_add(u32::from(again));
    }

    /// Learns from an error at `limit`, to a request that was sent at `began`. Returns whether the limit is to be
    /// halved.
    pub(crate) fn lost(&mut self, now: Duration, began: Option<Duration>, limit: usize, again: bool) -> bool {
        if again || limit <= 1 {
            self.own = self.own.saturating_add(1);
            self.cap = self.cap.filter(|_| self.are_ours());
            return false;
        }
        let before = self.halved_at.is_some_and(|at| began.map_or(now < at + IN_FLIGHT, |began| began < at));
        if before || !self.are_ours() {
            return false;
        }
        self.halved_at = Some(now);
        self.rest = (self.rest * 2).clamp(REST, MAX_REST);
        self.cap = Some((limit - 1, now + self.rest));
        true
    }

    /// Returns the highest limit that is not known to be too high.
    pub(crate) fn below(&self, now: Duration) -> usize {
        self.cap.filter(|(_, until)| now < *until).map_or(usize::MAX, |(limit, _)| limit)
    }

    /// Reports whether a failed URL is worth an early retry, because the cause of the errors is unknown.
    pub(crate) fn are_in_doubt(&self) -> bool {
        self.cap.is_some() && self.own < OWN
    }

    /// Reports whether errors count as caused by the load.
    pub(crate) fn are_ours(&self) -> bool {
        self.own < OWN || self.own < 2 * self.ours
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn errors_of_one_moment_halve_once_and_hold_the_limit_below_for_a_while() {
        let mut losses = Losses::default();
        assert!(losses.lost(SECOND, Some(Duration::ZERO), 8, false));
        assert!(!losses.lost(SECOND, Some(SECOND / 2), 4, false), "it was sent before");
        assert!(!losses.lost(SECOND * 3 / 2, None, 4, false), "it may have been");
        assert_eq!(losses.below(SECOND), 7);
        assert!(losses.lost(SECOND * 3 / 2, Some(SECOND), 4, false));
        assert_eq!((losses.below(10 * SECOND), losses.below(20 * SECOND)), (3, usize::MAX));
    }

    #[test]
    fn urls_that_fail_by_themselves_say_nothing_of_the_load() {
        for again in [true, false] {
            let mut losses = Losses::default();
            assert!(losses.lost(SECOND, None, 8, false));
            (0..OWN).for_each(|_| assert!(!losses.lost(2 * SECOND, None, if again { 4 } else { 1 }, again)));
            assert_eq!(losses.below(2 * SECOND), usize::MAX);
            assert!(!losses.lost(9 * SECOND, None, 8, false));
        }
    }

    #[test]
    fn beside_many_of_the_load_a_few_that_fail_by_themselves_change_nothing() {
        let mut losses = Losses::default();
        (0..10).for_each(|_| losses.answered(true));
        (0..OWN).for_each(|_| assert!(!losses.lost(SECOND, None, 4, true)));
        assert!(losses.lost(9 * SECOND, None, 8, false));
    }
}
