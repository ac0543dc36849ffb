//! Which robots files are the site's own, and where requests for them led.

use super::{Fate, Node, Site, UrlNo, WayEnd};
use mapwright_web::{PageUrl, origin_of};
use std::collections::{HashMap, HashSet};

/// Where requests for robots files led, told of all at once: there is one for each host that links lead to, and hosts
/// may be as many as URLs.
#[derive(Debug, Default)]
pub(crate) struct RobotsWays {
    /// The origins with pages in the crawl.
    own: HashSet<Box<str>>,
    /// The robots files that redirect to another, by where they end.
    redirected: HashMap<UrlNo, Vec<UrlNo>>,
    /// Robots files that were read.
    read: HashSet<UrlNo>,
}

impl RobotsWays {
    pub(super) fn of(site: &Site) -> Self {
        let mut redirected: HashMap<UrlNo, Vec<UrlNo>> = HashMap::new();
        for robots in site.robots_hops.keys() {
            if let Some(end) = site.robots_end(*robots) {
                redirected.entry(end).or_default().push(*robots);
            }
        }
        let read = site.robots.keys().copied().collect();
        Self { own: own(site), redirected, read }
    }
}

/// The origins with pages in the crawl. Where an origin's robots.txt forbids all because it cannot be had, these pages
/// were met, and not asked for.
fn own(site: &Site) -> HashSet<Box<str>> {
    let is_asked = |node: &Node| node.in_scope() && (node.status != 0 || node.fate == Fate::RobotsUnavailable);
    let asked = site.nodes().filter(|(_, node)| is_asked(node)).map(|(url, _)| url);
    let mut own: HashSet<Box<str>> = HashSet::new();
    for origin in site.starts.iter().copied().chain(asked).map(|url| origin_of(site.text(url))) {
        if !own.contains(origin) {
            own.insert(origin.into());
        }
    }
    own
}

impl Site {
    /// The robots files, of whatever site, that a request which ended here was made for: redirects of robots.txt are
    /// followed, and their end counts for the origin that was asked (RFC 9309, section 2.3.1.2).
    pub(super) fn all_robots_led_to(&self, end: UrlNo) -> impl Iterator<Item = UrlNo> {
        let itself = (!self.robots_hops.contains_key(&end)).then_some(end);
        let redirected = self.robots_ways().redirected.get(&end).into_iter().flatten().copied();
        itself.into_iter().chain(redirected).filter(|robots| {
            PageUrl::recorded(self.text(*robots)).is_some_and(|url| url.path_and_query() == "/robots.txt")
        })
    }

    /// Those of them that are the site's: of origins with pages in the crawl.
    #[must_use]
    pub fn robots_led_to(&self, end: UrlNo) -> Vec<UrlNo> {
        self.all_robots_led_to(end).filter(|robots| self.is_of_own_origin(*robots)).collect()
    }

    /// The robots files of the site whose redirects come to no end that was asked for.
    #[must_use]
    pub fn robots_led_nowhere(&self) -> Vec<UrlNo> {
        let is_known = |end: UrlNo| self.robots_failed.contains_key(&end) || self.robots_ways().read.contains(&end);
        let robots = self.robots_hops.keys().copied().filter(|robots| self.is_own_robots(*robots));
        robots.filter(|robots| !self.robots_end(*robots).is_some_and(is_known)).collect()
    }

    /// Where a request for a robots file ends; nothing where it turns in a circle, or leads further than is followed.
    pub(crate) fn robots_end(&self, robots: UrlNo) -> Option<UrlNo> {
        let way = self.robots_way(robots);
        (way.end == WayEnd::There).then(|| way.last().unwrap_or(robots))
    }

    /// Whether this is the URL of the robots file of an origin with pages in the crawl, and of no other site's.
    pub(crate) fn is_own_robots(&self, url: UrlNo) -> bool {
        let text = PageUrl::recorded(self.text(url));
        text.is_some_and(|text| text.path_and_query() == "/robots.txt") && self.is_of_own_origin(url)
    }

    /// Whether a robots file was read.
    pub(crate) fn has_read_robots(&self, url: UrlNo) -> bool {
        self.robots_ways().read.contains(&url)
    }

    fn is_of_own_origin(&self, url: UrlNo) -> bool {
        self.robots_ways().own.contains(origin_of(self.text(url)))
    }

    fn robots_ways(&self) -> &RobotsWays {
        self.robots_ways.get_or_init(|| RobotsWays::of(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A site of many pages that links to many hosts.
    fn hosts_and_pages(hosts: UrlNo, pages: UrlNo) -> Site {
        let mut site = Site { starts: vec![hosts], ..Site::default() };
        (0..hosts).for_each(|host| site.urls.push(host, &format!("http://{host}.example/robots.txt")));
        (0..pages).for_each(|page| site.urls.push(hosts + page, &format!("http://example.com/{page}")));
        site.nodes.resize(site.urls.len(), Node::default());
        for node in site.nodes.iter_mut().skip(hosts as usize) {
            (node.fate, node.status) = (Fate::Page, 200);
        }
        site
    }

    #[test]
    fn the_robots_files_of_other_hosts_cost_no_look_at_each_page() {
        let mut site = hosts_and_pages(30_000, 500_000);
        site.robots_failed = (0..30_000).map(|host| (host, (Fate::Status, 503))).collect();
        assert!((0..30_000).all(|host| site.robots_led_to(host).is_empty()));
        assert!(site.published().is_whole(), "none of the lost ones is the site's");
        for _ in 0..30_000 {
            assert!(site.published().is_whole());
        }
    }

    #[test]
    fn robots_files_that_redirect_to_each_other_are_followed_as_far_as_a_way_goes() {
        let circle = |hosts: std::ops::Range<UrlNo>| Site {
            robots_hops: hosts.map(|host| (host, (host + 1) % 50_000)).collect(),
            ..hosts_and_pages(50_000, 1)
        };
        let site = circle(0..50_000);
        assert_eq!((site.robots_end(0), site.robots_led_to(7).len()), (None, 0));
        let site = circle(0..49_999);
        assert_eq!((site.robots_end(49_990), site.all_robots_led_to(49_999).count()), (Some(49_999), 31));
        assert!(site.robots_led_nowhere().is_empty(), "none of them is the site's");
    }
}
