//! Last tries: one request in flight, as long as that can tell anything.

use crate::contract::Weather;
use std::time::Duration;

/// The last tries of an origin, which are made one by one: what fails then does not fail of our load.
///
/// Where ever more of them fail, for a while and without an answer between them, the load was never the cause: the
/// others are then tried together, or hundreds of pages that stall would take half a minute each. The next answer ends
/// that.
#[derive(Debug, Default)]
pub(crate) struct LastTries {
    /// Last tries that failed in a row, and since when.
    failed: u32,
    since: Option<Duration>,
}

/// So many in a row, for so long.
const MANY: u32 = 8;
const LONG: Duration = Duration::from_secs(20);

impl LastTries {
    /// One has ended.
    pub(crate) fn ended(&mut self, now: Duration, weather: &Weather) {
        if weather.first_byte.is_some() && !weather.refused {
            *self = Self::default();
        } else {
            self.failed = self.failed.saturating_add(1);
            self.since.get_or_insert(now);
        }
    }

    /// Whether they need not be made one by one.
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
        (0..20).for_each(|n| tries.ended(n * SECOND, &Weather::default()));
        assert!(!tries.go_together(19 * SECOND) && tries.go_together(20 * SECOND));
        let error = Weather { first_byte: Some(SECOND), refused: true, ..Weather::default() };
        tries.ended(20 * SECOND, &error);
        assert!(tries.go_together(20 * SECOND));
        tries.ended(20 * SECOND, &Weather { refused: false, ..error });
        assert!(!tries.go_together(20 * SECOND));
    }

    #[test]
    fn few_that_take_long_and_many_that_take_no_time_are_made_one_by_one() {
        let mut tries = LastTries::default();
        (0..MANY - 1).for_each(|n| tries.ended(n * 30 * SECOND, &Weather::default()));
        assert!(!tries.go_together(300 * SECOND));
        let mut tries = LastTries::default();
        (0..1_000).for_each(|_| tries.ended(SECOND, &Weather::default()));
        assert!(!tries.go_together(SECOND));
    }
}
