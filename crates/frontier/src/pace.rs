//! The pace of requests to one origin: places in flight, spacing, pauses.

use crate::concurrency_limit::ConcurrencyLimit;
use crate::contract::ResponseSignal;
use crate::rate_limit::{RateLimit, Try};
use std::time::Duration;

/// The limits of the pace at every origin.
#[derive(Debug, Clone, PartialEq)]
pub struct PaceRules {
    /// Highest number of requests in flight.
    pub concurrency: usize,
    /// Least time between the starts of two requests.
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

/// The limiter of one origin: requests in flight, by the load that it bears ([`ConcurrencyLimit`]); requests by time,
/// where it rejects some ([`RateLimit`]); pauses that it requests.
#[derive(Debug)]
pub(crate) struct Pace {
    limit: ConcurrencyLimit,
    interval: Duration,
    next_at: Duration,
    paused_until: Duration,
    throttled_in_a_row: u32,
    /// Number of pauses that the origin requested.
    left_alone: u32,
    allowance: RateLimit,
}

/// Longest `Retry-After` that pauses an origin: rate limits last minutes, quotas last days.
const WITHIN_REACH: Duration = Duration::from_secs(3_600);

impl Pace {
    pub(crate) fn new(rules: &PaceRules) -> Self {
        Self {
            limit: ConcurrencyLimit::new(rules.concurrency.max(1)),
            interval: rules.interval,
            next_at: Duration::ZERO,
            paused_until: Duration::ZERO,
            throttled_in_a_row: 0,
            left_alone: 0,
            allowance: RateLimit::default(),
        }
    }

    /// Returns the number of requests that may be in flight now.
    pub(crate) fn places(&self) -> usize {
        self.limit.get()
    }

    /// Returns the earliest time of the next request.
    pub(crate) fn free_at(&self) -> Duration {
        self.next_at.max(self.paused_until)
    }

    /// Notes that a request starts now, with `in_flight` requests in flight.
    pub(crate) fn start(&mut self, now: Duration, in_flight: usize) {
        self.limit.sent(in_flight);
        self.next_at = now + self.interval.max(self.allowance.spacing());
    }

    /// Takes the next turn for a request that is no task, and returns its time.
    pub(crate) fn turn(&mut self, now: Duration) -> Duration {
        let at = self.free_at().max(now);
        self.next_at = at + self.interval.max(self.allowance.spacing());
        at
    }

    /// Obeys the `Crawl-delay` of robots.txt, in seconds, up to the cap.
    pub(crate) fn crawl_delay(&mut self, seconds: f64, rules: &PaceRules) {
        let requested = Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or(Duration::MAX);
        self.interval = self.interval.max(requested.min(rules.max_crawl_delay));
    }

    /// Reports whether the origin limits the rate: it rejects more than single URLs, and answers others.
    pub(crate) fn is_exceeded(&self) -> bool {
        self.allowance.is_exceeded()
    }

    /// Returns the number of pauses that the origin requested.
    pub(crate) fn left_alone(&self) -> u32 {
        self.left_alone
    }

    /// Restarts the measurement after a silence: the rejections during it were no rate limit.
    pub(crate) fn answers_again(&mut self, now: Duration) {
        self.allowance.restart_window(now);
    }

    /// Pauses requests until this time.
    pub(crate) fn pause(&mut self, until: Duration) {
        self.paused_until = self.paused_until.max(until);
    }

    /// Reports whether a failed URL is worth an early retry.
    pub(crate) fn is_in_doubt(&self) -> bool {
        self.limit.is_in_doubt()
    }

    /// Learns from one response; `which` is the kind of request.
    pub(crate) fn learn(&mut self, now: Duration, which: Try, signal: &ResponseSignal, rules: &PaceRules) {
        if signal.irrelevant {
            return;
        }
        let again = which == Try::Further;
        let began = signal.first_byte.map(|first_byte| now.saturating_sub(first_byte));
        if signal.throttled || signal.connection_lost {
            self.limit.lost(now, began, again);
            self.allowance.rate_limited(now, which);
            if signal.throttled {
                self.throttled(now, signal, rules);
            }
        } else if let Some(first_byte) = signal.first_byte {
            self.throttled_in_a_row = 0;
            self.allowance.good(now, which);
            if signal.rejected {
                self.limit.lost(now, began, again);
            } else {
                self.limit.answered(now, first_byte, again);
            }
        }
    }

    /// Learns from a request that timed out.
    pub(crate) fn stalled(&mut self, now: Duration) {
        self.limit.stalled(now);
    }

    /// Pauses the entire origin after two throttling responses in a row, as its `Retry-After` says and up to the cap;
    /// one throttled URL may wait alone. A wait beyond [`WITHIN_REACH`] pauses nothing: those URLs are given up, and
    /// others may respond.
    fn throttled(&mut self, now: Duration, signal: &ResponseSignal, rules: &PaceRules) {
        self.throttled_in_a_row += 1;
        let Some(wait) = signal.retry_after.filter(|_| self.throttled_in_a_row >= 2) else { return };
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
    fn a_second_throttling_response_in_a_row_pauses_the_origin_as_requested() {
        let rules = PaceRules::default();
        let mut pace = Pace::new(&rules);
        let signal = ResponseSignal {
            throttled: true,
            retry_after: Some(5000 * MS),
            first_byte: Some(MS),
            ..ResponseSignal::default()
        };
        pace.learn(1000 * MS, Try::First, &signal, &rules);
        assert_eq!(pace.free_at(), Duration::ZERO);
        pace.learn(1000 * MS, Try::First, &signal, &rules);
        assert_eq!(pace.free_at(), 6000 * MS);
    }

    #[test]
    fn requests_that_are_no_tasks_take_turns_with_tasks() {
        let rules = PaceRules { interval: 1000 * MS, ..PaceRules::default() };
        let mut pace = Pace::new(&rules);
        pace.start(Duration::ZERO, 1);
        assert_eq!([pace.turn(100 * MS), pace.turn(100 * MS), pace.free_at()], [1000, 2000, 3000].map(|ms| ms * MS));
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
