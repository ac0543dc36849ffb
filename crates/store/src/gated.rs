//! Pages that redirected a while ago: what they redirect to may be a gate that lets us through.

use mapwright_frontier::UrlId;
use std::collections::{HashMap, VecDeque};

/// So many are remembered. The way through a gate takes a few requests; those under way are far fewer.
const MOST: usize = 4096;

/// The visits at which pages redirected, of this run's newest.
#[derive(Debug, Default)]
pub(crate) struct Gated {
    visits: HashMap<UrlId, u64>,
    order: VecDeque<UrlId>,
}

impl Gated {
    /// Notes that a page redirected at this visit.
    pub(crate) fn note(&mut self, url: UrlId, visit: u64) {
        if self.order.len() >= MOST
            && let Some(oldest) = self.order.pop_front()
        {
            self.visits.remove(&oldest);
        }
        self.visits.insert(url, visit);
        self.order.push_back(url);
    }

    /// The visit at which a page redirected, once: it is asked for once more, not for ever.
    pub(crate) fn take(&mut self, url: UrlId) -> Option<u64> {
        self.visits.remove(&url)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_let_through_once() {
        let mut gated = Gated::default();
        gated.note(UrlId(7), 3);
        assert_eq!(gated.take(UrlId(7)), Some(3));
        assert_eq!(gated.take(UrlId(7)), None);
    }

    #[test]
    fn the_oldest_are_forgotten() {
        let mut gated = Gated::default();
        (0..=MOST as u32).for_each(|number| gated.note(UrlId(number), 1));
        assert_eq!((gated.take(UrlId(0)), gated.take(UrlId(1))), (None, Some(1)));
    }
}
