//! Who links to certain pages.

use super::pages::Pages;
use crate::error::StoreError;
use crate::json::Json;
use crate::targets::SetTargets;
use mapwright_verdict::Node;
use mapwright_web::PageUrl;
use rusqlite::OptionalExtension;
use std::collections::{HashMap, HashSet};

/// Those of `candidates`, each with its family, that a page of another family links which is not left out itself, and
/// which `counts`.
pub(super) fn linked_from_outside(
    pages: &Pages<'_>,
    candidates: &HashMap<Node, String>,
    family: &dyn Fn(&PageUrl) -> String,
    counts: &dyn Fn(Node) -> bool,
) -> Result<HashSet<Node>, StoreError> {
    let mut linked = HashSet::new();
    if candidates.is_empty() {
        return Ok(linked);
    }
    let mut sets = SetTargets::new(pages.connection);
    for page in pages.open().filter(|page| counts(page.node)) {
        let own = family(&page.url);
        for target in targets(pages, &mut sets, page.node)? {
            if candidates.get(&target).is_some_and(|family| *family != own) {
                linked.insert(target);
            }
        }
    }
    Ok(linked)
}

/// Where the links of a page lead, in its order.
pub(super) fn targets(pages: &Pages<'_>, sets: &mut SetTargets<'_>, node: Node) -> Result<Vec<Node>, StoreError> {
    let mut found = Vec::new();
    for set in own_sets(pages, node)? {
        found.extend(sets.targets(set)?.open.iter().copied());
    }
    Ok(found)
}

/// The sets of links of a page.
fn own_sets(pages: &Pages<'_>, node: Node) -> Result<Vec<u32>, StoreError> {
    let mut select = pages.connection.prepare_cached(
        "SELECT x.sets FROM visit v JOIN version x ON x.id = v.version
         WHERE v.run = ? AND v.url = ? AND v.last = 1 AND v.purpose = 0",
    )?;
    let own: Option<Json<Vec<u32>>> = select.query_row((pages.run, node), |row| row.get(0)).optional()?;
    Ok(own.map(|Json(sets)| sets).unwrap_or_default())
}

/// Whether one of two pages links the other, links with `nofollow` included.
pub(super) fn are_linked(
    pages: &Pages<'_>,
    sets: &mut SetTargets<'_>,
    one: Node,
    other: Node,
) -> Result<bool, StoreError> {
    for (from, to) in [(one, other), (other, one)] {
        for set in own_sets(pages, from)? {
            let targets = sets.targets(set)?;
            if targets.open.contains(&to) || targets.nofollow.contains(&to) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}
