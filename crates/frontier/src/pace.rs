//! How fast one origin is asked: places in flight, spacing, pauses.

use crate::allowance::{Allowance, Try};
use crate::contract::Weather;
use crate::limit::Limit;
use std::time::Duration;

/// What bounds the pace at every origin.
#[derive(Debug, Clone, PartialEq)]
pub struct PaceRules {
    /// Requests in flight at once, at most.
    pub concurrency: usize,
    /// Least time between two requests' starts.
    pub interval: Duration,
    /// Longest `Crawl-delay` that is obeyed in full.
    pub max_crawl_delay: Duration,
    /// Longest `Retry-After` that is waited for.
    pub max_retry_after: Duration,
}

impl Default for PaceRules {
    fn default() -> Self {
        Self {
            concurrency: 16,
            interval: Duration::ZERO,
            max_crawl_delay: Duration::from_secs(10),
            max_retry_after: Duration::from_secs(60),
        }
    }
}

/// The limiter of one origin: requests in flight, by what it bears ([`Limit`]); requests by time, where it turns some
/// away ([`Allowance`]); pauses that it asks for.
#[derive(Debug)]
pub(crate) struct Pace {
    limit: Limit,
    interval: Duration,
    next_at: Duration,
    paused_until: Duration,
    throttled_in_a_row: u32,
    /// How often it asked to be left alone.
    left_alone: u32,
    allowance: Allowance,
}

/// Longest `Retry-After` that a wait may be the beginning of: rates are limited by minutes, quotas by days.
const WITHIN_REACH: Duration = Duration::from_secs(3_600);

impl Pace {
    pub(crate) fn new(rules: &PaceRules) -> Self {
        Self {
            limit: Limit::new(rules.concurrency.max(1)),
            interval: rules.interval,
            next_at: Duration::ZERO,
            paused_until: Duration::ZERO,
            throttled_in_a_row: 0,
            left_alone: 0,
            allowance: Allowance::default(),
        }
    }

    /// Requests that may be in flight at once now.
    pub(crate) fn places(&self) -> usize {
        self.limit.get()
    }

    /// Earliest time of the next request.
    pub(crate) fn free_at(&self) -> Duration {
        self.next_at.max(self.paused_until)
    }

    /// A request starts now; with it so many are in flight.
    pub(crate) fn start(&mut self, now: Duration, in_flight: usize) {
        self.limit.sent(in_flight);
        self.next_at = now + self.interval.max(self.allowance.spacing());
    }

    /// robots.txt asks for this spacing, in seconds; obeyed up to the cap.
    pub(crate) fn crawl_delay(&mut self, seconds: f64, rules: &PaceRules) {
        let asked = Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or(Duration::MAX);
        self.interval = self.interval.max(asked.min(rules.max_crawl_delay));
    }

    /// Whether it turns away more than single URLs, and answers others.
    pub(crate) fn is_exceeded(&self) -> bool {
        self.allowance.is_exceeded()
    }

    /// How often it asked to be left alone, and was.
    pub(crate) fn left_alone(&self) -> u32 {
        self.left_alone
    }

    /// It answers again: what it turned away while it gave no answers at all was no limit of its.
    pub(crate) fn answers_again(&mut self, now: Duration) {
        self.allowance.look_anew(now);
    }

    /// Nothing is asked before this time.
    pub(crate) fn pause(&mut self, until: Duration) {
        self.paused_until = self.paused_until.max(until);
    }

    /// Whether a URL that failed tells more when it is requested again soon.
    pub(crate) fn is_in_doubt(&self) -> bool {
        self.limit.is_in_doubt()
    }

    /// Learns from one answer, to which request for its URL.
    pub(crate) fn learn(&mut self, now: Duration, which: Try, weather: &Weather, rules: &PaceRules) {
        if weather.none {
            return;
        }
        let again = which == Try::Further;
        let began = weather.first_byte.map(|first_byte| now.saturating_sub(first_byte));
        if weather.throttled || weather.cut_off {
            self.limit.lost(now, began, again);
            self.allowance.turned_away(now, which);
            if weather.throttled {
                self.throttled(now, weather, rules);
            }
        } else if let Some(first_byte) = weather.first_byte {
            self.throttled_in_a_row = 0;
            self.allowance.good(now, which);
            if weather.refused {
                self.limit.lost(now, began, again);
            } else {
                self.limit.answered(now, first_byte, again);
            }
        }
    }

    /// A request got no answer in time.
    pub(crate) fn stalled(&mut self, now: Duration) {
        self.limit.stalled(now);
    }

    /// One URL that is refused may wait alone; two in a row, and the whole origin is left alone as it asks, as long as we
    /// wait. Who asks for hours is not waited for: such URLs are given up, and others may be answered.
    fn throttled(&mut self, now: Duration, weather: &Weather, rules: &PaceRules) {
        self.throttled_in_a_row += 1;
        let Some(wait) = weather.retry_after.filter(|_| self.throttled_in_a_row >= 2) else { return };
        let until = now + wait.min(rules.max_retry_after);
        self.left_alone += u32::from(until > self.paused_until);
        if wait <= WITHIN_REACH {
            self.allowance.left_alone(until);
            self.pause(until);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn a_second_throttling_answer_in_a_row_pauses_the_origin_as_asked() {
        let rules = PaceRules::default();
        let mut pace = Pace::new(&rules);
        let weather =
            Weather { throttled: true, retry_after: Some(5000 * MS), first_byte: Some(MS), ..Weather::default() };
        pace.learn(1000 * MS, Try::First, &weather, &rules);
        assert_eq!(pace.free_at(), Duration::ZERO);
        pace.learn(1000 * MS, Try::First, &weather, &rules);
        assert_eq!(pace.free_at(), 6000 * MS);
    }

    #[test]
    fn crawl_delay_is_obeyed_up_to_the_cap() {
        let rules = PaceRules::default();
        let mut pace = Pace::new(&rules);
        pace.crawl_delay(2.0, &rules);
        pace.start(1000 * MS, 1);
        assert_eq!(pace.free_at(), 3000 * MS);
        pace.crawl_delay(1_000_000.0, &rules);
        pace.start(3000 * MS, 1);
        assert_eq!(pace.free_at(), 13_000 * MS);
    }
}
