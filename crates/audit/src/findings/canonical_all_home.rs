//! Sites of which nearly all pages name the home page as their canonical.

use crate::code::Code;
use crate::finding::{Finding, SAMPLE};
use crate::site::{Site, UrlNo};
use std::collections::HashSet;

/// Pages from which on a share means something.
const ENOUGH: usize = 10;
/// Percent of the pages that are nearly all.
const NEARLY_ALL: usize = 80;

pub(super) fn find(site: &Site, found: &mut Vec<Finding>) {
    let homes: HashSet<UrlNo> = site.nodes().map(|(url, _)| url).filter(|url| is_home(site, *url)).collect();
    let others = || site.pages().filter(|(url, ..)| !homes.contains(url));
    let (count, mut to_home) = (others().count(), Vec::new());
    to_home.extend(
        others().filter(|(_, node, _)| node.canonical.is_some_and(|c| homes.contains(&c))).map(|(url, ..)| url),
    );
    if count >= ENOUGH && to_home.len() * 100 >= count * NEARLY_ALL {
        let message = format!("{} of {count} pages name the home page as their canonical.", to_home.len());
        found.push(Finding::site(Code::CanonicalAllHome).says(message).shown_by(to_home.into_iter().take(SAMPLE)));
    }
}

/// The page at the root of a host, or a start page.
fn is_home(site: &Site, url: UrlNo) -> bool {
    let text = site.text(url);
    let root = text.splitn(4, '/').nth(3) == Some("");
    root || site.is_start(url)
}
