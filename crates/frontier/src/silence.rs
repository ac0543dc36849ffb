//! When an origin counts as down.

use crate::task::UrlId;
use std::collections::HashSet;
use std::time::Duration;

/// Distinct URLs in a row that got no response head at all, and for how long.
///
/// One URL tried thrice is one URL: a single bad page never takes a site down. Nor does a moment: a server that is
/// started anew takes no connection for some seconds, in which a crawl could ask for all its pages.
#[derive(Debug, Default)]
pub(crate) struct Silence {
    urls: HashSet<UrlId>,
    since: Option<Duration>,
}

/// Fewest URLs in a row that prove an origin down; never fewer than may be in flight at once, twice over.
const LEAST: usize = 20;
/// Shortest silence that proves it.
const LONG: Duration = Duration::from_secs(10);
/// URLs in a row by which an origin may be down.
const FEW: usize = 5;

impl Silence {
    /// A response head came: the origin is alive. Whether it may have been down.
    pub(crate) fn broken(&mut self) -> bool {
        let was_silent = self.urls.len() >= FEW;
        if self.since.is_some() {
            *self = Self::default();
        }
        was_silent
    }

    /// No head came for this URL. Whether the origin is down by that.
    pub(crate) fn lasts(&mut self, now: Duration, url: Option<UrlId>, concurrency: usize) -> bool {
        let Some(url) = url else { return false };
        let since = *self.since.get_or_insert(now);
        self.urls.insert(url);
        self.urls.len() >= LEAST.max(2 * concurrency) && now >= since + LONG
    }

    /// Whether it may be down: it had better be asked more slowly, or all that waits fails in vain. Where that time has
    /// passed and nothing is proven, these are single pages that fail.
    pub(crate) fn may_mean_down(&self, now: Duration) -> bool {
        self.urls.len() >= FEW && self.since.is_some_and(|since| now < since + LONG)
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
