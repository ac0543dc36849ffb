//! URLs that nothing on the site leads to: mapwright asked for them to learn what a URL parameter does.

use super::{Node, Site, UrlNo};
use mapwright_frontier::Via;
use std::collections::HashSet;

/// Forgets those that are no pages: that a URL which nobody links does not exist is no fault.
pub(super) fn forget(site: &mut Site) {
    let led_to: HashSet<UrlNo> = site.nodes.iter().filter_map(|node| node.target).collect();
    for ((url, inlinks), node) in (0..).zip(&site.inlinks).zip(&mut site.nodes) {
        let tested = node.via == Some(Via::ParameterTest) && !node.is_page();
        if tested && inlinks.all() == 0 && !led_to.contains(&url) {
            *node = Node { via: node.via, found_on: node.found_on, ..Node::default() };
        }
    }
}
