//! Links to URLs that redirect.

use crate::code::Code;
use crate::finding::Finding;
use crate::site::{Fate, Site};

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    for (url, _) in site.nodes().filter(|(_, node)| node.fate == Fate::Redirect) {
        let Some(last) = site.way(url).last().copied().filter(|_| site.inlinks(url).clicked() > 0) else { continue };
        let message = format!("It redirects to {}.", site.text(last));
        found.push(Finding::of(Code::RedirectLink, url).to(last).says(message));
    }
}
