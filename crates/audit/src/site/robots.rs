//! Which robots files are the site's own, and where requests for them led.

use super::{Fate, Node, Site, UrlNo, WayEnd};
use mapwright_web::PageUrl;

impl Site {
    /// Whether a robots file is that of an origin with pages in the crawl, and no other site's. Where it forbids all
    /// because it cannot be had, these pages were met, and not asked for.
    #[must_use]
    pub fn goes_by(&self, robots: &str) -> bool {
        let Some(root) = robots.strip_suffix("robots.txt") else { return false };
        let is_asked = |node: &Node| node.in_scope() && (node.status != 0 || node.fate == Fate::RobotsUnavailable);
        self.starts.iter().any(|start| self.text(*start).starts_with(root))
            || self.nodes().any(|(url, node)| is_asked(node) && self.text(url).starts_with(root))
    }

    /// The robots files of the site that a request which ended here was made for: redirects of robots.txt are followed,
    /// and their end counts for the origin that was asked (RFC 9309, section 2.3.1.2).
    #[must_use]
    pub fn robots_led_to(&self, end: UrlNo) -> Vec<UrlNo> {
        let asked = std::iter::once(end).chain(self.robots_hops.keys().copied());
        asked.filter(|robots| self.robots_end(*robots) == Some(end) && self.is_own_robots(*robots)).collect()
    }

    /// The robots files of the site whose redirects come to no end that was asked for.
    #[must_use]
    pub fn robots_led_nowhere(&self) -> Vec<UrlNo> {
        let is_known = |end: UrlNo| {
            self.robots_failed.iter().any(|(failed, ..)| *failed == end)
                || self.robots.iter().any(|file| file.url.as_str() == self.text(end))
        };
        let robots = self.robots_hops.keys().copied().filter(|robots| self.is_own_robots(*robots));
        robots.filter(|robots| !self.robots_end(*robots).is_some_and(is_known)).collect()
    }

    /// Where a request for a robots file ends; nothing where it turns in a circle, or is led further than is followed.
    fn robots_end(&self, robots: UrlNo) -> Option<UrlNo> {
        let way = self.robots_way(robots);
        (way.end == WayEnd::There).then(|| way.last().unwrap_or(robots))
    }

    fn is_own_robots(&self, url: UrlNo) -> bool {
        let text = self.text(url);
        PageUrl::recorded(text).is_some_and(|url| url.path_and_query() == "/robots.txt") && self.goes_by(text)
    }
}
