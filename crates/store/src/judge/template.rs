//! The text blocks on many pages of a site, learned from a sample of its pages.

use crate::error::StoreError;
use crate::write::passages::texts;
use mapwright_verdict::content::BlockHash;
use rusqlite::Connection;
use std::collections::HashSet;

/// The most pages in the sample.
const SAMPLE: u32 = 256;
/// A block on one in `SHARE` pages belongs to the template.
const SHARE: usize = 4;
/// The fewest pages that a block of the template is on.
const FEW_PAGES: usize = 3;

/// The template of a site.
#[derive(Debug, Default)]
pub(crate) struct Template {
    blocks: HashSet<BlockHash>,
}

impl Template {
    /// Learns the template from pages of `run`.
    pub(crate) fn learn(connection: &Connection, run: i64) -> Result<Self, StoreError> {
        let mut select = connection.prepare(
            "SELECT x.blocks FROM visit v JOIN version x ON x.id = v.version
             WHERE v.run = ? AND v.last = 1 AND v.purpose = 0 AND v.outcome = 0 LIMIT ?",
        )?;
        let mut rows = select.query((run, SAMPLE))?;
        let (mut all, mut pages) = (Vec::new(), 0_usize);
        while let Some(row) = rows.next()? {
            pages += 1;
            all.extend(each_once(texts(row.get_ref(0)?.as_blob().unwrap_or_default())));
        }
        Ok(Self { blocks: frequent(all, FEW_PAGES.max(pages.div_ceil(SHARE))) })
    }

    /// Reports whether a block belongs to the template.
    pub(crate) fn holds(&self, block: BlockHash) -> bool {
        self.blocks.contains(&block)
    }
}

/// The blocks of a page, each once.
pub(crate) fn each_once(mut blocks: Vec<BlockHash>) -> Vec<BlockHash> {
    blocks.sort_unstable();
    blocks.dedup();
    blocks
}

/// The blocks that occur at least `least` times.
pub(crate) fn frequent(mut all: Vec<BlockHash>, least: usize) -> HashSet<BlockHash> {
    all.sort_unstable();
    all.chunk_by(PartialEq::eq).filter(|same| same.len() >= least).filter_map(<[BlockHash]>::first).copied().collect()
}
