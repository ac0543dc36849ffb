//! Parts: pages that show alone what another page shows among more, under titles that tell nothing of them: each message
//! of a thread, the versions of each answer.
//!
//! Such pages are linked by the whole and hardly anything else. Posts that lists show in full are none: those lists are of
//! one title, or of many posts, or others link the posts too.

use super::links::targets;
use super::pages::{Page, Pages};
use super::text::{bytes, content, frame, text};
use crate::error::StoreError;
use mapwright_verdict::content::{Block, Passage, Role};
use mapwright_verdict::{Node, Reason};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Pages whose titles differ by numbers alone, from which on these are no titles of their own.
const MANY: usize = 5;
/// Pages that link a part, at most.
const LINKERS: usize = 2;
/// Pages with parts, at least, and parts of each, on average, at most.
const FEWEST_WHOLES: usize = 3;
const MOST_PARTS: usize = 8;
/// Bytes of text that a part has, at least.
const TEXT: u32 = 100;
/// Bytes of a label, and how much longer the text is that the whole shows too.
const LABEL: u32 = 64;
const MOSTLY: u32 = 2;

/// Leaves out the parts of pages that are listed.
pub(super) fn judge(pages: &mut Pages<'_>) -> Result<(), StoreError> {
    let mut shapes: HashMap<u64, usize> = HashMap::new();
    pages.all.iter().for_each(|page| *shapes.entry(page.shape).or_default() += 1);
    let is_many = |page: &&Page| shapes.get(&page.shape).is_some_and(|count| *count >= MANY);
    let has_number = |page: &&Page| page.url.path_and_query().bytes().any(|byte| byte.is_ascii_digit());
    let open = pages.open().filter(|page| !page.is_home && page.prose >= TEXT);
    let mut candidates: HashMap<Node, (&Page, Vec<&Page>)> =
        open.filter(is_many).filter(has_number).map(|page| (page.node, (page, Vec::new()))).collect();
    if candidates.is_empty() {
        return Ok(());
    }
    note_linkers(pages, &mut candidates)?;
    let mut by_whole: BTreeMap<Node, Vec<&Page>> = BTreeMap::new();
    for (page, linkers) in candidates.into_values().filter(|(_, linkers)| linkers.len() <= LINKERS) {
        for whole in linkers.into_iter().filter(|whole| !whole.is_home && shapes.get(&whole.shape) < Some(&MANY)) {
            by_whole.entry(whole.node).or_default().push(page);
        }
    }
    let frame = frame(pages)?;
    let mut whole_of: HashMap<Node, (u64, Node)> = HashMap::new();
    for (node, linked) in by_whole {
        let whole = Whole::of(pages, node)?;
        for page in linked {
            if whole.shows(pages, page, &frame)? {
                whole_of.entry(page.node).or_insert((page.shape, node));
            }
        }
    }
    let mut by_shape: HashMap<u64, Vec<(Node, Node)>> = HashMap::new();
    for (page, (shape, whole)) in whole_of {
        by_shape.entry(shape).or_default().push((page, whole));
    }
    by_shape.retain(|_, parts| {
        let wholes = parts.iter().map(|(_, whole)| whole).collect::<HashSet<_>>().len();
        wholes >= FEWEST_WHOLES && parts.len() <= wholes * MOST_PARTS
    });
    let parts = by_shape.into_values().flatten();
    parts.for_each(|(page, whole)| pages.leave_out(page, Reason::Duplicate, Some(whole)));
    Ok(())
}

/// Notes which pages of other titles link each candidate, as far as they matter.
fn note_linkers<'p>(
    pages: &'p Pages<'_>,
    candidates: &mut HashMap<Node, (&'p Page, Vec<&'p Page>)>,
) -> Result<(), StoreError> {
    // Most links lead elsewhere.
    let mut is_candidate = vec![false; pages.known.len()];
    for node in candidates.keys() {
        if let Some(mark) = is_candidate.get_mut(*node as usize) {
            *mark = true;
        }
    }
    for linker in pages.open() {
        for target in targets(pages, linker)? {
            if is_candidate.get(target as usize) == Some(&true)
                && let Some((page, linkers)) = candidates.get_mut(&target)
                && page.shape != linker.shape
                && linkers.len() <= LINKERS
                && linkers.last().is_none_or(|last| last.node != linker.node)
            {
                linkers.push(linker);
            }
        }
    }
    Ok(())
}

/// A page that may show others among more.
struct Whole {
    shown: HashSet<Block>,
    /// Of its text.
    bytes: u32,
}

impl Whole {
    fn of(pages: &Pages<'_>, node: Node) -> Result<Self, StoreError> {
        let content = content(pages, node)?;
        let texts = content.iter().filter(|passage| passage.role == Role::Text);
        Ok(Self { bytes: bytes(texts), shown: content.iter().map(|passage| passage.text).collect() })
    }

    /// Whether it shows all that a page says, but for labels, and more.
    fn shows(&self, pages: &Pages<'_>, page: &Page, frame: &HashSet<Block>) -> Result<bool, StoreError> {
        let own = text(pages, page.node)?.into_iter().filter(|passage| !frame.contains(&passage.text));
        let (again, own): (Vec<Passage>, Vec<Passage>) = own.partition(|passage| self.shown.contains(&passage.text));
        let are_labels = own.iter().all(|passage| passage.bytes <= LABEL);
        let again = bytes(&again);
        Ok(again >= TEXT && are_labels && bytes(&own).saturating_mul(MOSTLY) <= again && self.bytes > again)
    }
}
