//! What errors say about the number of requests in flight.

use std::time::Duration;

/// The errors of an origin that may be of our load: 429, 5xx, resets.
///
/// One halves the limit, and keeps it below the place of the error for a while. A URL that fails when nothing else is
/// in flight, or fails again later, was no victim of the load; where most are such, errors say nothing of it.
#[derive(Debug, Default)]
pub(crate) struct Losses {
    /// When the limit was last halved.
    halved_at: Option<Duration>,
    /// The limit stays at or below this, until then.
    cap: Option<(usize, Duration)>,
    rest: Duration,
    /// URLs that failed by themselves, and that were answered when they were requested again.
    own: u32,
    ours: u32,
}

/// Errors by themselves, from which on errors say nothing of the load; more where others are of the load.
const OWN: u32 = 3;
/// Where it is unknown when a request was sent, it was sent before the limit was halved if that was so short a time ago.
const IN_FLIGHT: Duration = Duration::from_secs(1);
/// How long the limit is kept below the place of an error: doubled each time, up to the last.
const REST: Duration = Duration::from_secs(5);
const LONGEST_REST: Duration = Duration::from_secs(60);

impl Losses {
    /// A good answer: where one `again`, its URL failed of the load before.
    pub(crate) fn answered(&mut self, again: bool) {
        self.ours = self.ours.saturating_add(u32::from(again));
    }

    /// An error at a limit of so many, to a request that began then. Whether the limit is to be halved.
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
        self.rest = (self.rest * 2).clamp(REST, LONGEST_REST);
        self.cap = Some((limit - 1, now + self.rest));
        true
    }

    /// The highest limit that is not known to be too high.
    pub(crate) fn below(&self, now: Duration) -> usize {
        self.cap.filter(|(_, until)| now < *until).map_or(usize::MAX, |(limit, _)| limit)
    }

    /// Whether a URL that failed tells more when it is requested again soon: whose errors these are is not known.
    pub(crate) fn are_in_doubt(&self) -> bool {
        self.cap.is_some() && self.own < OWN
    }

    /// Whether errors are taken to be of the load.
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
