//! Detects where a slower request rate does not lower the share of rejected requests.

use std::time::Duration;

/// The effect of slowing down.
///
/// Where a server counts requests by time, a lower rate lowers the share that it rejects. Where one of four servers
/// behind a load balancer is broken, a quarter fails at any rate, and slowing down only takes longer.
#[derive(Debug, Default)]
pub(crate) struct VainSlowdown {
    /// The recent window with the highest request rate, and the rate limit then.
    before: Option<(Window, f64)>,
    /// Time until which the rate stays fixed, and the length of the last such rest.
    rests_until: Duration,
    rest: Duration,
}

/// The result of one window.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Window {
    pub(crate) answers: u32,
    /// Requests a second.
    pub(crate) requested: f64,
    /// Share of the responses that were rejections.
    pub(crate) share: f64,
}

/// Fewest responses from which a share is computed.
const FEWEST: u32 = 10;
/// VainSlowdown down did not help where the rate fell to this part of the earlier rate, and the share of rejections stayed
/// at this part of the earlier share or higher.
const SLOWER: f64 = 0.35;
const AS_MUCH: f64 = 0.7;
/// Above this share of rejections, a lower rate shows nothing: the share is as large at a third of the rate.
const MAX_SHARE: f64 = 0.6;
/// Shortest time for which the rate then stays fixed; doubled each further time.
const REST: Duration = Duration::from_secs(10);

impl VainSlowdown {
    /// Takes a window with too many rejections at `rate`. If slowing down did not help, returns the earlier rate, and
    /// fixes it for a while.
    pub(crate) fn did_not_help(&mut self, now: Duration, look: Window, rate: f64) -> Option<f64> {
        if look.answers < FEWEST {
            return None;
        }
        if self.before.is_none_or(|(before, _)| look.requested > before.requested) {
            self.before = Some((look, rate)).filter(|_| look.share <= MAX_SHARE);
        }
        let (before, rate) = self.before?;
        if look.requested > SLOWER * before.requested || look.share < AS_MUCH * before.share {
            return None;
        }
        self.rest = (self.rest * 2).max(REST);
        self.rests_until = now + self.rest;
        self.forget();
        Some(rate)
    }

    /// Reports whether the rate stays fixed now.
    pub(crate) fn rests(&self, now: Duration) -> bool {
        now < self.rests_until
    }

    /// Reports whether slowing down ever failed to help: a rejection then says nothing about the URL.
    pub(crate) fn was_in_vain(&self) -> bool {
        self.rest > Duration::ZERO
    }

    /// Forgets the earlier window: since then nothing was rejected, or everything.
    pub(crate) fn forget(&mut self) {
        self.before = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(requested: f64, share: f64) -> Window {
        Window { answers: 50, requested, share }
    }

    #[test]
    fn as_large_a_share_at_a_third_of_the_rate_is_in_vain() {
        let mut slowing = VainSlowdown::default();
        let second = Duration::from_secs(1);
        assert_eq!(slowing.did_not_help(second, look(100.0, 0.25), 100.0), None);
        assert_eq!(slowing.did_not_help(2 * second, look(60.0, 0.25), 60.0), None);
        assert_eq!(slowing.did_not_help(3 * second, look(30.0, 0.25), 30.0), Some(100.0));
        assert!(slowing.rests(12 * second) && !slowing.rests(13 * second) && slowing.was_in_vain());
    }

    #[test]
    fn a_falling_share_few_responses_and_nearly_total_rejection_are_not_in_vain() {
        for looks in [
            [look(100.0, 0.5), look(30.0, 0.3)],
            [look(1000.0, 0.9), look(300.0, 0.9)],
            [look(100.0, 0.5), Window { answers: 9, ..look(10.0, 0.5) }],
        ] {
            let mut slowing = VainSlowdown::default();
            let found = looks.map(|look| slowing.did_not_help(Duration::ZERO, look, look.requested));
            assert_eq!(found, [None, None], "{looks:?}");
        }
    }
}
