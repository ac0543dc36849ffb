//! The pace that the design promises for one origin, reckoned anew.

use crate::plan::{CRAWL_DELAY_CAP, RETRY_AFTER_CAP};
use mapwright_frontier::Weather;
use std::time::Duration;

const HOUR: Duration = Duration::from_secs(3_600);

/// Starts at the ceiling; halves (at most once a second) when told to slow down or reset; a round of good answers gives
/// one place back.
#[derive(Debug)]
pub(crate) struct Pace {
    ceiling: f64,
    places: f64,
    spacing: Duration,
    halved: Option<Duration>,
    told_in_a_row: u32,
    not_before: Duration,
}

impl Pace {
    pub(crate) fn new(ceiling: usize, spacing: Duration) -> Self {
        let ceiling = ceiling as f64;
        Self { ceiling, places: ceiling, spacing, halved: None, told_in_a_row: 0, not_before: Duration::ZERO }
    }

    pub(crate) fn places(&self) -> usize {
        self.places as usize
    }

    /// Checks that a request may start now, with so many in flight already.
    pub(crate) fn start(&mut self, now: Duration, in_flight: usize) -> Result<(), String> {
        if in_flight >= self.places() {
            return Err(format!("{} in flight where {} have a place", in_flight + 1, self.places()));
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
            self.halve(now);
            if self.told_in_a_row >= 2 {
                // Who asks for hours is not waited for.
                let wait = weather.retry_after.filter(|wait| *wait <= HOUR).unwrap_or_default().min(RETRY_AFTER_CAP);
                self.not_before = self.not_before.max(now + wait);
            }
        } else if weather.cut_off {
            self.halve(now);
        } else if weather.first_byte.is_some() {
            self.told_in_a_row = 0;
            self.places = (self.places + 1.0 / self.places).min(self.ceiling);
        }
    }

    fn halve(&mut self, now: Duration) {
        if self.halved.is_none_or(|at| now >= at + Duration::from_secs(1)) {
            self.halved = Some(now);
            self.places = (self.places / 2.0).max(1.0);
        }
    }
}
