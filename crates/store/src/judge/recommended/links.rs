//! The links between pages.

use super::pages::{Page, Pages};
use crate::error::StoreError;
use mapwright_verdict::NodeIndex;
use mapwright_web::PageUrl;
use std::collections::{HashMap, HashSet};

/// The pages of `candidates`, given with their families, that a page of another family links. The linking page must not
/// be left out itself, and `counts` must hold for it.
pub(super) fn linked_from_outside(
    pages: &Pages<'_>,
    candidates: &HashMap<NodeIndex, String>,
    family: &dyn Fn(&PageUrl) -> String,
    counts: &dyn Fn(NodeIndex) -> bool,
) -> Result<HashSet<NodeIndex>, StoreError> {
    let mut linked = HashSet::new();
    if candidates.is_empty() {
        return Ok(linked);
    }
    for page in pages.open().filter(|page| counts(page.node)) {
        let own = family(&page.url);
        for set in pages.link_sets(page) {
            linked
                .extend(set?.open.iter().filter(|target| candidates.get(target).is_some_and(|family| *family != own)));
        }
    }
    Ok(linked)
}

/// The targets of a page's links, in the order of the page.
pub(super) fn targets(pages: &Pages<'_>, page: &Page) -> Result<Vec<NodeIndex>, StoreError> {
    let mut found = Vec::new();
    for set in pages.link_sets(page) {
        found.extend_from_slice(&set?.open);
    }
    Ok(found)
}

/// Reports whether one of two pages links the other, links with `nofollow` included.
pub(super) fn are_linked(pages: &Pages<'_>, one: &Page, other: &Page) -> Result<bool, StoreError> {
    for (from, to) in [(one, other.node), (other, one.node)] {
        for set in pages.link_sets(from) {
            let targets = set?;
            if targets.open.contains(&to) || targets.nofollow.contains(&to) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Pages that the site's own sitemaps list.
pub(super) fn in_sitemaps(pages: &Pages<'_>) -> Result<Vec<NodeIndex>, StoreError> {
    let mut select = pages.connection.prepare("SELECT DISTINCT url FROM entry WHERE run = ?")?;
    Ok(select.query_map([pages.run], |row| row.get(0))?.collect::<Result<_, _>>()?)
}
