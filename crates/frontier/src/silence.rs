//! When an origin is suspected to be down: it gives no answers.

use crate::task::UrlId;
use std::collections::HashSet;
use std::time::Duration;

/// Distinct URLs in a row that got no response head at all when requested for the first time, and for how long.
///
/// They prove nothing: pages may stall by themselves. They are the reason for a health probe. One URL is one, however
/// often it is tried: a single page never makes an origin suspect. Nor does a moment: a server that is restarted takes
/// no connection for some seconds, in which a crawl could request all its pages.
#[derive(Debug, Default)]
pub(crate) struct Silence {
    urls: HashSet<UrlId>,
    since: Option<Duration>,
    /// Health probes that were answered while pages were not.
    cleared: u32,
}

/// Fewest URLs in a row that make an origin suspect; never fewer than may be in flight at once, twice over. After each
/// health probe that was answered, twice as many.
const LEAST: usize = 20;
const MOST_CLEARED: u32 = 10;
/// The same, where nothing else is left to request.
const LEAST_AT_THE_END: usize = 10;
/// Shortest silence that makes it suspect.
const LONG: Duration = Duration::from_secs(10);
/// URLs in a row by which an origin may be down.
const FEW: usize = 5;

impl Silence {
    /// A response head came: the origin is alive. Whether it may have been down.
    pub(crate) fn broken(&mut self) -> bool {
        let was_silent = self.urls.len() >= FEW;
        if self.since.is_some() {
            self.urls.clear();
            self.since = None;
        }
        was_silent
    }

    /// A health probe was answered: these pages stall by themselves.
    pub(crate) fn cleared(&mut self) {
        if self.broken() {
            self.cleared = (self.cleared + 1).min(MOST_CLEARED);
        }
    }

    /// No head came for this URL. Whether the origin is suspect by that.
    pub(crate) fn lasts(&mut self, now: Duration, url: Option<UrlId>, concurrency: usize) -> bool {
        let Some(url) = url else { return false };
        let since = *self.since.get_or_insert(now);
        self.urls.insert(url);
        self.urls.len() >= LEAST.max(2 * concurrency) << self.cleared && now >= since + LONG
    }

    /// From when on it is suspect, where nothing else is left to request.
    pub(crate) fn suspect_at(&self) -> Option<Duration> {
        self.since.filter(|_| self.urls.len() >= LEAST_AT_THE_END).map(|since| since + LONG)
    }

    /// Whether it may be down: it had better be asked more slowly, or all that waits fails in vain. Where that time has
    /// passed, or a health probe was answered, these are single pages that fail.
    pub(crate) fn may_mean_down(&self, now: Duration) -> bool {
        let is_recent = self.since.is_some_and(|since| now < since + LONG);
        self.cleared == 0 && self.urls.len() >= FEW && is_recent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the last of so many distinct URLs without an answer, one each `step`, takes the origin down.
    fn down(silence: &mut Silence, urls: u32, step: Duration, concurrency: usize) -> bool {
        (0..urls).map(|n| silence.lasts(n * step, Some(UrlId(n)), concurrency)).last().unwrap()
    }

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn many_distinct_urls_in_a_row_take_an_origin_down_and_one_url_never_does() {
        let mut silence = Silence::default();
        assert!((0..100).all(|n| !silence.lasts(n * SECOND, Some(UrlId(1)), 4)));
        silence.broken();
        assert!(!down(&mut silence, 19, SECOND, 4));
        assert!(silence.lasts(19 * SECOND, Some(UrlId(19)), 4));
    }

    #[test]
    fn after_a_health_probe_that_was_answered_twice_as_many_are_needed() {
        let mut silence = Silence::default();
        assert!(down(&mut silence, 20, SECOND, 1));
        silence.cleared();
        assert!(!down(&mut silence, 39, SECOND, 1));
        assert!(silence.lasts(39 * SECOND, Some(UrlId(39)), 1));
    }

    #[test]
    fn at_the_end_half_as_many_are_enough() {
        let mut silence = Silence::default();
        down(&mut silence, 9, SECOND, 1);
        assert_eq!(silence.suspect_at(), None);
        down(&mut silence, 10, SECOND, 1);
        assert_eq!(silence.suspect_at(), Some(LONG));
    }

    #[test]
    fn one_answer_starts_the_count_anew() {
        let mut silence = Silence::default();
        down(&mut silence, 19, SECOND, 1);
        silence.broken();
        assert!(!silence.lasts(20 * SECOND, Some(UrlId(50)), 1));
    }

    #[test]
    fn as_many_as_may_be_in_flight_at_once_prove_nothing() {
        let mut silence = Silence::default();
        assert!(!down(&mut silence, 63, SECOND, 32));
        assert!(silence.lasts(63 * SECOND, Some(UrlId(63)), 32));
    }

    #[test]
    fn a_server_that_is_started_anew_is_not_down() {
        let mut silence = Silence::default();
        assert!(!down(&mut silence, 900, Duration::from_millis(11), 16));
        assert!(silence.may_mean_down(LONG / 2));
        assert!(!silence.may_mean_down(LONG), "not proven by then: single pages");
        assert!(silence.lasts(LONG, Some(UrlId(901)), 16));
    }
}
