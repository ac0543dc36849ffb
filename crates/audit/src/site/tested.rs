//! URLs that no link of the site leads to: mapwright requested them to learn the effect of a URL parameter.

use super::{Node, Site, UrlNo};
use mapwright_model::Via;
use std::collections::HashSet;

/// Removes those that are not pages: an unlinked URL that does not exist is not a fault of the site.
pub(super) fn forget(site: &mut Site) {
    let led_to: HashSet<UrlNo> = site.nodes.iter().filter_map(|node| node.target).collect();
    for ((url, inlinks), node) in (0..).zip(&site.inlinks).zip(&mut site.nodes) {
        let tested = node.via == Some(Via::ParameterTest) && !node.is_page();
        if tested && inlinks.all() == 0 && !led_to.contains(&url) {
            *node = Node { via: node.via, found_on: node.found_on, ..Node::default() };
        }
    }
}
