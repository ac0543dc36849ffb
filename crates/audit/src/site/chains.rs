//! Chains of URLs: redirects, canonicals, sitemaps and robots files that moved.

use super::{Node, NodeStatus, Site, UrlNo};
use mapwright_model::Unfetched;
use std::collections::{HashMap, HashSet};

/// The fewest hops that a chain is followed for, whatever the crawl followed.
pub(crate) const MAX_HOPS: usize = 30;

/// A chain of URLs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Chain {
    /// First to last, without the URL that the chain begins at. None occurs twice.
    pub(crate) urls: Vec<UrlNo>,
    /// The end of the chain.
    pub(crate) end: ChainEnd,
}

/// The end of a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChainEnd {
    /// The last URL leads to no other.
    There,
    /// The last URL leads back to a URL of the chain, or to its beginning.
    Circle(UrlNo),
    /// The chain is longer than the limit.
    Beyond,
}

impl Chain {
    /// Returns the last URL; none if the chain is empty, or leads back to its beginning.
    pub(crate) fn last(&self) -> Option<UrlNo> {
        self.urls.last().copied()
    }
}

/// Follows `next` from a URL, for at most `most` hops. Every chain needs such a limit: a site may be one long chain,
/// and then each of its URLs begins one as long as the site.
pub(crate) fn follow(from: UrlNo, most: usize, next: impl Fn(UrlNo) -> Option<UrlNo>) -> Chain {
    let mut urls = Vec::new();
    let mut at = from;
    loop {
        let end = match next(at) {
            None => ChainEnd::There,
            Some(known) if known == from || urls.contains(&known) => ChainEnd::Circle(known),
            Some(_) if urls.len() >= most => ChainEnd::Beyond,
            Some(further) => {
                urls.push(further);
                at = further;
                continue;
            }
        };
        return Chain { urls, end };
    }
}

/// Returns the URLs on circles of `next` that can be reached from `from`, in linear time, however long a circle is.
pub(crate) fn cycles(from: impl Iterator<Item = UrlNo>, next: impl Fn(UrlNo) -> Option<UrlNo>) -> HashSet<UrlNo> {
    // The start of the chain on which each URL was first reached.
    let mut met: HashMap<UrlNo, UrlNo> = HashMap::new();
    let mut cycles = HashSet::new();
    for start in from {
        let mut at = Some(start);
        while let Some(url) = at.filter(|url| !met.contains_key(url)) {
            met.insert(url, start);
            at = next(url);
        }
        let mut around = at.filter(|url| met.get(url) == Some(&start));
        while let Some(url) = around.filter(|url| cycles.insert(*url)) {
            around = next(url);
        }
    }
    cycles
}

impl Site {
    /// Returns the most hops that a chain is followed for: at least as many as the crawl followed.
    fn most_hops(&self) -> usize {
        self.max_redirects.max(MAX_HOPS)
    }

    /// Returns the target of a redirect; none if the URL does not redirect. A refresh is not a redirect: its page
    /// answers.
    #[must_use]
    pub fn hop(&self, url: UrlNo) -> Option<UrlNo> {
        hop(&self.node(url))
    }

    /// Returns the final target of redirects from a URL; the URL itself if it does not redirect.
    pub(crate) fn end_of(&self, url: UrlNo) -> UrlNo {
        self.chain(url).last().unwrap_or(url)
    }

    /// Returns the URLs that a redirect leads through, up to its final target.
    pub(crate) fn chain(&self, from: UrlNo) -> Chain {
        follow(from, self.most_hops(), |at| self.hop(at))
    }

    /// Returns the chain of a redirect of another site.
    pub(crate) fn external_chain(&self, from: UrlNo) -> Chain {
        follow(from, self.most_hops(), |at| hop(self.external.get(&at)?))
    }

    /// Returns the chain of redirects of a sitemap or feed.
    pub(super) fn file_chain(&self, from: UrlNo) -> Chain {
        follow(from, self.most_hops(), |at| {
            self.files.get(&at).filter(|file| file.fetch_status == NodeStatus::Redirect)?.target
        })
    }

    /// Returns the chain of redirects of a robots file.
    pub(super) fn robots_chain(&self, from: UrlNo) -> Chain {
        follow(from, self.most_hops(), |at| self.robots_hops.get(&at).copied())
    }

    /// Returns the targets of the site's redirects, each with one URL that redirects there.
    pub(crate) fn redirected_to(&self) -> HashMap<UrlNo, UrlNo> {
        self.nodes().filter_map(|(url, node)| Some((hop(node)?, url))).collect()
    }

    /// Returns true if a redirect chain ended at the limit before this URL, which was not requested.
    pub(crate) fn is_cut_at(&self, last: UrlNo) -> bool {
        self.node(last).fetch_status == NodeStatus::Refused(Unfetched::Redirects)
    }
}

fn hop(node: &Node) -> Option<UrlNo> {
    node.target.filter(|_| node.fetch_status == NodeStatus::Redirect)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_ends_at_its_last_url_at_a_loop_or_at_the_limit() {
        let chain = |urls: &[UrlNo], end| Chain { urls: urls.to_vec(), end };
        let ahead = |at: UrlNo| (at < 5).then_some(at + 1);
        assert_eq!(follow(2, 3, ahead), chain(&[3, 4, 5], ChainEnd::There));
        assert_eq!(follow(1, 3, ahead), chain(&[2, 3, 4], ChainEnd::Beyond));
        assert_eq!(follow(1, 9, |at| Some(at % 3 + 1)), chain(&[2, 3], ChainEnd::Circle(1)));
        assert_eq!(follow(9, 9, |at| Some(at % 3 + 1)), chain(&[1, 2, 3], ChainEnd::Circle(1)));
        assert_eq!(follow(1, 9, Some), chain(&[], ChainEnd::Circle(1)));
    }

    #[test]
    fn urls_in_a_circle_are_distinguished_from_urls_that_lead_to_it() {
        let next = |at: UrlNo| [1, 2, 0, 2, 3, 5].get(at as usize).copied();
        for order in [[0, 1, 2, 3, 4, 5, 6], [6, 5, 4, 3, 2, 1, 0]] {
            assert_eq!(cycles(order.into_iter(), next), HashSet::from([0, 1, 2, 5]));
        }
    }
}
