//! The text that came and went between two versions of a page.

use crate::error::StoreError;
use crate::read::diff::Difference;
use crate::record::Record;
use crate::write::passages;
use mapwright_verdict::content::BlockHash;
use rusqlite::OptionalExtension;
use std::collections::HashMap;

/// The most blocks of a change that are returned, each way.
const MAX_BLOCKS: usize = 100;

/// The text blocks that came and went, without navigation and other boilerplate.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TextChange {
    /// The beginnings of those that only the first version has, at most 100.
    pub removed: Vec<String>,
    /// The beginnings of those that only the second version has, at most 100.
    pub added: Vec<String>,
    /// The number of further blocks that came or went: those whose text is not kept, or beyond the first 100.
    pub others: usize,
}

/// A block, and its text as far as it is kept.
struct KeptBlock {
    hash: BlockHash,
    text: Option<String>,
}

impl Record {
    /// Returns the text that came and went where the content of a page changed; `None` for any other difference.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn text_change(&self, difference: &Difference) -> Result<Option<TextChange>, StoreError> {
        let Some([before, now]) = difference.versions.filter(|_| difference.is_changed()) else { return Ok(None) };
        let (before, now) = (self.kept_blocks(before)?, self.kept_blocks(now)?);
        let mut change = TextChange::default();
        (change.removed, change.others) = only_in_first(&before, &now);
        let (added, others) = only_in_first(&now, &before);
        change.added = added;
        change.others += others;
        Ok(Some(change))
    }

    /// The blocks of a version that are no boilerplate.
    fn kept_blocks(&self, version: i64) -> Result<Vec<KeptBlock>, StoreError> {
        let mut select = self.connection.prepare_cached(
            "SELECT v.blocks, t.lines FROM version v LEFT JOIN block_text t ON t.version = v.id WHERE v.id = ?",
        )?;
        let row = |row: &rusqlite::Row<'_>| Ok((row.get::<_, Vec<u8>>(0)?, row.get::<_, Option<Vec<u8>>>(1)?));
        let Some((blocks, lines)) = select.query_row([version], row).optional()? else { return Ok(Vec::new()) };
        let text = String::from_utf8_lossy(lines.as_deref().unwrap_or_default());
        let mut lines = text.lines();
        let all = passages::blocks(&blocks).map(|block| (block, lines.next()));
        let kept = all.filter(|((_, is_boilerplate), _)| !is_boilerplate);
        Ok(kept.map(|((hash, _), text)| KeptBlock { hash, text: text.map(str::to_owned) }).collect())
    }
}

/// The texts of the blocks that the first list has and the second has not, or has less often; and the number of others
/// whose text is not among them.
fn only_in_first(first: &[KeptBlock], second: &[KeptBlock]) -> (Vec<String>, usize) {
    let mut counts: HashMap<BlockHash, usize> = HashMap::new();
    second.iter().for_each(|block| *counts.entry(block.hash).or_default() += 1);
    let mut is_in_both = |block: &&KeptBlock| match counts.get_mut(&block.hash) {
        Some(left @ 1..) => {
            *left -= 1;
            true
        }
        _ => false,
    };
    let (mut texts, mut others) = (Vec::new(), 0);
    for block in first.iter().filter(|block| !is_in_both(block)) {
        match &block.text {
            Some(text) if texts.len() < MAX_BLOCKS => texts.push(text.clone()),
            _ => others += 1,
        }
    }
    (texts, others)
}
