//! Sites that show nothing without JavaScript: every page is an empty shell for scripts to fill.

use crate::code::Code;
use crate::finding::{Finding, SAMPLE};
use crate::site::{Said, Site};

/// A page with scripts and less visible text than this is a shell.
const SHELL_TEXT: u32 = 200;
/// Percent of the pages that are nearly all.
const NEARLY_ALL: usize = 80;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let mut shells = Vec::new();
    let mut pages = 0;
    for (url, _, said) in site.pages() {
        pages += 1;
        if said.scripts > 0 && said.text_bytes < SHELL_TEXT && !links_on(site, said) {
            shells.push(url);
        }
    }
    if pages > 0 && shells.len() * 100 >= pages * NEARLY_ALL {
        let message = format!("{} of {pages} pages are empty shells for scripts to fill, without links.", shells.len());
        found.push(Finding::site(Code::NeedsJs).says(message).shown_by(shells.into_iter().take(SAMPLE)));
    }
}

fn links_on(site: &Site, said: &Said) -> bool {
    site.links.of(said).any(|link| !link.is_reference() && site.node(link.target()).in_scope())
}
