//! Suspects that an origin is down when it gives no responses.

use mapwright_model::UrlId;
use std::collections::HashSet;
use std::time::Duration;

/// Distinct URLs in a row that got no response head on their first request, and since when.
///
/// Such URLs prove nothing, since single pages may stall; they are the reason for a health probe. Each URL counts once,
/// however often it is tried, so a single page never makes an origin suspect. A short silence does not either: a server
/// that restarts accepts no connection for some seconds, in which a crawl could request all its pages.
#[derive(Debug, Default)]
pub(crate) struct Silence {
    urls: HashSet<UrlId>,
    since: Option<Duration>,
    /// Health probes that succeeded while pages got no response.
    probes_passed: u32,
}

/// Fewest URLs in a row that make an origin suspect, and at least twice the concurrency. Doubled after each health
/// probe that succeeded.
const LEAST: usize = 20;
const MAX_CLEARED: u32 = 10;
/// The same number where nothing else is left to request.
const LEAST_AT_THE_END: usize = 10;
/// Shortest silence that makes an origin suspect.
const LONG: Duration = Duration::from_secs(10);
/// URLs in a row after which an origin may be down.
const FEW: usize = 5;

impl Silence {
    /// Ends the silence: a response head came. Returns whether the origin may have been down.
    pub(crate) fn broken(&mut self) -> bool {
        let was_silent = self.urls.len() >= FEW;
        if self.since.is_some() {
            self.urls.clear();
            self.since = None;
        }
        was_silent
    }

    /// Notes a successful health probe: the pages themselves stall.
    pub(crate) fn probe_passed(&mut self) {
        if self.broken() {
            self.probes_passed = (self.probes_passed + 1).min(MAX_CLEARED);
        }
    }

    /// Notes that no head came for this URL. Returns whether the origin is now suspect.
    pub(crate) fn lasts(&mut self, now: Duration, url: Option<UrlId>, concurrency: usize) -> bool {
        let Some(url) = url else { return false };
        let since = *self.since.get_or_insert(now);
        self.urls.insert(url);
        self.urls.len() >= LEAST.max(2 * concurrency) << self.probes_passed && now >= since + LONG
    }

    /// Returns the time from which the origin is suspect, where nothing else is left to request.
    pub(crate) fn suspect_at(&self) -> Option<Duration> {
        self.since.filter(|_| self.urls.len() >= LEAST_AT_THE_END).map(|since| since + LONG)
    }

    /// Reports whether the origin may be down and requests are therefore slowed, so that the queued ones do not all
    /// fail. After that time, or after a successful health probe, single pages are the cause.
    pub(crate) fn may_mean_down(&self, now: Duration) -> bool {
        let is_recent = self.since.is_some_and(|since| now < since + LONG);
        self.probes_passed == 0 && self.urls.len() >= FEW && is_recent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Requests `urls` distinct URLs without a response, one each `step`. Returns whether the last one makes the origin
    /// suspect.
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
        silence.probe_passed();
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
    fn one_response_restarts_the_count() {
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
    fn a_server_that_restarts_is_not_down() {
        let mut silence = Silence::default();
        assert!(!down(&mut silence, 900, Duration::from_millis(11), 16));
        assert!(silence.may_mean_down(LONG / 2));
        assert!(!silence.may_mean_down(LONG), "not proven by then: single pages");
        assert!(silence.lasts(LONG, Some(UrlId(901)), 16));
    }
}
