//! The last tries of an origin: one request in flight, as long as that shows anything.

use crate::contract::ResponseSignal;
use std::time::Duration;

/// The last tries of an origin. They are made one at a time, so that the crawler's own load is not the cause of a
/// failure.
///
/// Where many of them fail for a while without a response between them, load was never the cause. The others are then
/// tried together; otherwise hundreds of stalled pages would take half a minute each. The next response ends that.
#[derive(Debug, Default)]
pub(crate) struct LastTries {
    /// Last tries that failed in a row, and since when.
    failed: u32,
    since: Option<Duration>,
}

/// Failures in a row, and their duration, from which last tries are made together.
const MANY: u32 = 8;
const LONG: Duration = Duration::from_secs(20);

impl LastTries {
    /// Learns from a last try that has ended.
    pub(crate) fn ended(&mut self, now: Duration, signal: &ResponseSignal) {
        if signal.first_byte.is_some() && !signal.rejected {
            *self = Self::default();
        } else {
            self.failed = self.failed.saturating_add(1);
            self.since.get_or_insert(now);
        }
    }

    /// Reports whether last tries may be made together.
    pub(crate) fn go_together(&self, now: Duration) -> bool {
        self.failed >= MANY && self.since.is_some_and(|since| now >= since + LONG)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn many_that_fail_for_long_are_made_together_until_one_is_answered() {
        let mut tries = LastTries::default();
        (0..20).for_each(|n| tries.ended(n * SECOND, &ResponseSignal::default()));
        assert!(!tries.go_together(19 * SECOND) && tries.go_together(20 * SECOND));
        let error = ResponseSignal { first_byte: Some(SECOND), rejected: true, ..ResponseSignal::default() };
        tries.ended(20 * SECOND, &error);
        assert!(tries.go_together(20 * SECOND));
        tries.ended(20 * SECOND, &ResponseSignal { rejected: false, ..error });
        assert!(!tries.go_together(20 * SECOND));
    }

    #[test]
    fn few_that_take_long_and_many_that_take_no_time_are_made_one_by_one() {
        let mut tries = LastTries::default();
        (0..MANY - 1).for_each(|n| tries.ended(n * 30 * SECOND, &ResponseSignal::default()));
        assert!(!tries.go_together(300 * SECOND));
        let mut tries = LastTries::default();
        (0..1_000).for_each(|_| tries.ended(SECOND, &ResponseSignal::default()));
        assert!(!tries.go_together(SECOND));
    }
}
