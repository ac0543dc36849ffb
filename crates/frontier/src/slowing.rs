//! Whether asking an origin more slowly makes it turn less away.

use std::time::Duration;

/// What became of slowing down.
///
/// Where a server counts requests by time, it turns a smaller share of them away the fewer they are. Where one of four
/// servers behind a balancer is broken, a quarter fails at any rate: slowing down further would only take ever longer.
#[derive(Debug, Default)]
pub(crate) struct Slowing {
    /// The look in which it was asked for most of late, and the rate then.
    before: Option<(Look, f64)>,
    /// Until when the rate is left as it is, and for how long it was the last time.
    rests_until: Duration,
    rest: Duration,
}

/// What a look showed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Look {
    pub(crate) answers: u32,
    /// Requests a second.
    pub(crate) asked: f64,
    /// The share of the answers that turned it away.
    pub(crate) share: f64,
}

/// Answers from which a share can be told.
const FEWEST: u32 = 10;
/// Asked for so much of what it was asked for before, at most, and so much of the share turned away all the same: that
/// did not help.
const SLOWER: f64 = 0.35;
const AS_MUCH: f64 = 0.7;
/// Where more than this is turned away, the share is as large at a third of the rate.
const MOST: f64 = 0.6;
/// How long the rate is left alone then; twice as long each further time.
const REST: Duration = Duration::from_secs(10);

impl Slowing {
    /// A look in which too much was turned away, at this rate. If slowing down has been in vain, the rate before that:
    /// then the rate is left alone for a while.
    pub(crate) fn in_vain(&mut self, now: Duration, look: Look, rate: f64) -> Option<f64> {
        if look.answers < FEWEST {
            return None;
        }
        if self.before.is_none_or(|(before, _)| look.asked > before.asked) {
            self.before = Some((look, rate)).filter(|_| look.share <= MOST);
        }
        let (before, rate) = self.before?;
        if look.asked > SLOWER * before.asked || look.share < AS_MUCH * before.share {
            return None;
        }
        self.rest = (self.rest * 2).max(REST);
        self.rests_until = now + self.rest;
        self.forget();
        Some(rate)
    }

    /// Whether the rate is to be left as it is.
    pub(crate) fn rests(&self, now: Duration) -> bool {
        now < self.rests_until
    }

    /// Whether it ever was in vain: what is turned away then says nothing of the URL.
    pub(crate) fn was_in_vain(&self) -> bool {
        self.rest > Duration::ZERO
    }

    /// What went before says nothing: nothing was turned away, or everything.
    pub(crate) fn forget(&mut self) {
        self.before = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(asked: f64, share: f64) -> Look {
        Look { answers: 50, asked, share }
    }

    #[test]
    fn as_large_a_share_at_a_third_of_the_rate_is_in_vain() {
        let mut slowing = Slowing::default();
        let second = Duration::from_secs(1);
        assert_eq!(slowing.in_vain(second, look(100.0, 0.25), 100.0), None);
        assert_eq!(slowing.in_vain(2 * second, look(60.0, 0.25), 60.0), None);
        assert_eq!(slowing.in_vain(3 * second, look(30.0, 0.25), 30.0), Some(100.0));
        assert!(slowing.rests(12 * second) && !slowing.rests(13 * second) && slowing.was_in_vain());
    }

    #[test]
    fn a_share_that_falls_is_not_and_nothing_is_told_of_few_or_where_nearly_all_is_turned_away() {
        for looks in [
            [look(100.0, 0.5), look(30.0, 0.3)],
            [look(1000.0, 0.9), look(300.0, 0.9)],
            [look(100.0, 0.5), Look { answers: 9, ..look(10.0, 0.5) }],
        ] {
            let mut slowing = Slowing::default();
            let found = looks.map(|look| slowing.in_vain(Duration::ZERO, look, look.asked));
            assert_eq!(found, [None, None], "{looks:?}");
        }
    }
}
