//! The text of pages, and the frame: the text that most pages of the site share.

use super::pages::{Page, Pages};
use crate::error::StoreError;
use crate::judge::template::{each_once, frequent};
use mapwright_verdict::NodeIndex;
use mapwright_verdict::content::{BlockHash, Passage, PassageRole};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// The length in bytes from which on a text is a paragraph.
const PARAGRAPH: u32 = 64;
/// The number of pages that are sampled to learn the frame.
const SAMPLE: usize = 64;

/// The text of a page that is neither a link nor boilerplate.
pub(super) fn text(pages: &Pages<'_>, node: NodeIndex) -> Result<Vec<Passage>, StoreError> {
    let passages = pages.passages(node)?;
    Ok(passages.into_iter().filter(|passage| passage.role == PassageRole::Text).collect())
}

/// The paragraphs of a page: its long texts.
pub(super) fn paragraphs(pages: &Pages<'_>, node: NodeIndex) -> Result<Vec<BlockHash>, StoreError> {
    let long = text(pages, node)?.into_iter().filter(|passage| passage.bytes >= PARAGRAPH);
    Ok(long.map(|passage| passage.text).collect())
}

/// The text and the links of a page, without boilerplate.
pub(super) fn content(pages: &Pages<'_>, node: NodeIndex) -> Result<Vec<Passage>, StoreError> {
    let passages = pages.passages(node)?;
    Ok(passages.into_iter().filter(|passage| passage.role != PassageRole::Boilerplate).collect())
}

/// The texts and links that a page shows.
pub(super) fn shown(pages: &Pages<'_>, node: NodeIndex) -> Result<HashSet<BlockHash>, StoreError> {
    Ok(content(pages, node)?.iter().map(|passage| passage.text).collect())
}

/// The text and the links of a page without the frame.
pub(super) fn beside_boilerplate(
    pages: &Pages<'_>,
    node: NodeIndex,
    boilerplate: &HashSet<BlockHash>,
) -> Result<Vec<Passage>, StoreError> {
    Ok(content(pages, node)?.into_iter().filter(|passage| !boilerplate.contains(&passage.text)).collect())
}

/// The number of these pages that show each text.
pub(super) fn counts<'p>(
    pages: &Pages<'_>,
    which: impl IntoIterator<Item = &'p Page>,
) -> Result<HashMap<BlockHash, u32>, StoreError> {
    let mut counts: HashMap<BlockHash, u32> = HashMap::new();
    for page in which {
        shown(pages, page.node)?.into_iter().for_each(|block| *counts.entry(block).or_default() += 1);
    }
    Ok(counts)
}

/// The frame: the text and links on at least half of a sample of the site's pages.
pub(super) fn boilerplate(pages: &Pages<'_>) -> Result<Rc<HashSet<BlockHash>>, StoreError> {
    pages.boilerplate(|| frame(pages))
}

fn frame(pages: &Pages<'_>) -> Result<HashSet<BlockHash>, StoreError> {
    let open: Vec<&Page> = pages.open().collect();
    let step = open.len().div_ceil(SAMPLE).max(1);
    let mut all: Vec<BlockHash> = Vec::new();
    for page in open.iter().step_by(step) {
        let shown = content(pages, page.node)?.iter().map(|passage| passage.text).collect();
        all.extend(each_once(shown));
    }
    let half = open.len().div_ceil(step).div_ceil(2);
    Ok(frequent(all, half.max(2)))
}

/// The approximate length of passages in bytes.
pub(super) fn bytes<'p>(passages: impl IntoIterator<Item = &'p Passage>) -> u32 {
    passages.into_iter().map(|passage| passage.bytes).fold(0, u32::saturating_add)
}

/// The median.
pub(super) fn usual(values: impl Iterator<Item = u8>) -> u8 {
    let mut sorted: Vec<u8> = values.collect();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}
