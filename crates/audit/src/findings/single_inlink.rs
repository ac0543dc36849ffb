//! Pages that hang on one single link.

use crate::code::Code;
use crate::finding::Finding;
use crate::site::Site;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, node) in site.nodes().filter(|(_, node)| node.is_indexable()) {
        let inlinks = site.inlinks(url);
        if inlinks.followed == 1 && inlinks.clicked() == 1 && node.depth != Some(0) && !site.is_start(url) {
            found.push(Finding::of(Code::SingleInlink, url));
        }
    }
}
