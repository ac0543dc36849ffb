//! Pages that lead nowhere.

use crate::code::Code;
use crate::finding::Finding;
use crate::site::Site;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, node, said) in site.pages() {
        let leads_on = site.links.of(said).any(|link| {
            let target = link.target();
            !link.is_reference() && target != url && site.node(target).in_scope()
        });
        if !leads_on && node.target.is_none() {
            found.push(Finding::of(Code::DeadEnd, url));
        }
    }
}
