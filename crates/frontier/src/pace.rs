//! How fast one origin is asked: places in flight, spacing, pauses.

use crate::allowance::{Allowance, Try};
use crate::contract::Weather;
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

/// The limiter of one origin. Starts at the ceiling, halves when the origin suffers, and recovers by one place for
/// each round of good answers. An origin that is as slow when asked for one thing at a time does not suffer from us: its
/// places come back at once, and what was slow is its usual pace from then on.
#[derive(Debug)]
pub(crate) struct Pace {
    ceiling: f64,
    places: f64,
    interval: Duration,
    next_at: Duration,
    paused_until: Duration,
    halved_at: Option<Duration>,
    baseline: Option<f64>,
    slow_in_a_row: u32,
    throttled_in_a_row: u32,
    /// Places before they were halved for slowness.
    before_slow: Option<f64>,
    /// Since when one request is made at a time.
    alone_since: Option<Duration>,
    /// How often it asked to be left alone.
    left_alone: u32,
    allowance: Allowance,
}

/// Longest `Retry-After` that a wait may be the beginning of: rates are limited by minutes, quotas by days.
const WITHIN_REACH: Duration = Duration::from_secs(3_600);
/// First bytes later than this, and later than thrice the baseline, are slow.
const SLOW: f64 = 0.3;
/// So many slow answers in a row are the origin's, not one URL's.
const SLOW_ANSWERS: u32 = 3;
/// Answers sent before a halving took effect do not halve again: at most one halving in this time.
const HALVING_PAUSE: Duration = Duration::from_secs(1);
/// Weight of a new answer in the baseline.
const BASELINE_WEIGHT: f64 = 0.1;

impl Pace {
    pub(crate) fn new(rules: &PaceRules) -> Self {
        let ceiling = rules.concurrency.max(1) as f64;
        Self {
            ceiling,
            places: ceiling,
            interval: rules.interval,
            next_at: Duration::ZERO,
            paused_until: Duration::ZERO,
            halved_at: None,
            baseline: None,
            slow_in_a_row: 0,
            throttled_in_a_row: 0,
            before_slow: None,
            alone_since: None,
            left_alone: 0,
            allowance: Allowance::default(),
        }
    }

    /// Requests that may be in flight at once now.
    pub(crate) fn places(&self) -> usize {
        self.places as usize
    }

    /// Earliest time of the next request.
    pub(crate) fn free_at(&self) -> Duration {
        self.next_at.max(self.paused_until)
    }

    /// A request starts now.
    pub(crate) fn start(&mut self, now: Duration) {
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

    /// Learns from one answer, to which request for its URL.
    pub(crate) fn learn(&mut self, now: Duration, which: Try, weather: &Weather, rules: &PaceRules) {
        if weather.none {
            return;
        }
        if weather.throttled {
            self.allowance.turned_away(now, which);
            self.throttled(now, weather, rules);
        } else if weather.cut_off {
            self.suffers(now);
            self.allowance.turned_away(now, which);
        } else if let Some(first_byte) = weather.first_byte {
            self.throttled_in_a_row = 0;
            self.allowance.good(now, which);
            self.answered(now, first_byte.as_secs_f64());
        }
    }

    /// One URL that is refused may wait alone; two in a row, and the whole origin is left alone as it asks, as long as we
    /// wait. Who asks for hours is not waited for: such URLs are given up, and others may be answered.
    fn throttled(&mut self, now: Duration, weather: &Weather, rules: &PaceRules) {
        self.throttled_in_a_row += 1;
        self.suffers(now);
        let Some(wait) = weather.retry_after.filter(|_| self.throttled_in_a_row >= 2) else { return };
        let until = now + wait.min(rules.max_retry_after);
        self.left_alone += u32::from(until > self.paused_until);
        if wait <= WITHIN_REACH {
            self.allowance.left_alone(until);
            self.pause(until);
        }
    }

    fn answered(&mut self, now: Duration, seconds: f64) {
        let baseline = *self.baseline.get_or_insert(seconds);
        if seconds > SLOW && seconds > 3.0 * baseline {
            self.slow(now, seconds);
            return;
        }
        self.slow_in_a_row = 0;
        self.baseline = Some(baseline + BASELINE_WEIGHT * (seconds - baseline));
        self.set_places((self.places + 1.0 / self.places).min(self.ceiling), now);
        self.before_slow = self.before_slow.filter(|before| self.places < *before);
    }

    /// A slow answer. It tells of an origin at rest where the request began when no other was under way.
    fn slow(&mut self, now: Duration, seconds: f64) {
        let began = now.saturating_sub(Duration::try_from_secs_f64(seconds).unwrap_or_default());
        let alone = self.alone_since.is_some_and(|since| began >= since);
        self.slow_in_a_row += 1;
        if self.slow_in_a_row < SLOW_ANSWERS {
            return;
        }
        self.slow_in_a_row = 0;
        match self.before_slow {
            Some(before) if alone => {
                self.baseline = Some(seconds);
                self.before_slow = None;
                self.set_places(before, now);
            }
            before => {
                self.before_slow = before.or(Some(self.places));
                self.halve(now);
            }
        }
    }

    /// It says that it suffers: from now on places come back one by one, those given up for slowness too.
    fn suffers(&mut self, now: Duration) {
        self.before_slow = None;
        self.halve(now);
    }

    fn halve(&mut self, now: Duration) {
        if self.halved_at.is_none_or(|at| now >= at + HALVING_PAUSE) {
            self.halved_at = Some(now);
            self.set_places((self.places / 2.0).max(1.0), now);
        }
    }

    fn set_places(&mut self, places: f64, now: Duration) {
        self.places = places;
        self.alone_since = if self.places() > 1 { None } else { self.alone_since.or(Some(now)) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn answer(ms: u32) -> Weather {
        Weather { first_byte: Some(ms * MS), ..Weather::default() }
    }

    #[test]
    fn a_throttling_answer_halves_the_places_and_good_ones_bring_them_back() {
        let rules = PaceRules::default();
        let mut pace = Pace::new(&rules);
        assert_eq!(pace.places(), 16);
        pace.learn(
            5000 * MS,
            Try::First,
            &Weather { throttled: true, first_byte: Some(MS), ..Weather::default() },
            &rules,
        );
        assert_eq!(pace.places(), 8);
        for _ in 0..200 {
            pace.learn(6000 * MS, Try::First, &answer(5), &rules);
        }
        assert_eq!(pace.places(), 16);
    }

    #[test]
    fn one_stalled_url_is_not_the_origins() {
        let rules = PaceRules::default();
        let mut pace = Pace::new(&rules);
        for _ in 0..10 {
            pace.learn(MS, Try::First, &answer(20), &rules);
        }
        pace.learn(2000 * MS, Try::First, &answer(900), &rules);
        pace.learn(2000 * MS, Try::First, &answer(20), &rules);
        assert_eq!(pace.places(), 16);
        for _ in 0..3 {
            pace.learn(3000 * MS, Try::First, &answer(900), &rules);
        }
        assert_eq!(pace.places(), 8);
    }

    /// A site of which the first answer came at once, and all others take 900 ms: when it has been asked long enough.
    fn slow_by_nature(pace: &mut Pace, answers: u32) -> Duration {
        let rules = PaceRules::default();
        pace.learn(MS, Try::First, &answer(20), &rules);
        let slow = (1..=answers).map(|round| round * 1000 * MS);
        slow.inspect(|now| pace.learn(*now, Try::First, &answer(900), &rules)).last().unwrap()
    }

    #[test]
    fn an_origin_as_slow_when_asked_for_one_thing_at_a_time_is_slow_by_nature() {
        let mut pace = Pace::new(&PaceRules::default());
        let now = slow_by_nature(&mut pace, 12);
        assert_eq!(pace.places(), 1, "16, 8, 4, 2, 1");
        for round in 1..=3 {
            pace.learn(now + round * 1000 * MS, Try::First, &answer(900), &PaceRules::default());
        }
        assert_eq!(pace.places(), 16);
        for round in 4..=9 {
            pace.learn(now + round * 1000 * MS, Try::First, &answer(1000), &PaceRules::default());
        }
        assert_eq!(pace.places(), 16, "its usual pace now");
    }

    #[test]
    fn answers_to_what_was_asked_under_load_say_nothing_of_an_origin_at_rest() {
        let mut pace = Pace::new(&PaceRules::default());
        let now = slow_by_nature(&mut pace, 12);
        for _ in 0..9 {
            pace.learn(now + 100 * MS, Try::First, &answer(900), &PaceRules::default());
        }
        assert_eq!(pace.places(), 1);
    }

    #[test]
    fn an_origin_that_also_throttles_gets_its_places_back_in_turns() {
        let rules = PaceRules::default();
        let mut pace = Pace::new(&rules);
        let now = slow_by_nature(&mut pace, 12);
        pace.learn(now, Try::First, &Weather { throttled: true, first_byte: Some(MS), ..Weather::default() }, &rules);
        for round in 1..=3 {
            pace.learn(now + round * 1000 * MS, Try::First, &answer(900), &rules);
        }
        assert_eq!(pace.places(), 1);
    }

    #[test]
    fn answers_of_one_moment_halve_once() {
        let rules = PaceRules::default();
        let mut pace = Pace::new(&rules);
        for _ in 0..10 {
            pace.learn(9000 * MS, Try::First, &Weather { cut_off: true, ..Weather::default() }, &rules);
        }
        assert_eq!(pace.places(), 8);
    }

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
        pace.start(1000 * MS);
        assert_eq!(pace.free_at(), 3000 * MS);
        pace.crawl_delay(1_000_000.0, &rules);
        pace.start(3000 * MS);
        assert_eq!(pace.free_at(), 13_000 * MS);
    }
}
