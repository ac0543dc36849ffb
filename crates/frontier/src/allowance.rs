//! How many requests a second an origin bears, where it turns some away.

use std::time::Duration;

/// What an origin that turns requests away (429, 503, a connection that is refused or reset) seems to allow.
///
/// Servers that limit their clients count requests by time: fewer requests at once do not help where each is answered in
/// a millisecond. What was answered well in a while is what the origin allows; a little less is asked of it from then on,
/// and ever more again until it turns a tenth away. Single pages that fail always are no tenth of the answers.
#[derive(Debug)]
pub(crate) struct Allowance {
    /// Requests a second; nothing while none are turned away.
    rate: Option<f64>,
    /// What a good answer adds to it.
    growth: f64,
    /// Good answers a second, when none was turned away.
    borne: Option<f64>,
    /// Some of those in the look before were answered.
    bears_some: bool,
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
/// So many turned away, and one of so many, are what a limit does.
const FEWEST: u32 = 3;
const ONE_OF: u32 = 10;
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

impl Default for Allowance {
    fn default() -> Self {
        Self { rate: None, growth: GROWTH, borne: None, bears_some: false, since: None, good: 0, turned_away: 0 }
    }
}

impl Allowance {
    /// A good answer came.
    pub(crate) fn good(&mut self, now: Duration) {
        let lasted = self.lasted(now);
        if self.turned_away == 0 && lasted >= LOOK && self.good >= ANSWERS {
            self.borne = Some(f64::from(self.good) / lasted.as_secs_f64());
            self.growth = (self.growth * 2.0).min(FASTEST_GROWTH);
            self.look_anew(now);
        }
        self.good += 1;
        self.rate = self.rate.map(|rate| rate + self.growth).filter(|rate| *rate < FASTEST);
    }

    /// A request was turned away.
    pub(crate) fn turned_away(&mut self, now: Duration) {
        let (lasted, look) = (self.lasted(now), if self.rate.is_none() { FIRST_LOOK } else { LOOK });
        self.turned_away += 1;
        let answers = self.good + self.turned_away;
        if lasted < look || answers < ANSWERS {
            return;
        }
        self.bears_some = self.good > 0;
        if !self.bears_some {
            // Nothing is answered, however slowly it is asked.
            self.rate = None;
        } else if self.turned_away >= FEWEST && self.turned_away * ONE_OF >= answers {
            let answered = f64::from(self.good) / lasted.as_secs_f64();
            let before = self.rate.or(self.borne).unwrap_or_default();
            self.rate = Some((answered * SHARE).max(before * LEAST_OF_BEFORE).max(SLOWEST));
            self.growth = GROWTH;
        }
        self.look_anew(now);
    }

    /// Least time between two requests' starts.
    pub(crate) fn spacing(&self) -> Duration {
        self.rate.map_or(Duration::ZERO, |rate| Duration::from_secs_f64(rate.recip()))
    }

    /// Whether what it turns away now says nothing of the URL: it answers others, and would have answered this one.
    pub(crate) fn is_exceeded(&self) -> bool {
        self.rate.is_some() && self.bears_some
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

    /// A server with so many permits a second and so many in store, asked as fast as the allowance lets us for so long:
    /// how many requests it answered, and how many it turned away, in the last half of the time.
    fn asked(permits: f64, burst: f64, seconds: f64) -> (u32, u32) {
        let (mut allowance, mut store) = (Allowance::default(), burst);
        let (mut now, mut good, mut away) = (0.0, 0, 0);
        while now < seconds {
            let step = allowance.spacing().as_secs_f64().max(0.001);
            now += step;
            store = burst.min(store + permits * step);
            let counts = u32::from(now > seconds / 2.0);
            if store >= 1.0 {
                store -= 1.0;
                good += counts;
                allowance.good(Duration::from_secs_f64(now));
            } else {
                away += counts;
                allowance.turned_away(Duration::from_secs_f64(now));
            }
        }
        (good, away)
    }

    #[test]
    fn a_server_that_allows_so_many_a_second_is_asked_for_nearly_as_many() {
        for (permits, burst) in [(1.0, 1.0), (20.0, 20.0), (50.0, 2.0), (50.0, 100.0), (300.0, 1.0)] {
            let (good, away) = asked(permits, burst, 60.0);
            assert!(f64::from(good) > permits * 30.0 * 0.5, "{permits}: {good} answered");
            assert!(away * 3 < good * 2, "{permits}: {away} turned away, {good} answered");
        }
    }

    #[test]
    fn a_few_pages_that_always_fail_bound_nothing() {
        let mut allowance = Allowance::default();
        for n in 0..10_000_u32 {
            let now = n * Duration::from_millis(1);
            if n % 20 == 0 { allowance.turned_away(now) } else { allowance.good(now) }
        }
        assert_eq!(allowance.spacing(), Duration::ZERO);
        assert!(!allowance.is_exceeded());
    }

    #[test]
    fn an_origin_that_turns_all_away_is_not_asked_too_fast_but_fails() {
        let mut allowance = Allowance::default();
        (0..10_000_u32).for_each(|n| allowance.turned_away(n * Duration::from_millis(1)));
        assert!(!allowance.is_exceeded());
    }

    #[test]
    fn a_limit_that_is_lifted_is_forgotten() {
        let mut allowance = Allowance::default();
        for n in 0..400_u32 {
            let now = n * Duration::from_millis(1);
            if n % 4 == 0 { allowance.good(now) } else { allowance.turned_away(now) }
        }
        assert!(allowance.is_exceeded());
        (400..30_000_u32).for_each(|n| allowance.good(n * Duration::from_millis(1)));
        assert_eq!(allowance.spacing(), Duration::ZERO);
    }
}
