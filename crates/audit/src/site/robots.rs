//! The robots files of the site, and their redirects.

use super::robots_chains::RobotsChains;
use super::robots_file::RobotsFile;
use super::{ChainEnd, Node, NodeStatus, Site, UrlNo};
use mapwright_web::{PageUrl, origin_of};
use std::collections::{HashMap, HashSet};

impl RobotsChains {
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

/// Returns the origins with pages in the crawl. Where robots.txt disallows everything because it cannot be fetched,
/// these pages were discovered but not requested.
fn own(site: &Site) -> HashSet<Box<str>> {
    let is_requested =
        |node: &Node| node.in_scope() && (node.status != 0 || node.fetch_status == NodeStatus::RobotsUnavailable);
    let requested = site.nodes().filter(|(_, node)| is_requested(node)).map(|(url, _)| url);
    let mut own: HashSet<Box<str>> = HashSet::new();
    for origin in site.starts.iter().copied().chain(requested).map(|url| origin_of(site.text(url))) {
        if !own.contains(origin) {
            own.insert(origin.into());
        }
    }
    own
}

impl Site {
    /// Returns the robots files, of any site, that end at this URL: redirects of robots.txt are followed, and the final
    /// file counts for the origin that was requested (RFC 9309, section 2.3.1.2).
    pub(super) fn all_robots_led_to(&self, end: UrlNo) -> impl Iterator<Item = UrlNo> {
        let itself = (!self.robots_hops.contains_key(&end)).then_some(end);
        let redirected = self.robots_chains().redirected.get(&end).into_iter().flatten().copied();
        itself.into_iter().chain(redirected).filter(|robots| {
            PageUrl::recorded(self.text(*robots)).is_some_and(|url| url.path_and_query() == "/robots.txt")
        })
    }

    /// Returns those of them that belong to the site: to origins with pages in the crawl.
    #[must_use]
    pub fn robots_led_to(&self, end: UrlNo) -> Vec<UrlNo> {
        self.all_robots_led_to(end).filter(|robots| self.is_of_own_origin(*robots)).collect()
    }

    /// Returns the robots files of the site whose redirects do not end at a requested URL.
    #[must_use]
    pub fn robots_led_nowhere(&self) -> Vec<UrlNo> {
        let is_known = |end: UrlNo| self.robots_failed.contains_key(&end) || self.robots_chains().read.contains(&end);
        let robots = self.robots_hops.keys().copied().filter(|robots| self.is_own_robots(*robots));
        robots.filter(|robots| !self.robots_end(*robots).is_some_and(is_known)).collect()
    }

    /// Returns the final URL of a request for a robots file; none for a redirect loop, or a chain beyond the limit.
    pub(crate) fn robots_end(&self, robots: UrlNo) -> Option<UrlNo> {
        let chain = self.robots_chain(robots);
        (chain.end == ChainEnd::There).then(|| chain.last().unwrap_or(robots))
    }

    /// Returns the robots file that was read for the host of a URL.
    pub(crate) fn robots_of(&self, url: &str) -> Option<&RobotsFile> {
        self.robots.get(&self.robots_end_of(url)?)
    }

    /// Returns true if the host of a URL has no robots file.
    pub(crate) fn has_no_robots(&self, url: &str) -> bool {
        let failed = self.robots_end_of(url).and_then(|end| self.robots_failed.get(&end));
        failed.is_some_and(|(fetch_status, status)| fetch_status.is_absent(*status))
    }

    fn robots_end_of(&self, url: &str) -> Option<UrlNo> {
        let robots = self.urls.number(&format!("{}/robots.txt", origin_of(url)))?;
        Some(self.robots_end(robots).unwrap_or(robots))
    }

    /// Returns true for the URL of the robots file of an origin with pages in the crawl, and not of another site.
    pub(crate) fn is_own_robots(&self, url: UrlNo) -> bool {
        let text = PageUrl::recorded(self.text(url));
        text.is_some_and(|text| text.path_and_query() == "/robots.txt") && self.is_of_own_origin(url)
    }

    /// Returns true if a robots file was read.
    pub(crate) fn has_read_robots(&self, url: UrlNo) -> bool {
        self.robots_chains().read.contains(&url)
    }

    fn is_of_own_origin(&self, url: UrlNo) -> bool {
        self.robots_chains().own.contains(origin_of(self.text(url)))
    }

    fn robots_chains(&self) -> &RobotsChains {
        self.robots_chains.get_or_init(|| RobotsChains::of(self))
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
            (node.fetch_status, node.status) = (NodeStatus::Page, 200);
        }
        site
    }

    #[test]
    fn the_robots_files_of_other_hosts_need_no_walk_over_all_pages() {
        let mut site = hosts_and_pages(30_000, 500_000);
        site.robots_failed = (0..30_000).map(|host| (host, (NodeStatus::Status, 503))).collect();
        assert!((0..30_000).all(|host| site.robots_led_to(host).is_empty()));
        assert!(site.published().is_complete(), "none of the lost ones is the site's");
        for _ in 0..30_000 {
            assert!(site.published().is_complete());
        }
    }

    #[test]
    fn redirect_loops_of_robots_files_are_followed_up_to_the_limit() {
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
