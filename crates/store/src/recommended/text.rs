//! The text of pages, and of that what every page of the site shows.

use super::pages::{Page, Pages};
use crate::error::StoreError;
use mapwright_verdict::Node;
use mapwright_verdict::content::{Block, Passage, Role};
use std::collections::{HashMap, HashSet};

/// Pages that are looked at to learn what every page of the site shows.
const SAMPLE: usize = 64;

/// The text of a page that is neither a link nor boilerplate.
pub(super) fn text(pages: &Pages<'_>, node: Node) -> Result<Vec<Passage>, StoreError> {
    let passages = pages.passages(node)?;
    Ok(passages.into_iter().filter(|passage| passage.role == Role::Text).collect())
}

/// The text and the links of a page, its boilerplate left out.
pub(super) fn content(pages: &Pages<'_>, node: Node) -> Result<Vec<Passage>, StoreError> {
    let passages = pages.passages(node)?;
    Ok(passages.into_iter().filter(|passage| passage.role != Role::Boilerplate).collect())
}

/// The text and links that at least half of the site's pages show, as far as a few of them tell.
pub(super) fn frame(pages: &Pages<'_>) -> Result<HashSet<Block>, StoreError> {
    let open: Vec<&Page> = pages.open().collect();
    let step = open.len().div_ceil(SAMPLE).max(1);
    let mut counts: HashMap<Block, usize> = HashMap::new();
    for page in open.iter().step_by(step) {
        let texts: HashSet<Block> = content(pages, page.node)?.iter().map(|passage| passage.text).collect();
        texts.into_iter().for_each(|text| *counts.entry(text).or_default() += 1);
    }
    let half = open.len().div_ceil(step).div_ceil(2);
    Ok(counts.into_iter().filter(|(_, count)| *count >= half.max(2)).map(|(text, _)| text).collect())
}

/// About how long some text is.
pub(super) fn bytes<'p>(passages: impl IntoIterator<Item = &'p Passage>) -> u32 {
    passages.into_iter().map(|passage| passage.bytes).fold(0, u32::saturating_add)
}
