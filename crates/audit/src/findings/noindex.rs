//! Pages that say noindex or nofollow, and sites of which nearly all pages say noindex.

use crate::code::Code;
use crate::finding::{Finding, SAMPLE};
use crate::site::Site;

/// Pages from which on a share means something.
const ENOUGH: usize = 10;
/// Percent of the pages that are nearly all.
const NEARLY_ALL: usize = 80;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let (mut pages, mut noindex) = (0, Vec::new());
    for (url, node, _) in site.pages() {
        pages += 1;
        if node.noindex {
            noindex.push(url);
            found.push(Finding::of(Code::Noindex, url));
        }
        if node.nofollow {
            found.push(Finding::of(Code::Nofollow, url));
        }
    }
    if pages >= ENOUGH && noindex.len() * 100 >= pages * NEARLY_ALL {
        let message = format!("{} of {pages} pages say noindex.", noindex.len());
        let examples = noindex.into_iter().take(SAMPLE);
        found.push(Finding::site(Code::SitewideNoindex).says(message).shown_by(examples));
    }
}
