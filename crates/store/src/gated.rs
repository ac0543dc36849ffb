//! Pages that redirected a while ago: what they redirect to may be a gate that lets us through.

use mapwright_frontier::UrlId;
use std::collections::{HashMap, VecDeque};

/// So many are remembered. The way through a gate takes a few requests; those under way are far fewer.
const MOST: usize = 4096;
/// A page is asked for again behind its gate so many times: the session that the first way through began may end before
/// the page's turn comes.
const WAYS_THROUGH: u8 = 2;

/// The visits at which pages redirected, of this run's newest.
#[derive(Debug, Default)]
pub(crate) struct Gated {
    pages: HashMap<UrlId, Redirected>,
    order: VecDeque<UrlId>,
}

#[derive(Debug, Default)]
struct Redirected {
    /// The newest, until the page is asked for again.
    visit: Option<u64>,
    asked_again: u8,
}

impl Gated {
    /// Notes that a page redirected at this visit.
    pub(crate) fn note(&mut self, url: UrlId, visit: u64) {
        if !self.pages.contains_key(&url) {
            if self.order.len() >= MOST
                && let Some(oldest) = self.order.pop_front()
            {
                self.pages.remove(&oldest);
            }
            self.order.push_back(url);
        }
        self.pages.entry(url).or_default().visit = Some(visit);
    }

    /// The visit at which a page redirected, if it is to be asked for again: a few times, not for ever.
    pub(crate) fn take(&mut self, url: UrlId) -> Option<u64> {
        let page = self.pages.get_mut(&url).filter(|page| page.asked_again < WAYS_THROUGH)?;
        let visit = page.visit.take()?;
        page.asked_again += 1;
        Some(visit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_let_through_once_a_redirect_and_twice_in_all() {
        let mut gated = Gated::default();
        let mut redirected = |visit| {
            gated.note(UrlId(7), visit);
            (gated.take(UrlId(7)), gated.take(UrlId(7)))
        };
        assert_eq!([3, 5, 8].map(&mut redirected), [(Some(3), None), (Some(5), None), (None, None)]);
    }

    #[test]
    fn the_oldest_are_forgotten() {
        let mut gated = Gated::default();
        (0..=MOST as u32).for_each(|number| gated.note(UrlId(number), 1));
        assert_eq!((gated.take(UrlId(0)), gated.take(UrlId(1))), (None, Some(1)));
    }
}
