//! Who links to certain pages.

use super::pages::Pages;
use crate::error::StoreError;
use crate::json::Json;
use crate::targets::SetTargets;
use mapwright_verdict::Node;
use mapwright_web::PageUrl;
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
    let mut select = pages.connection.prepare_cached(
        "SELECT x.sets FROM visit v JOIN version x ON x.id = v.version
         WHERE v.run = ? AND v.url = ? AND v.last = 1 AND v.purpose = 0",
    )?;
    let mut rows = select.query((pages.run, node))?;
    let mut found = Vec::new();
    if let Some(row) = rows.next()? {
        let Json(own): Json<Vec<u32>> = row.get(0)?;
        for set in own {
            found.extend(sets.targets(set)?.open.iter().copied());
        }
    }
    Ok(found)
}
