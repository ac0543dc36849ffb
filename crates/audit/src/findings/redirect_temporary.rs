//! Temporary redirects that look permanent: to another page of the site that answers well. Those to other sites and to
//! logins are rightly temporary.

use crate::code::Code;
use crate::finding::Finding;
use crate::site::{Fate, Site};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, node) in site.nodes().filter(|(_, node)| node.fate == Fate::Redirect) {
        let Some(target) = node.target.filter(|_| matches!(node.status, 302 | 307)) else { continue };
        if matches!(site.node(target).fate, Fate::Page | Fate::File | Fate::Redirect) {
            let message = format!("It redirects to {} with {}.", site.text(target), node.status);
            found.push(Finding::of(Code::RedirectTemporary, url).to(target).says(message));
        }
    }
}
