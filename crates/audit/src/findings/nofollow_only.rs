//! URLs to which only nofollow leads.

use crate::code::Code;
use crate::finding::Finding;
use crate::site::Site;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, node) in site.nodes().filter(|(_, node)| node.in_scope()) {
        let inlinks = site.inlinks(url);
        if inlinks.followed == 0 && inlinks.nofollowed > 0 && !node.fails() && !site.is_start(url) {
            found.push(Finding::of(Code::NofollowOnly, url));
        }
    }
}
