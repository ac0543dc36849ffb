//! Clicks from the start by the shortest way, as the record counts them (`store/src/clicks.rs`): for the site as it were
//! with links that the run did not see.

use super::{Link, Site, UrlNo};
use std::collections::{HashSet, VecDeque};

impl Site {
    /// The clicks to each URL, by number, from where visitors come in; none where links do not lead there. A redirect
    /// costs none; links that say nofollow, or stand on pages that do, are a way where the run followed them; what
    /// nobody clicks on is none.
    pub(crate) fn clicks(&self) -> Vec<Option<u32>> {
        let mut walk = Walk { site: self, clicks: vec![None; self.nodes.len()], followed: HashSet::new() };
        let mut level = VecDeque::new();
        for entrance in &self.entrances {
            walk.reach(*entrance, 0, |url| level.push_back(url));
        }
        let mut clicks = 0;
        while !level.is_empty() {
            level = walk.level(clicks, level);
            clicks += 1;
        }
        walk.clicks
    }
}

struct Walk<'s> {
    site: &'s Site,
    clicks: Vec<Option<u32>>,
    /// Sets of links that were followed: later meetings are no nearer to the start.
    followed: HashSet<u32>,
}

impl Walk<'_> {
    /// Follows the links of what is at so many clicks; gives what is one click further.
    fn level(&mut self, clicks: u32, mut level: VecDeque<UrlNo>) -> VecDeque<UrlNo> {
        let (site, mut next) = (self.site, VecDeque::new());
        while let Some(url) = level.pop_front() {
            // A redirect may have brought it nearer since it was put here.
            if self.clicks.get(url as usize) != Some(&Some(clicks)) {
                continue;
            }
            if let Some(target) = site.node(url).target {
                self.reach(target, clicks, |url| level.push_front(url));
            }
            let said = site.said(url).filter(|_| site.follows_nofollow || !site.node(url).nofollow);
            let sets = said.map(|said| &said.sets[..]).unwrap_or_default();
            for set in sets.iter().filter(|set| self.followed.insert(**set)).collect::<Vec<_>>() {
                for link in site.links.of_set(*set).iter().filter(|link| leads(site, **link)) {
                    self.reach(link.target(), clicks + 1, |url| next.push_back(url));
                }
            }
        }
        next
    }

    /// Notes that `url` is so many clicks away, if that is nearer than where it was; `enter` puts it in line.
    fn reach(&mut self, url: UrlNo, clicks: u32, enter: impl FnOnce(UrlNo)) {
        let slot = self.clicks.get_mut(url as usize);
        if let Some(slot) = slot.filter(|slot| slot.is_none_or(|known| clicks < known)) {
            *slot = Some(clicks);
            enter(url);
        }
    }
}

/// Whether a visitor comes along a link, as far as the run went.
fn leads(site: &Site, link: Link) -> bool {
    !link.is_reference() && (site.follows_nofollow || !link.nofollow())
}
