//! Which pages' content changed since it was judged last.
//!
//! The versions that a run saw are compared, block by block, with those whose content was judged before. Three passes,
//! so that memory holds only what differs: which blocks differ at all, on how many pages of the site these stand, and
//! then page by page what remains once boilerplate is left out.

use crate::error::StoreError;
use mapwright_verdict::content::{Block, compare, differing, slots_from_bytes, slots_to_bytes};
use rusqlite::{Connection, OptionalExtension};
use std::collections::HashMap;

/// Differing blocks that are counted, at most; beyond, a block counts as the page's own.
const MAX_COUNTED: usize = 2_000_000;
/// A block that stands on so many pages of the site is shared, however large the site is.
const MANY_PAGES: usize = 50;
/// Fewer pages than this share nothing.
const FEW_PAGES: usize = 4;
/// A shared block counts as the site's where it came or went on so many pages at once: on a single page, a word that
/// many pages have is that page's own.
const MOVED_TOGETHER: u32 = 3;

/// One known page that says something else than what was judged before.
struct Candidate {
    url: u32,
    /// The version that was judged.
    judged: i64,
    version: i64,
    /// The page is read as it was before: the blocks of both versions can be compared.
    comparable: bool,
    slots: Vec<u8>,
}

/// Judges the content of all pages of `run` that say something else, and remembers what it came to; that they and all
/// others were checked is noted with their verdicts ([`crate::past`]). `learns`: boilerplate is looked for; not where the
/// user has named the content.
pub(crate) fn judge(connection: &Connection, run: i64, learns: bool) -> Result<(), StoreError> {
    rest(connection, run)?;
    let candidates = candidates(connection, run)?;
    let shared = if learns { Shared::count(connection, run, &candidates)? } else { Shared::default() };
    let mut remember =
        connection.prepare("UPDATE memory SET content = ?2, slots = ?3, since = coalesce(since, ?2) WHERE url = ?1")?;
    // What was told of its date held until now.
    let mut note_change = connection.prepare(
        "UPDATE memory SET since = ?2, changed_after = checked, changed = at, changes = changes + 1,
             lastmod = NULL, lastmod_from = NULL WHERE url = ?1",
    )?;
    for candidate in &candidates {
        let (changed, slots) = candidate.compare(connection, &shared, learns)?;
        remember.execute((candidate.url, candidate.version, slots))?;
        if changed {
            note_change.execute((candidate.url, candidate.version))?;
        }
    }
    Ok(())
}

impl Candidate {
    fn compare(
        &self,
        connection: &Connection,
        shared: &Shared,
        learns: bool,
    ) -> Result<(bool, Option<Vec<u8>>), StoreError> {
        if !self.comparable {
            return Ok((false, None));
        }
        let (old, new) = (Text::of(connection, self.judged)?, Text::of(connection, self.version)?);
        if old.blocks.is_empty() && new.blocks.is_empty() {
            return Ok((old.hash != new.hash, None));
        }
        if !learns {
            return Ok((old.blocks != new.blocks, None));
        }
        let comparison = compare(&old.blocks, &new.blocks, slots_from_bytes(&self.slots), &|block| shared.holds(block));
        Ok((comparison.changed, Some(slots_to_bytes(&comparison.slots))))
    }
}

/// What a version says, as far as it is compared.
struct Text {
    hash: i64,
    blocks: Vec<Block>,
}

impl Text {
    fn of(connection: &Connection, version: i64) -> Result<Self, StoreError> {
        let mut select = connection.prepare_cached("SELECT hash, blocks FROM version WHERE id = ?")?;
        let row = select.query_row([version], |row| Ok((row.get(0)?, row.get::<_, Vec<u8>>(1)?))).optional()?;
        let (hash, bytes) = row.unwrap_or_default();
        Ok(Self { hash, blocks: blocks(&bytes) })
    }
}

fn blocks(bytes: &[u8]) -> Vec<Block> {
    let read = |four: &[u8]| four.try_into().map(u32::from_le_bytes).ok();
    bytes.chunks_exact(4).filter_map(read).collect()
}

/// Pages that were fetched and said what they said before: nothing differed on them, so no place differed twice in a
/// row.
fn rest(connection: &Connection, run: i64) -> Result<(), StoreError> {
    let mut select = connection.prepare(
        "SELECT m.url, m.slots FROM visit v JOIN memory m ON m.url = v.url
         WHERE v.run = ?1 AND v.last = 1 AND v.purpose = 0 AND v.carried < 2 AND v.version = m.content
             AND length(m.slots) > 0 AND m.judged IS NOT ?1",
    )?;
    let mut rows = select.query([run])?;
    let mut update = connection.prepare("UPDATE memory SET slots = ?2 WHERE url = ?1")?;
    while let Some(row) = rows.next()? {
        let (url, slots): (u32, Vec<u8>) = (row.get(0)?, row.get(1)?);
        let rested = compare(&[], &[], slots_from_bytes(&slots), &|_| false).slots;
        update.execute((url, slots_to_bytes(&rested)))?;
    }
    Ok(())
}

fn candidates(connection: &Connection, run: i64) -> Result<Vec<Candidate>, StoreError> {
    let mut select = connection.prepare(
        "SELECT m.url, m.content, v.version, m.slots, m.content_basis = m.basis FROM visit v
         JOIN memory m ON m.url = v.url AND m.version = v.version
         WHERE v.run = ? AND v.last = 1 AND v.purpose = 0 AND v.outcome IN (0, 1)
             AND m.content <> v.version",
    )?;
    let rows = select.query_map([run], |row| {
        Ok(Candidate {
            url: row.get(0)?,
            judged: row.get(1)?,
            version: row.get(2)?,
            slots: row.get::<_, Option<Vec<u8>>>(3)?.unwrap_or_default(),
            comparable: row.get::<_, Option<bool>>(4)?.unwrap_or(false),
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The blocks that the site shares, of those that differ anywhere.
#[derive(Default)]
struct Shared {
    counts: HashMap<Block, Count>,
    pages: usize,
}

/// On how many pages a block stands.
#[derive(Default, Clone, Copy)]
struct Count {
    /// Pages where it came or went.
    moved: u32,
    /// Pages as they are now.
    now: u32,
    /// Pages as they were judged before.
    before: u32,
}

impl Shared {
    fn count(connection: &Connection, run: i64, candidates: &[Candidate]) -> Result<Self, StoreError> {
        let mut shared = Self::default();
        for candidate in candidates.iter().filter(|c| c.comparable) {
            let (old, new) = (Text::of(connection, candidate.judged)?, Text::of(connection, candidate.version)?);
            for block in differing(&old.blocks, &new.blocks) {
                if shared.counts.len() < MAX_COUNTED || shared.counts.contains_key(&block) {
                    shared.counts.entry(block).or_default().moved += 1;
                }
            }
            shared.stand(&old.blocks, |count| &mut count.before);
        }
        if shared.counts.is_empty() {
            return Ok(shared);
        }
        let mut select = connection.prepare(
            "SELECT x.blocks FROM visit v JOIN version x ON x.id = v.version
             WHERE v.run = ? AND v.last = 1 AND v.purpose = 0 AND v.outcome = 0",
        )?;
        let mut rows = select.query([run])?;
        while let Some(row) = rows.next()? {
            shared.pages += 1;
            let bytes = row.get_ref(0)?.as_blob().unwrap_or_default();
            shared.stand(&blocks(bytes), |count| &mut count.now);
        }
        Ok(shared)
    }

    /// Counts the blocks of one page, each once.
    fn stand(&mut self, page: &[Block], of: impl Fn(&mut Count) -> &mut u32) {
        let mut page = page.to_vec();
        page.sort_unstable();
        page.dedup();
        for block in page {
            if let Some(count) = self.counts.get_mut(&block) {
                *of(count) += 1;
            }
        }
    }

    fn holds(&self, block: Block) -> bool {
        let many = (self.pages / 4).clamp(FEW_PAGES, MANY_PAGES);
        self.counts
            .get(&block)
            .is_some_and(|count| count.moved >= MOVED_TOGETHER && count.now.max(count.before) as usize >= many)
    }
}
