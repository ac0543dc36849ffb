//! Pages far from the start.

use crate::code::Code;
use crate::finding::Finding;
use crate::limits::Limits;
use crate::site::Site;

pub(super) fn find(site: &Site, limits: &Limits, found: &mut Vec<Finding>) {
    for (url, node, _) in site.pages() {
        if let Some(depth) = node.depth.filter(|depth| *depth > limits.deep) {
            let message = format!("The page is {depth} clicks from the start; the limit is {}.", limits.deep);
            found.push(Finding::of(Code::Deep, url).says(message));
        }
    }
}
