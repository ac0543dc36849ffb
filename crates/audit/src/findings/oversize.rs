//! Bodies that are too large.

use crate::code::Code;
use crate::finding::Finding;
use crate::limits::Limits;
use crate::site::Site;

pub(super) fn find(site: &Site, limits: &Limits, found: &mut Vec<Finding>) {
    for (url, node) in site.nodes().filter(|(_, node)| node.is_page()) {
        if node.bytes > limits.oversize || node.cut {
            let more = if node.cut { "more than " } else { "" };
            let message = format!("The page has {more}{} bytes; the limit is {}.", node.bytes, limits.oversize);
            found.push(Finding::of(Code::Oversize, url).says(message));
        }
    }
}
