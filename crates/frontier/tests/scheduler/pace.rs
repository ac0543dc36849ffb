//! The bounds of the pace that the design promises for one origin. The limiter finds the number of requests within
//! them; its own tests cover how.

use crate::plan::{CRAWL_DELAY_CAP, RETRY_AFTER_CAP};
use mapwright_frontier::ResponseSignal;
use std::time::Duration;

const HOUR: Duration = Duration::from_secs(3_600);

/// Never more requests in flight than the ceiling; spaced and paused as requested.
#[derive(Debug)]
pub(crate) struct Pace {
    ceiling: usize,
    spacing: Duration,
    throttled_in_a_row: u32,
    not_before: Duration,
}

impl Pace {
    pub(crate) fn new(ceiling: usize, spacing: Duration) -> Self {
        Self { ceiling, spacing, throttled_in_a_row: 0, not_before: Duration::ZERO }
    }

    /// Checks that a request may start now, with this many in flight already.
    pub(crate) fn start(&mut self, now: Duration, in_flight: usize) -> Result<(), String> {
        if in_flight >= self.ceiling {
            return Err(format!("{} in flight where {} are the most", in_flight + 1, self.ceiling));
        }
        if now < self.not_before {
            return Err(format!("a request at {now:?}, not allowed before {:?}", self.not_before));
        }
        self.not_before = now + self.spacing;
        Ok(())
    }

    pub(crate) fn crawl_delay(&mut self, seconds: u16) {
        self.spacing = self.spacing.max(Duration::from_secs(u64::from(seconds)).min(CRAWL_DELAY_CAP));
    }

    pub(crate) fn learn(&mut self, now: Duration, signal: &ResponseSignal) {
        if signal.throttled {
            self.throttled_in_a_row += 1;
            if self.throttled_in_a_row >= 2 {
                // A wait of hours is not obeyed.
                let wait = signal.retry_after.filter(|wait| *wait <= HOUR).unwrap_or_default().min(RETRY_AFTER_CAP);
                self.not_before = self.not_before.max(now + wait);
            }
        } else if signal.first_byte.is_some() {
            self.throttled_in_a_row = 0;
        }
    }
}
