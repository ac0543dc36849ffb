//! The clicks from the start by the shortest path, as the record counts them (`store/src/judge/clicks.rs`), for the site as
//! it would be with links that the run did not see.

use super::{Site, SiteLink, UrlNo};
use std::collections::{HashSet, VecDeque};

impl Site {
    /// Returns the clicks to each URL, by number, from the entry pages; none if links do not lead there. A redirect
    /// costs no click. A nofollow link counts if the run followed such links; a link that visitors cannot click does
    /// not count.
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
    /// Link sets that were followed: a page that has one of them later is no nearer to the start.
    followed: HashSet<u32>,
}

impl Walk<'_> {
    /// Follows the links of the URLs at `clicks`, and returns the URLs one click further.
    fn level(&mut self, clicks: u32, mut level: VecDeque<UrlNo>) -> VecDeque<UrlNo> {
        let (site, mut next) = (self.site, VecDeque::new());
        while let Some(url) = level.pop_front() {
            // A redirect may have brought the URL nearer since it was queued.
            if self.clicks.get(url as usize) != Some(&Some(clicks)) {
                continue;
            }
            if let Some(target) = site.node(url).target {
                self.reach(target, clicks, |url| level.push_front(url));
            }
            let page_contents = site.page_content(url).filter(|_| site.follows_nofollow || !site.node(url).nofollow);
            let sets = page_contents.map(|page_contents| &page_contents.sets[..]).unwrap_or_default();
            for set in sets.iter().filter(|set| self.followed.insert(**set)).collect::<Vec<_>>() {
                for link in site.links.of_set(*set).iter().filter(|link| leads(site, **link)) {
                    self.reach(link.target(), clicks + 1, |url| next.push_back(url));
                }
            }
        }
        next
    }

    /// Sets the clicks to `url` if they are fewer than before; `enter` then queues it.
    fn reach(&mut self, url: UrlNo, clicks: u32, enter: impl FnOnce(UrlNo)) {
        let slot = self.clicks.get_mut(url as usize);
        if let Some(slot) = slot.filter(|slot| slot.is_none_or(|known| clicks < known)) {
            *slot = Some(clicks);
            enter(url);
        }
    }
}

/// Returns true if a visitor can follow a link, as far as the run did.
fn leads(site: &Site, link: SiteLink) -> bool {
    !link.is_reference() && (site.follows_nofollow || !link.nofollow())
}
