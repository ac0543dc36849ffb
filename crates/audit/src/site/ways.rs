//! Ways from URL to URL: redirects, canonicals, sitemaps and robots files that moved.

use super::{Fate, Node, Site, UrlNo};
use mapwright_frontier::Unfetched;
use std::collections::{HashMap, HashSet};

/// URLs on a way that are told, at least: as far as one is followed, wherever it leads.
pub(crate) const MOST_HOPS: usize = 30;

/// The URLs that are come to one after another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Way {
    /// First to last, the URL that the way begins at apart. None is there twice.
    pub(crate) urls: Vec<UrlNo>,
    /// What comes behind the last.
    pub(crate) end: WayEnd,
}

/// What comes behind the last URL of a way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WayEnd {
    /// Nothing.
    There,
    /// A URL that the way came through before, or began at.
    Circle(UrlNo),
    /// Another one: it is further than ways are followed.
    Beyond,
}

impl Way {
    /// The last URL; none where the way leads nowhere, or back to where it begins.
    pub(crate) fn last(&self) -> Option<UrlNo> {
        self.urls.last().copied()
    }
}

/// Follows `next` from a URL, over at most `most` others. No way is to be followed without such a limit: sites may be
/// one, and then each of their URLs has one that is as long as the site.
pub(crate) fn follow(from: UrlNo, most: usize, next: impl Fn(UrlNo) -> Option<UrlNo>) -> Way {
    let mut urls = Vec::new();
    let mut at = from;
    loop {
        let end = match next(at) {
            None => WayEnd::There,
            Some(known) if known == from || urls.contains(&known) => WayEnd::Circle(known),
            Some(_) if urls.len() >= most => WayEnd::Beyond,
            Some(further) => {
                urls.push(further);
                at = further;
                continue;
            }
        };
        return Way { urls, end };
    }
}

/// The URLs that following `next` leads back to, of those that some of `from` lead to: linear, however long a circle is.
pub(crate) fn circles(from: impl Iterator<Item = UrlNo>, next: impl Fn(UrlNo) -> Option<UrlNo>) -> HashSet<UrlNo> {
    // On which way each was come to first.
    let mut met: HashMap<UrlNo, UrlNo> = HashMap::new();
    let mut circles = HashSet::new();
    for start in from {
        let mut at = Some(start);
        while let Some(url) = at.filter(|url| !met.contains_key(url)) {
            met.insert(url, start);
            at = next(url);
        }
        let mut around = at.filter(|url| met.get(url) == Some(&start));
        while let Some(url) = around.filter(|url| circles.insert(*url)) {
            around = next(url);
        }
    }
    circles
}

impl Site {
    /// URLs that a way is followed over: as far as the crawl went, at least.
    fn most_hops(&self) -> usize {
        self.max_redirects.max(MOST_HOPS)
    }

    /// Where a redirecting URL leads; nothing for what does not redirect. A refresh is none: its page answers.
    #[must_use]
    pub fn hop(&self, url: UrlNo) -> Option<UrlNo> {
        hop(&self.node(url))
    }

    /// Where redirects from a URL end; itself where it does not redirect.
    pub(crate) fn end_of(&self, url: UrlNo) -> UrlNo {
        self.way(url).last().unwrap_or(url)
    }

    /// The URLs that a redirect leads through, one after another, the last one being where it ends.
    pub(crate) fn way(&self, from: UrlNo) -> Way {
        follow(from, self.most_hops(), |at| self.hop(at))
    }

    /// The same of a redirect of another site.
    pub(crate) fn external_way(&self, from: UrlNo) -> Way {
        follow(from, self.most_hops(), |at| hop(self.external.get(&at)?))
    }

    /// The same of a sitemap or feed.
    pub(super) fn file_way(&self, from: UrlNo) -> Way {
        follow(from, self.most_hops(), |at| self.files.get(&at).filter(|file| file.fate == Fate::Redirect)?.target)
    }

    /// The same of a robots file.
    pub(super) fn robots_way(&self, from: UrlNo) -> Way {
        follow(from, self.most_hops(), |at| self.robots_hops.get(&at).copied())
    }

    /// The URLs to which redirects of the site lead in one hop, each with one that does.
    pub(crate) fn redirected_to(&self) -> HashMap<UrlNo, UrlNo> {
        self.nodes().filter_map(|(url, node)| Some((hop(node)?, url))).collect()
    }

    /// Whether a way of redirects was not followed beyond this URL, which was not asked for.
    pub(crate) fn is_cut_at(&self, last: UrlNo) -> bool {
        self.node(last).fate == Fate::Refused(Unfetched::Redirects)
    }
}

fn hop(node: &Node) -> Option<UrlNo> {
    node.target.filter(|_| node.fate == Fate::Redirect)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_ends_where_nothing_follows_or_what_was_met_or_too_much() {
        let way = |urls: &[UrlNo], end| Way { urls: urls.to_vec(), end };
        let ahead = |at: UrlNo| (at < 5).then_some(at + 1);
        assert_eq!(follow(2, 3, ahead), way(&[3, 4, 5], WayEnd::There));
        assert_eq!(follow(1, 3, ahead), way(&[2, 3, 4], WayEnd::Beyond));
        assert_eq!(follow(1, 9, |at| Some(at % 3 + 1)), way(&[2, 3], WayEnd::Circle(1)));
        assert_eq!(follow(9, 9, |at| Some(at % 3 + 1)), way(&[1, 2, 3], WayEnd::Circle(1)));
        assert_eq!(follow(1, 9, Some), way(&[], WayEnd::Circle(1)));
    }

    #[test]
    fn what_lies_in_a_circle_is_told_from_what_leads_there() {
        let next = |at: UrlNo| [1, 2, 0, 2, 3, 5].get(at as usize).copied();
        for order in [[0, 1, 2, 3, 4, 5, 6], [6, 5, 4, 3, 2, 1, 0]] {
            assert_eq!(circles(order.into_iter(), next), HashSet::from([0, 1, 2, 5]));
        }
    }
}
