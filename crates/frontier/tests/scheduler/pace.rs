//! The bounds of the pace that the design promises for one origin. How many requests it bears within them, the limiter
//! finds out; its own tests tell how.

use crate::plan::{CRAWL_DELAY_CAP, RETRY_AFTER_CAP};
use mapwright_frontier::Weather;
use std::time::Duration;

const HOUR: Duration = Duration::from_secs(3_600);

/// Never more in flight than the ceiling; spaced as asked; left alone as asked.
#[derive(Debug)]
pub(crate) struct Pace {
    ceiling: usize,
    spacing: Duration,
    told_in_a_row: u32,
    not_before: Duration,
}

impl Pace {
    pub(crate) fn new(ceiling: usize, spacing: Duration) -> Self {
        Self { ceiling, spacing, told_in_a_row: 0, not_before: Duration::ZERO }
    }

    /// Checks that a request may start now, with so many in flight already.
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

    pub(crate) fn learn(&mut self, now: Duration, weather: &Weather) {
        if weather.throttled {
            self.told_in_a_row += 1;
            if self.told_in_a_row >= 2 {
                // Who asks for hours is not waited for.
                let wait = weather.retry_after.filter(|wait| *wait <= HOUR).unwrap_or_default().min(RETRY_AFTER_CAP);
                self.not_before = self.not_before.max(now + wait);
            }
        } else if weather.first_byte.is_some() {
            self.told_in_a_row = 0;
        }
    }
}
