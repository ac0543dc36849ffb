//! Repeats: pages of one pattern with the same content, of which the most linked stays.

use super::pages::{Page, Pages};
use mapwright_traps::{Print, has_parameters, path_pattern};
use mapwright_verdict::{Node, Reason};
use std::collections::HashMap;

/// Pages with names of their own, without parameters or numbers, that must be equal to be repeats, where they have little
/// text.
const MANY_NAMED: usize = 3;
/// Bytes of text that two such pages do not have in common by chance.
const MUCH_PROSE: u32 = 400;
/// Bytes of text from which on equal text is equal content: beyond pictures, say.
const ENOUGH_PROSE: u32 = 12;

/// Leaves out all but one of the pages that say the same within a pattern.
pub(super) fn judge(pages: &mut Pages<'_>) {
    let mut groups: HashMap<(String, Print), Vec<&Page>> = HashMap::new();
    for page in pages.open().filter(|page| page.prose >= ENOUGH_PROSE) {
        groups.entry((path_pattern(&page.url), page.print)).or_default().push(page);
    }
    let mut repeats: Vec<(Node, Node)> = Vec::new();
    for group in groups.into_values().filter(|group| group.len() > 1) {
        let is_named =
            |page: &&&Page| !has_parameters(&page.url) && !page.url.path().bytes().any(|byte| byte.is_ascii_digit());
        if group.iter().filter(is_named).count() == group.len()
            && group.len() < MANY_NAMED
            && group.iter().any(|page| page.prose < MUCH_PROSE)
        {
            continue;
        }
        let Some(stays) = pages.best(&group) else { continue };
        repeats.extend(group.iter().map(|page| page.node).filter(|node| *node != stays).map(|node| (node, stays)));
    }
    for (node, stays) in repeats {
        pages.leave_out(node, Reason::Duplicate, Some(stays));
    }
}
