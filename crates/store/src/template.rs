//! The blocks of text that stand on many pages of a site, by a sample of its pages.

use crate::error::StoreError;
use crate::passages::texts;
use mapwright_verdict::content::Block;
use rusqlite::Connection;
use std::collections::HashSet;

/// Pages that are looked at, at most.
const SAMPLE: u32 = 256;
/// A block is of the template where it stands on one page in so many.
const SHARE: usize = 4;
/// On fewer pages a block is of none.
const FEW_PAGES: usize = 3;

/// The template of a site.
#[derive(Debug, Default)]
pub(crate) struct Template {
    blocks: HashSet<Block>,
}

impl Template {
    /// Learns it from pages of `run`.
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

    /// Whether a block is of the template.
    pub(crate) fn holds(&self, block: Block) -> bool {
        self.blocks.contains(&block)
    }
}

/// The blocks of a page, each once.
pub(crate) fn each_once(mut blocks: Vec<Block>) -> Vec<Block> {
    blocks.sort_unstable();
    blocks.dedup();
    blocks
}

/// The blocks that are met so often, at least.
pub(crate) fn frequent(mut all: Vec<Block>, least: usize) -> HashSet<Block> {
    all.sort_unstable();
    all.chunk_by(PartialEq::eq).filter(|same| same.len() >= least).filter_map(<[Block]>::first).copied().collect()
}
