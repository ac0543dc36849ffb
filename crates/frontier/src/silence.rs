//! When an origin counts as down.

use crate::task::UrlId;
use std::collections::HashSet;

/// Distinct URLs in a row that got no response head at all.
///
/// One URL tried thrice is one URL: a single bad page never takes a site down.
#[derive(Debug, Default)]
pub(crate) struct Silence {
    urls: HashSet<UrlId>,
}

/// Fewest URLs in a row that prove an origin down; never fewer than may be in flight at once, twice over.
const LEAST: usize = 20;

impl Silence {
    /// A response head came: the origin is alive.
    pub(crate) fn broken(&mut self) {
        if !self.urls.is_empty() {
            self.urls.clear();
        }
    }

    /// No head came for this URL. Whether the origin is down by that.
    pub(crate) fn lasts(&mut self, url: Option<UrlId>, concurrency: usize) -> bool {
        if let Some(url) = url {
            self.urls.insert(url);
        }
        self.urls.len() >= LEAST.max(2 * concurrency)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_distinct_urls_in_a_row_take_an_origin_down_and_one_url_never_does() {
        let mut silence = Silence::default();
        for _ in 0..100 {
            assert!(!silence.lasts(Some(UrlId(1)), 4));
        }
        silence.broken();
        for id in 0..19 {
            assert!(!silence.lasts(Some(UrlId(id)), 4));
        }
        assert!(silence.lasts(Some(UrlId(19)), 4));
    }

    #[test]
    fn one_answer_starts_the_count_anew() {
        let mut silence = Silence::default();
        for id in 0..19 {
            silence.lasts(Some(UrlId(id)), 1);
        }
        silence.broken();
        assert!(!silence.lasts(Some(UrlId(50)), 1));
    }

    #[test]
    fn as_many_as_may_be_in_flight_at_once_prove_nothing() {
        let mut silence = Silence::default();
        for id in 0..63 {
            assert!(!silence.lasts(Some(UrlId(id)), 32));
        }
        assert!(silence.lasts(Some(UrlId(63)), 32));
    }
}
