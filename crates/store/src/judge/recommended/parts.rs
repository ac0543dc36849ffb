//! Parts: pages that show only a part of another page, under titles that say nothing about them, such as each message
//! of a thread or the versions of each answer.
//!
//! Such pages are linked from the complete page and hardly anywhere else. A post that a list shows in full is no part,
//! because such lists share one title, have many posts, or are not the only pages that link the posts.

use super::pages::{Page, Pages};
use super::text::{boilerplate, bytes, content, text};
use crate::error::StoreError;
use mapwright_verdict::content::{BlockHash, Passage, PassageRole};
use mapwright_verdict::{NodeIndex, Reason};
use std::collections::{BTreeMap, HashMap, HashSet};

/// The number of pages whose titles differ only by numbers from which on these are no titles of their own.
const MANY: usize = 5;
/// The most pages that link a part.
const LINKERS: usize = 2;
/// The fewest pages with parts, and the most parts of each on average.
const FEWEST_WHOLES: usize = 3;
const MAX_PARTS: usize = 8;
/// The fewest bytes of text of a part.
const TEXT: u32 = 100;
/// The most bytes of a label, and the factor by which the text that is also on the complete page must exceed the
/// labels.
const LABEL: u32 = 64;
const MOSTLY: u32 = 2;

/// Leaves out the parts of pages that are listed.
pub(super) fn judge(pages: &mut Pages<'_>) -> Result<(), StoreError> {
    let mut shapes: HashMap<u64, usize> = HashMap::new();
    pages.all.iter().for_each(|page| *shapes.entry(page.shape).or_default() += 1);
    let is_many = |page: &&Page| shapes.get(&page.shape).is_some_and(|count| *count >= MANY);
    let has_number = |page: &&Page| page.url.path_and_query().bytes().any(|byte| byte.is_ascii_digit());
    let open = pages.open().filter(|page| !page.is_home && page.prose >= TEXT);
    let mut candidates: HashMap<NodeIndex, (&Page, Vec<&Page>)> =
        open.filter(is_many).filter(has_number).map(|page| (page.node, (page, Vec::new()))).collect();
    if candidates.is_empty() {
        return Ok(());
    }
    note_linkers(pages, &mut candidates)?;
    let mut by_full_page: BTreeMap<NodeIndex, Vec<&Page>> = BTreeMap::new();
    for (page, linkers) in candidates.into_values().filter(|(_, linkers)| linkers.len() <= LINKERS) {
        for full_page in
            linkers.into_iter().filter(|full_page| !full_page.is_home && shapes.get(&full_page.shape) < Some(&MANY))
        {
            by_full_page.entry(full_page.node).or_default().push(page);
        }
    }
    let boilerplate = boilerplate(pages)?;
    let mut full_page_of: HashMap<NodeIndex, (u64, NodeIndex)> = HashMap::new();
    for (node, linked) in by_full_page {
        let full_page = FullPage::of(pages, node)?;
        for page in linked {
            if full_page.shows(pages, page, &boilerplate)? {
                full_page_of.entry(page.node).or_insert((page.shape, node));
            }
        }
    }
    let mut by_shape: HashMap<u64, Vec<(NodeIndex, NodeIndex)>> = HashMap::new();
    for (page, (shape, full_page)) in full_page_of {
        by_shape.entry(shape).or_default().push((page, full_page));
    }
    by_shape.retain(|_, parts| {
        let full_pages = parts.iter().map(|(_, full_page)| full_page).collect::<HashSet<_>>().len();
        full_pages >= FEWEST_WHOLES && parts.len() <= full_pages * MAX_PARTS
    });
    let parts = by_shape.into_values().flatten();
    parts.for_each(|(page, full_page)| pages.leave_out(page, Reason::Duplicate, Some(full_page)));
    Ok(())
}

/// Notes the pages of other titles that link each candidate, up to one more than [`LINKERS`].
fn note_linkers<'p>(
    pages: &'p Pages<'_>,
    candidates: &mut HashMap<NodeIndex, (&'p Page, Vec<&'p Page>)>,
) -> Result<(), StoreError> {
    // A fast lookup first, since most links lead to other pages.
    let mut is_candidate = vec![false; pages.known.len()];
    for node in candidates.keys() {
        if let Some(mark) = is_candidate.get_mut(*node as usize) {
            *mark = true;
        }
    }
    for linker in pages.open() {
        for set in pages.link_sets(linker) {
            for target in set?.open.iter().filter(|target| is_candidate.get(**target as usize) == Some(&true)) {
                if let Some((page, linkers)) = candidates.get_mut(target)
                    && page.shape != linker.shape
                    && linkers.len() <= LINKERS
                    && linkers.last().is_none_or(|last| last.node != linker.node)
                {
                    linkers.push(linker);
                }
            }
        }
    }
    Ok(())
}

/// A page that may contain other pages as parts.
struct FullPage {
    shown: HashSet<BlockHash>,
    /// The bytes of its text.
    bytes: u32,
}

impl FullPage {
    fn of(pages: &Pages<'_>, node: NodeIndex) -> Result<Self, StoreError> {
        let content = content(pages, node)?;
        let texts = content.iter().filter(|passage| passage.role == PassageRole::Text);
        Ok(Self { bytes: bytes(texts), shown: content.iter().map(|passage| passage.text).collect() })
    }

    /// Reports whether it contains the entire text of a page, except for labels, and more.
    fn shows(&self, pages: &Pages<'_>, page: &Page, boilerplate: &HashSet<BlockHash>) -> Result<bool, StoreError> {
        let own = text(pages, page.node)?.into_iter().filter(|passage| !boilerplate.contains(&passage.text));
        let (again, own): (Vec<Passage>, Vec<Passage>) = own.partition(|passage| self.shown.contains(&passage.text));
        let are_labels = own.iter().all(|passage| passage.bytes <= LABEL);
        let again = bytes(&again);
        Ok(again >= TEXT && are_labels && bytes(&own).saturating_mul(MOSTLY) <= again && self.bytes > again)
    }
}
