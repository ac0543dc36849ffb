//! The blocks of text that stand on many pages of a site, by a sample of its pages.

use crate::error::StoreError;
use crate::passages::texts;
use mapwright_verdict::content::Block;
use rusqlite::Connection;
use std::collections::HashMap;

/// Pages that are looked at, at most.
const SAMPLE: u32 = 256;
/// A block is of the template where it stands on one page in so many.
const SHARE: u32 = 4;
/// On fewer pages a block is of none.
const FEW_PAGES: u32 = 3;

/// The template of a site.
#[derive(Debug, Default)]
pub(crate) struct Template {
    counts: HashMap<Block, u32>,
    pages: u32,
}

impl Template {
    /// Learns it from pages of `run`.
    pub(crate) fn learn(connection: &Connection, run: i64) -> Result<Self, StoreError> {
        let mut template = Self::default();
        let mut select = connection.prepare(
            "SELECT x.blocks FROM visit v JOIN version x ON x.id = v.version
             WHERE v.run = ? AND v.last = 1 AND v.purpose = 0 AND v.outcome = 0 LIMIT ?",
        )?;
        let mut rows = select.query((run, SAMPLE))?;
        while let Some(row) = rows.next()? {
            template.pages += 1;
            let mut blocks = texts(row.get_ref(0)?.as_blob().unwrap_or_default());
            blocks.sort_unstable();
            blocks.dedup();
            blocks.into_iter().for_each(|block| *template.counts.entry(block).or_default() += 1);
        }
        Ok(template)
    }

    /// Whether a block is of the template.
    pub(crate) fn holds(&self, block: Block) -> bool {
        self.counts.get(&block).is_some_and(|count| *count >= FEW_PAGES && count * SHARE >= self.pages)
    }
}
