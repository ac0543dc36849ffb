//! How many requests a second an origin bears, where it turns some away.

use crate::slowing::{Look, Slowing};
use std::time::Duration;

/// What an origin that turns requests away (429, 503, a connection that is refused or reset) seems to allow.
///
/// Servers that limit their clients count requests by time: fewer requests at once do not help where each is answered in
/// a millisecond. What was answered well in a while is what the origin allows; a little less is asked of it from then on,
/// and ever more again until it turns a tenth away. Single pages that fail always are no tenth of the answers. Where all
/// was turned away, half as much is asked for, and half of that: refusals come sooner than answers do, and what is
/// allowed may be so many in a minute. An origin that answers nothing for longer bears nothing.
#[derive(Debug)]
pub(crate) struct Allowance {
    /// Requests a second; nothing while none are turned away.
    rate: Option<f64>,
    /// What a good answer adds to it.
    growth: f64,
    /// Good answers a second, when none was turned away.
    borne: Option<f64>,
    slowing: Slowing,
    /// It has given good answers.
    answers: bool,
    /// Since when it has given none, though asked; the time that it asked to be left alone for is no part of it.
    refuses_since: Option<Duration>,
    /// URLs that were turned away since then when asked for the first time.
    refused: u32,
    /// Answers to what had been turned away before.
    recovered: u32,
    /// The look that goes on: since when, what was answered in it, what was turned away.
    since: Option<Duration>,
    good: u32,
    turned_away: u32,
}

/// How long a look lasts, at least; the first is shorter, since until then nothing bounds the rate.
const LOOK: Duration = Duration::from_secs(1);
const FIRST_LOOK: Duration = Duration::from_millis(250);
/// Answers in a look, at least.
const ANSWERS: u32 = 5;
/// So many turned away, and one of so many, are what a limit does; until there are so many, a look goes on so long.
const FEWEST: u32 = 3;
const ONE_OF: u32 = 10;
const LONGEST_LOOK: Duration = Duration::from_secs(10);
/// Nothing is borne where nothing was answered for so long: these are URLs that fail always.
const SHORT: Duration = Duration::from_secs(3);
/// The same, where there is reason to believe in a limit: some servers count requests by the minute.
const LONG: Duration = Duration::from_secs(70);
/// So many that were turned away at first and answered later are reason to, and so many in a row that were never asked
/// for before.
const RECOVERED: u32 = 3;
const REFUSED: u32 = 20;
/// Of what it answered, how much is asked for next.
const SHARE: f64 = 0.8;
/// What a good answer adds to the rate: a twentieth each second, then a tenth, then a fifth.
const GROWTH: f64 = 0.05;
const FASTEST_GROWTH: f64 = 0.2;
/// Of what went before, how much is asked for at least: a moment in which nothing was answered is no limit.
const LEAST_OF_BEFORE: f64 = 0.5;
/// Slowest, and fastest: beyond that nothing needs to be bounded.
const SLOWEST: f64 = 0.1;
const FASTEST: f64 = 1_000.0;

/// Which request for a URL it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Try {
    /// None failed before it.
    First,
    /// One failed before it, or was turned away.
    Further,
    /// While the origin gives no answers at all: it may be down, and its refusals set no limit.
    InSilence,
}

impl Default for Allowance {
    fn default() -> Self {
        Self {
            rate: None,
            growth: GROWTH,
            borne: None,
            slowing: Slowing::default(),
            answers: false,
            refuses_since: None,
            refused: 0,
            recovered: 0,
            since: None,
            good: 0,
            turned_away: 0,
        }
    }
}

impl Allowance {
    /// A good answer came.
    pub(crate) fn good(&mut self, now: Duration, which: Try) {
        let lasted = self.lasted(now);
        if self.turned_away == 0 && lasted >= LOOK && self.good >= ANSWERS {
            self.borne = Some(f64::from(self.good) / lasted.as_secs_f64());
            self.growth = (self.growth * 2.0).min(FASTEST_GROWTH);
            self.slowing.forget();
            self.look_anew(now);
        }
        self.good += 1;
        (self.answers, self.refuses_since, self.refused) = (true, None, 0);
        self.recovered = self.recovered.saturating_add(u32::from(which == Try::Further));
        self.rate = self.rate.map(|rate| rate + self.growth).filter(|rate| *rate < FASTEST);
    }

    /// A request was turned away.
    pub(crate) fn turned_away(&mut self, now: Duration, which: Try) {
        if which == Try::InSilence {
            return;
        }
        let (lasted, look) = (self.lasted(now), if self.rate.is_none() { FIRST_LOOK } else { LOOK });
        self.turned_away += 1;
        let answers = self.good + self.turned_away;
        self.refused = self.refused.saturating_add(u32::from(which == Try::First));
        self.refuses_since.get_or_insert(now);
        match () {
            () if self.bears_nothing(now) => (self.rate, self.slowing) = (None, Slowing::default()),
            () if lasted < look || answers < ANSWERS => return,
            () if self.good == 0 => self.refused_all(lasted),
            () if self.turned_away < FEWEST && lasted < LONGEST_LOOK => return,
            () if self.turned_away < FEWEST || self.turned_away * ONE_OF < answers || self.slowing.rests(now) => {}
            () => self.refused_some(now, lasted),
        }
        self.look_anew(now);
    }

    /// Whether it answers nothing, and has not for longer than a limit would make it.
    fn bears_nothing(&self, now: Duration) -> bool {
        let since = self.refuses_since.unwrap_or(now);
        let is_limit = self.recovered >= RECOVERED || self.refused >= REFUSED;
        !self.answers || now >= since + if is_limit { LONG } else { SHORT }
    }

    /// A look in which nothing was answered.
    fn refused_all(&mut self, lasted: Duration) {
        self.slowing.forget();
        let asked = f64::from(self.turned_away) / lasted.as_secs_f64();
        self.slow_down(self.rate.unwrap_or(asked.min(FASTEST)), 0.0);
    }

    /// A look in which much was turned away.
    fn refused_some(&mut self, now: Duration, lasted: Duration) {
        let (answers, seconds) = (self.good + self.turned_away, lasted.as_secs_f64());
        let share = f64::from(self.turned_away) / f64::from(answers);
        let look = Look { answers, asked: f64::from(answers) / seconds, share };
        match self.rate.and_then(|rate| self.slowing.in_vain(now, look, rate)) {
            Some(before) => self.rate = Some(before),
            None => self.slow_down(self.rate.or(self.borne).unwrap_or_default(), f64::from(self.good) / seconds),
        }
    }

    /// Asks for a little less than it answered, so many requests a second, and not for much less than before.
    fn slow_down(&mut self, before: f64, answered: f64) {
        self.rate = Some((answered * SHARE).max(before * LEAST_OF_BEFORE).max(SLOWEST));
        self.growth = GROWTH;
    }

    /// It asked to be left alone until then: that it gives no answers meanwhile says nothing.
    pub(crate) fn left_alone(&mut self, until: Duration) {
        self.refuses_since = self.refuses_since.map(|since| since.max(until));
    }

    /// Least time between two requests' starts.
    pub(crate) fn spacing(&self) -> Duration {
        self.rate.map_or(Duration::ZERO, |rate| Duration::from_secs_f64(rate.recip()))
    }

    /// Whether what it turns away now says nothing of the URL: it answers others, and would have answered this one.
    pub(crate) fn is_exceeded(&self) -> bool {
        self.rate.is_some() || self.slowing.was_in_vain()
    }

    fn lasted(&mut self, now: Duration) -> Duration {
        now.saturating_sub(*self.since.get_or_insert(now))
    }

    /// Begins a look: what came before says nothing.
    pub(crate) fn look_anew(&mut self, now: Duration) {
        (self.since, self.good, self.turned_away) = (Some(now), 0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How a server limits its clients, asked at a time in seconds: whether it answers then.
    type Limit = Box<dyn FnMut(f64) -> bool>;

    /// So many permits a second, and so many in store at most.
    fn bucket(permits: f64, burst: f64) -> Limit {
        let (mut store, mut last) = (burst, 0.0);
        Box::new(move |now| {
            store = burst.min(store + permits * (now - last));
            last = now;
            let answers = store >= 1.0;
            store -= f64::from(u8::from(answers));
            answers
        })
    }

    /// So many permits in each stretch of so many seconds.
    fn window(permits: u32, seconds: f64) -> Limit {
        let (mut begun, mut used) = (0.0, 0);
        Box::new(move |now| {
            if now >= begun + seconds {
                (begun, used) = (now - now % seconds, 0);
            }
            used += 1;
            used <= permits
        })
    }

    /// A server that answers after `latency` and refuses at once, asked for sixteen things at a time and as fast as the
    /// allowance lets us, for so long: how many requests it answered, and how many it turned away, in the last half.
    fn asked(mut limit: Limit, latency: f64, seconds: f64) -> (u32, u32) {
        let (mut allowance, mut under_way) = (Allowance::default(), Vec::<(f64, bool)>::new());
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
                    allowance.turned_away(at, Try::First);
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
    fn a_server_that_allows_so_many_a_second_is_asked_for_nearly_as_many() {
        for (permits, burst) in
            [(0.5, 1.0), (1.0, 1.0), (3.0, 1.0), (20.0, 20.0), (50.0, 2.0), (50.0, 100.0), (300.0, 1.0)]
        {
            for latency in [0.001, 0.3, 0.8] {
                let able = f64::min(permits, 16.0 / latency);
                let (good, away) = asked(bucket(permits, burst), latency, 120.0);
                assert!(f64::from(good) > able * 60.0 * 0.5, "{permits}, {latency} s: {good} answered");
                assert!(away * 3 < good * 2, "{permits}, {latency} s: {away} turned away, {good} answered");
            }
        }
    }

    #[test]
    fn a_server_that_counts_by_the_minute_is_asked_for_what_it_allows_in_one() {
        for (permits, seconds) in [(20, 1.0), (60, 10.0), (60, 60.0), (300, 60.0)] {
            for latency in [0.001, 0.6] {
                let (good, away) = asked(window(permits, seconds), latency, 1200.0);
                let able = f64::from(permits) / seconds * 600.0;
                assert!(f64::from(good) > able * 0.5, "{permits} in {seconds}, {latency} s: {good} answered");
                assert!(away < good, "{permits} in {seconds}, {latency} s: {away} turned away, {good} answered");
            }
        }
    }

    #[test]
    fn a_few_pages_that_always_fail_bound_nothing() {
        let mut allowance = Allowance::default();
        for n in 0..10_000_u32 {
            let now = n * Duration::from_millis(1);
            if n % 20 == 0 { allowance.turned_away(now, Try::First) } else { allowance.good(now, Try::First) }
        }
        assert_eq!(allowance.spacing(), Duration::ZERO);
        assert!(!allowance.is_exceeded());
    }

    #[test]
    fn an_origin_that_never_answered_well_bears_nothing() {
        let mut allowance = Allowance::default();
        (0..10_000_u32).for_each(|n| allowance.turned_away(n * Duration::from_millis(1), Try::First));
        assert!(!allowance.is_exceeded());
    }

    #[test]
    fn an_origin_that_answers_no_more_bears_nothing_after_a_while() {
        let (mut allowance, mut now) = (Allowance::default(), Duration::ZERO);
        allowance.good(now, Try::First);
        let mut asked = 0;
        while now < LONG {
            asked += 1;
            allowance.turned_away(now, Try::First);
            now += allowance.spacing().max(Duration::from_millis(1));
        }
        assert!(asked < 2_000, "{asked} asked in vain");
        allowance.turned_away(now, Try::First);
        allowance.turned_away(now + LONG, Try::First);
        assert!(!allowance.is_exceeded());
    }

    #[test]
    fn a_few_urls_that_fail_always_are_not_waited_for_long() {
        let mut allowance = Allowance::default();
        (0..40_u32).for_each(|n| allowance.good(n * Duration::from_millis(5), Try::First));
        let now = Duration::from_millis(200);
        (0..REFUSED - 1).for_each(|_| allowance.turned_away(now, Try::First));
        (0..200).for_each(|_| allowance.turned_away(now + LOOK, Try::Further));
        assert!(allowance.is_exceeded());
        allowance.turned_away(now + SHORT, Try::Further);
        assert!(!allowance.is_exceeded());
    }

    #[test]
    fn while_it_is_left_alone_as_it_asked_an_origin_may_bear_much() {
        let mut allowance = Allowance::default();
        allowance.good(Duration::ZERO, Try::First);
        for minute in 0..5 {
            for n in 0..100 {
                allowance.turned_away(minute * LONG + n * Duration::from_millis(5), Try::First);
            }
            assert!(allowance.is_exceeded(), "minute {minute}");
            allowance.left_alone((minute + 1) * LONG);
        }
    }

    /// One of so many servers behind a balancer is broken.
    #[test]
    fn a_server_that_fails_at_any_rate_is_asked_on() {
        for one_of in [3, 4, 8] {
            let mut chance = 1_u64;
            let answers = move |_| {
                chance = chance.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
                !(chance >> 40).is_multiple_of(one_of)
            };
            let (good, away) = asked(Box::new(answers), 0.02, 120.0);
            assert!(good > 10_000, "one of {one_of}: {good} answered, {away} not");
        }
    }

    #[test]
    fn few_refusals_spread_over_time_are_a_limit_too() {
        let mut allowance = Allowance::default();
        for n in 0..40_u32 {
            let now = n * Duration::from_millis(200);
            if n % 4 == 3 { allowance.turned_away(now, Try::First) } else { allowance.good(now, Try::First) }
        }
        assert!(allowance.is_exceeded());
    }

    #[test]
    fn a_limit_that_is_lifted_is_forgotten() {
        let mut allowance = Allowance::default();
        for n in 0..400_u32 {
            let now = n * Duration::from_millis(1);
            if n % 4 == 0 { allowance.good(now, Try::First) } else { allowance.turned_away(now, Try::First) }
        }
        assert!(allowance.is_exceeded());
        (400..30_000_u32).for_each(|n| allowance.good(n * Duration::from_millis(1), Try::First));
        assert_eq!(allowance.spacing(), Duration::ZERO);
    }
}
