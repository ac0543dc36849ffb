//! Pages that redirected recently: the target may be a cookie wall that redirects back to the page.

use mapwright_model::UrlId;
use std::collections::{HashMap, VecDeque};

/// The most pages remembered. Passing a cookie wall takes a few requests, so far fewer pages are under way at once.
const MAX_STORED: usize = 4096;
/// The number of times that a page is requested again after its cookie wall. More than one, because the first session
/// may end before the page is requested.
const WAYS_THROUGH: u8 = 2;

/// The pages of this run that redirected most recently, with the visits at which they did.
#[derive(Debug, Default)]
pub(crate) struct CookieWalls {
    pages: HashMap<UrlId, Redirected>,
    order: VecDeque<UrlId>,
}

#[derive(Debug, Default)]
struct Redirected {
    /// The newest visit, until the page is requested again.
    visit: Option<u64>,
    retried: u8,
}

impl CookieWalls {
    /// Notes that a page redirected at this visit.
    pub(crate) fn note(&mut self, url: UrlId, visit: u64) {
        if !self.pages.contains_key(&url) {
            if self.order.len() >= MAX_STORED
                && let Some(oldest) = self.order.pop_front()
            {
                self.pages.remove(&oldest);
            }
            self.order.push_back(url);
        }
        self.pages.entry(url).or_default().visit = Some(visit);
    }

    /// The visit at which a page redirected, if the page may be requested again; `None` once the limit is reached.
    pub(crate) fn take(&mut self, url: UrlId) -> Option<u64> {
        let page = self.pages.get_mut(&url).filter(|page| page.retried < WAYS_THROUGH)?;
        let visit = page.visit.take()?;
        page.retried += 1;
        Some(visit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_requested_again_once_per_redirect_and_twice_in_all() {
        let mut cookie_walls = CookieWalls::default();
        let mut redirected = |visit| {
            cookie_walls.note(UrlId(7), visit);
            (cookie_walls.take(UrlId(7)), cookie_walls.take(UrlId(7)))
        };
        assert_eq!([3, 5, 8].map(&mut redirected), [(Some(3), None), (Some(5), None), (None, None)]);
    }

    #[test]
    fn the_oldest_are_forgotten() {
        let mut cookie_walls = CookieWalls::default();
        (0..=MAX_STORED as u32).for_each(|number| cookie_walls.note(UrlId(number), 1));
        assert_eq!((cookie_walls.take(UrlId(0)), cookie_walls.take(UrlId(1))), (None, Some(1)));
    }
}
