//! The rate limit of an origin that rejects requests.

use crate::vain_slowdown::{VainSlowdown, Window};
use std::time::Duration;

/// The request rate that an origin seems to allow, learnt from the requests that it rejects (429, 503, a connection
/// that is refused or reset).
///
/// Servers that limit their clients count requests by time: fewer concurrent requests do not help where each is
/// answered in a millisecond. The rate of good responses in a window is what the origin allows. The crawler sends a
/// little less from then on, and raises the rate until a tenth of the requests is rejected; single pages that always
/// fail are less than a tenth of the responses. Where every request is rejected, the rate is halved again and again:
/// rejections come sooner than responses do, and the limit may be counted by the minute. Where nothing but rejections
/// comes for longer than a limit lasts, they set no limit.
#[derive(Debug)]
pub(crate) struct RateLimit {
    /// Requests a second; `None` while none are rejected.
    rate: Option<f64>,
    /// Requests a second that each good response adds to the rate.
    growth: f64,
    /// Good responses a second in the last window without a rejection.
    borne: Option<f64>,
    slowing: VainSlowdown,
    /// The origin has given good responses.
    answers: bool,
    /// Start of the current stretch without a good response, not counting pauses that the origin requested.
    refuses_since: Option<Duration>,
    /// URLs that were rejected on their first request since then.
    refused: u32,
    /// Good responses to URLs that had been rejected before.
    recovered: u32,
    /// The current window: its start, its good responses and its rejections.
    since: Option<Duration>,
    good: u32,
    rate_limited: u32,
}

/// Shortest window; the first one is shorter, since nothing bounds the rate before it ends.
const LOOK: Duration = Duration::from_secs(1);
const FIRST_LOOK: Duration = Duration::from_millis(250);
/// Fewest responses in a window.
const ANSWERS: u32 = 5;
/// Fewest rejections in a window, and the fraction of its responses (one in ten), that show a limit; a window with
/// fewer rejections is extended up to the longest.
const FEWEST: u32 = 3;
const ONE_OF: u32 = 10;
const MAX_LOOK: Duration = Duration::from_secs(10);
/// Time without a good response after which the rejected URLs count as URLs that always fail, and the rate limit is
/// lifted.
const SHORT: Duration = Duration::from_secs(3);
/// The same time where evidence points to a limit: some servers count requests by the minute.
const LONG: Duration = Duration::from_secs(70);
/// Evidence of a limit: URLs that were rejected and answered later, or new URLs rejected in a row.
const RECOVERED: u32 = 3;
const REFUSED: u32 = 20;
/// Share of the rate of good responses that is requested next.
const SHARE: f64 = 0.8;
/// Increase of the rate by each good response: 0.05, then doubled after each window without a rejection, up to 0.2.
const GROWTH: f64 = 0.05;
const FASTEST_GROWTH: f64 = 0.2;
/// Smallest part of the previous rate that is kept: a moment without responses is no limit.
const LEAST_OF_BEFORE: f64 = 0.5;
/// Slowest and fastest rate; above the fastest, no limit is needed.
const SLOWEST: f64 = 0.1;
const FASTEST: f64 = 1_000.0;

/// The kind of request for a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Try {
    /// The first request.
    First,
    /// A retry, after a failure or a rejection.
    Further,
    /// A request while the origin gives no responses at all: it may be down, and its rejections set no limit.
    InSilence,
}

impl Default for RateLimit {
    fn default() -> Self {
        Self {
            rate: None,
            growth: GROWTH,
            borne: None,
            slowing: VainSlowdown::default(),
            answers: false,
            refuses_since: None,
            refused: 0,
            recovered: 0,
            since: None,
            good: 0,
            rate_limited: 0,
        }
    }
}

impl RateLimit {
    /// Learns from a good response.
    pub(crate) fn good(&mut self, now: Duration, which: Try) {
        let lasted = self.lasted(now);
        if self.rate_limited == 0 && lasted >= LOOK && self.good >= ANSWERS {
            self.borne = Some(f64::from(self.good) / lasted.as_secs_f64());
            self.growth = (self.growth * 2.0).min(FASTEST_GROWTH);
            self.slowing.forget();
            self.restart_window(now);
        }
        self.good += 1;
        (self.answers, self.refuses_since, self.refused) = (true, None, 0);
        self.recovered = self.recovered.saturating_add(u32::from(which == Try::Further));
        self.rate = self.rate.map(|rate| rate + self.growth).filter(|rate| *rate < FASTEST);
    }

    /// Learns from a rejected request.
    pub(crate) fn rate_limited(&mut self, now: Duration, which: Try) {
        if which == Try::InSilence {
            return;
        }
        let (lasted, look) = (self.lasted(now), if self.rate.is_none() { FIRST_LOOK } else { LOOK });
        self.rate_limited += 1;
        let answers = self.good + self.rate_limited;
        self.refused = self.refused.saturating_add(u32::from(which == Try::First));
        self.refuses_since.get_or_insert(now);
        match () {
            () if self.bears_nothing(now) => (self.rate, self.slowing) = (None, VainSlowdown::default()),
            () if lasted < look || answers < ANSWERS => return,
            () if self.good == 0 => self.refused_all(lasted),
            () if self.rate_limited < FEWEST && lasted < MAX_LOOK => return,
            () if self.rate_limited < FEWEST || self.rate_limited * ONE_OF < answers || self.slowing.rests(now) => {}
            () => self.refused_some(now, lasted),
        }
        self.restart_window(now);
    }

    /// Reports whether the origin has given no good response for longer than a rate limit lasts.
    fn bears_nothing(&self, now: Duration) -> bool {
        let since = self.refuses_since.unwrap_or(now);
        let is_limit = self.recovered >= RECOVERED || self.refused >= REFUSED;
        !self.answers || now >= since + if is_limit { LONG } else { SHORT }
    }

    /// Slows down after a window in which every request was rejected.
    fn refused_all(&mut self, lasted: Duration) {
        self.slowing.forget();
        let requested = f64::from(self.rate_limited) / lasted.as_secs_f64();
        self.slow_down(self.rate.unwrap_or(requested.min(FASTEST)), 0.0);
    }

    /// Slows down after a window in which many requests were rejected.
    fn refused_some(&mut self, now: Duration, lasted: Duration) {
        let (answers, seconds) = (self.good + self.rate_limited, lasted.as_secs_f64());
        let share = f64::from(self.rate_limited) / f64::from(answers);
        let look = Window { answers, requested: f64::from(answers) / seconds, share };
        match self.rate.and_then(|rate| self.slowing.did_not_help(now, look, rate)) {
            Some(before) => self.rate = Some(before),
            None => self.slow_down(self.rate.or(self.borne).unwrap_or_default(), f64::from(self.good) / seconds),
        }
    }

    /// Sets the rate a little below the rate of good responses, and not far below the previous rate.
    fn slow_down(&mut self, before: f64, answered: f64) {
        self.rate = Some((answered * SHARE).max(before * LEAST_OF_BEFORE).max(SLOWEST));
        self.growth = GROWTH;
    }

    /// Notes a pause until this time that the origin requested: the silence during it says nothing.
    pub(crate) fn left_alone(&mut self, until: Duration) {
        self.refuses_since = self.refuses_since.map(|since| since.max(until));
    }

    /// Returns the least time between the starts of two requests.
    pub(crate) fn spacing(&self) -> Duration {
        self.rate.map_or(Duration::ZERO, |rate| Duration::from_secs_f64(rate.recip()))
    }

    /// Reports whether a rejection says nothing about the URL: the origin limits the rate and would otherwise have
    /// answered.
    pub(crate) fn is_exceeded(&self) -> bool {
        self.rate.is_some() || self.slowing.was_in_vain()
    }

    fn lasted(&mut self, now: Duration) -> Duration {
        now.saturating_sub(*self.since.get_or_insert(now))
    }

    /// Begins a window; earlier responses no longer count.
    pub(crate) fn restart_window(&mut self, now: Duration) {
        (self.since, self.good, self.rate_limited) = (Some(now), 0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rate limit of a server: given a time in seconds, reports whether a request is answered.
    type ConcurrencyLimit = Box<dyn FnMut(f64) -> bool>;

    /// A token bucket of `permits` tokens a second and at most `burst` in store.
    fn bucket(permits: f64, burst: f64) -> ConcurrencyLimit {
        let (mut store, mut last) = (burst, 0.0);
        Box::new(move |now| {
            store = burst.min(store + permits * (now - last));
            last = now;
            let answers = store >= 1.0;
            store -= f64::from(u8::from(answers));
            answers
        })
    }

    /// A fixed window: `permits` requests in each stretch of `seconds`.
    fn window(permits: u32, seconds: f64) -> ConcurrencyLimit {
        let (mut begun, mut used) = (0.0, 0);
        Box::new(move |now| {
            if now >= begun + seconds {
                (begun, used) = (now - now % seconds, 0);
            }
            used += 1;
            used <= permits
        })
    }

    /// Crawls a server that answers after `latency` and rejects at once, with 16 requests in flight at the rate of the
    /// allowance, for `seconds`. Returns the numbers of answered and rejected requests in the second half.
    fn requested(mut limit: ConcurrencyLimit, latency: f64, seconds: f64) -> (u32, u32) {
        let (mut allowance, mut under_way) = (RateLimit::default(), Vec::<(f64, bool)>::new());
        let (mut now, mut next, mut good, mut away) = (0.0, 0.0, 0, 0);
        allowance.good(Duration::ZERO, Try::First);
        while now < seconds {
            now += 0.001;
            for (_, answered) in under_way.extract_if(.., |(due, _)| *due <= now) {
                let counts = u32::from(now > seconds / 2.0);
                let at = Duration::from_secs_f64(now);
                if answered {
                    good += counts;
                    allowance.good(at, Try::Further);
                } else {
                    away += counts;
                    allowance.rate_limited(at, Try::First);
                }
            }
            if now >= next && under_way.len() < 16 {
                let answers = limit(now);
                under_way.push((now + if answers { latency } else { 0.001 }, answers));
                next = now + allowance.spacing().as_secs_f64();
            }
        }
        (good, away)
    }

    #[test]
    fn a_rate_limit_by_the_second_is_nearly_used_up() {
        for (permits, burst) in
            [(0.5, 1.0), (1.0, 1.0), (3.0, 1.0), (20.0, 20.0), (50.0, 2.0), (50.0, 100.0), (300.0, 1.0)]
        {
            for latency in [0.001, 0.3, 0.8] {
                let able = f64::min(permits, 16.0 / latency);
                let (good, away) = requested(bucket(permits, burst), latency, 120.0);
                assert!(f64::from(good) > able * 60.0 * 0.5, "{permits}, {latency} s: {good} answered");
                assert!(away * 3 < good * 2, "{permits}, {latency} s: {away} turned away, {good} answered");
            }
        }
    }

    #[test]
    fn a_rate_limit_by_a_longer_window_is_nearly_used_up() {
        for (permits, seconds) in [(20, 1.0), (60, 10.0), (60, 60.0), (300, 60.0)] {
            for latency in [0.001, 0.6] {
                let (good, away) = requested(window(permits, seconds), latency, 1200.0);
                let able = f64::from(permits) / seconds * 600.0;
                assert!(f64::from(good) > able * 0.5, "{permits} in {seconds}, {latency} s: {good} answered");
                assert!(away < good, "{permits} in {seconds}, {latency} s: {away} turned away, {good} answered");
            }
        }
    }

    #[test]
    fn a_few_pages_that_always_fail_set_no_limit() {
        let mut allowance = RateLimit::default();
        for n in 0..10_000_u32 {
            let now = n * Duration::from_millis(1);
            if n % 20 == 0 { allowance.rate_limited(now, Try::First) } else { allowance.good(now, Try::First) }
        }
        assert_eq!(allowance.spacing(), Duration::ZERO);
        assert!(!allowance.is_exceeded());
    }

    #[test]
    fn an_origin_without_a_good_response_has_no_rate_limit() {
        let mut allowance = RateLimit::default();
        (0..10_000_u32).for_each(|n| allowance.rate_limited(n * Duration::from_millis(1), Try::First));
        assert!(!allowance.is_exceeded());
    }

    #[test]
    fn an_origin_that_stops_answering_loses_its_rate_limit_after_a_while() {
        let (mut allowance, mut now) = (RateLimit::default(), Duration::ZERO);
        allowance.good(now, Try::First);
        let mut requested = 0;
        while now < LONG {
            requested += 1;
            allowance.rate_limited(now, Try::First);
            now += allowance.spacing().max(Duration::from_millis(1));
        }
        assert!(requested < 2_000, "{requested} requested in vain");
        allowance.rate_limited(now, Try::First);
        allowance.rate_limited(now + LONG, Try::First);
        assert!(!allowance.is_exceeded());
    }

    #[test]
    fn a_few_urls_that_always_fail_slow_the_crawl_only_briefly() {
        let mut allowance = RateLimit::default();
        (0..40_u32).for_each(|n| allowance.good(n * Duration::from_millis(5), Try::First));
        let now = Duration::from_millis(200);
        (0..REFUSED - 1).for_each(|_| allowance.rate_limited(now, Try::First));
        (0..200).for_each(|_| allowance.rate_limited(now + LOOK, Try::Further));
        assert!(allowance.is_exceeded());
        allowance.rate_limited(now + SHORT, Try::Further);
        assert!(!allowance.is_exceeded());
    }

    #[test]
    fn a_pause_that_the_origin_requested_keeps_its_rate_limit() {
        let mut allowance = RateLimit::default();
        allowance.good(Duration::ZERO, Try::First);
        for minute in 0..5 {
            for n in 0..100 {
                allowance.rate_limited(minute * LONG + n * Duration::from_millis(5), Try::First);
            }
            assert!(allowance.is_exceeded(), "minute {minute}");
            allowance.left_alone((minute + 1) * LONG);
        }
    }

    /// One of `one_of` servers behind a load balancer is broken.
    #[test]
    fn a_server_that_fails_at_any_rate_is_not_slowed_down() {
        for one_of in [3, 4, 8] {
            let mut chance = 1_u64;
            let answers = move |_| {
                chance = chance.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
                !(chance >> 40).is_multiple_of(one_of)
            };
            let (good, away) = requested(Box::new(answers), 0.02, 120.0);
            assert!(good > 10_000, "one of {one_of}: {good} answered, {away} not");
        }
    }

    #[test]
    fn a_few_rejections_spread_over_time_show_a_limit() {
        let mut allowance = RateLimit::default();
        for n in 0..40_u32 {
            let now = n * Duration::from_millis(200);
            if n % 4 == 3 { allowance.rate_limited(now, Try::First) } else { allowance.good(now, Try::First) }
        }
        assert!(allowance.is_exceeded());
    }

    #[test]
    fn a_limit_that_is_lifted_is_forgotten() {
        let mut allowance = RateLimit::default();
        for n in 0..400_u32 {
            let now = n * Duration::from_millis(1);
            if n % 4 == 0 { allowance.good(now, Try::First) } else { allowance.rate_limited(now, Try::First) }
        }
        assert!(allowance.is_exceeded());
        (400..30_000_u32).for_each(|n| allowance.good(n * Duration::from_millis(1), Try::First));
        assert_eq!(allowance.spacing(), Duration::ZERO);
    }
}
