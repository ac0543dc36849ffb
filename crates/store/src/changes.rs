//! Which pages' content changed since it was judged last.
//!
//! The versions that a run saw are compared, block by block, with those whose content was judged before. Three passes,
//! so that memory holds only what differs: which blocks differ at all, on how many pages of the site these stand
//! ([`crate::shared`]), and then page by page what remains once boilerplate is left out.

use crate::error::StoreError;
use crate::passages;
use crate::shared::Shared;
use mapwright_verdict::content::{Block, Evidence, Passage, compare, slots_from_bytes, slots_to_bytes};
use rusqlite::{Connection, OptionalExtension, Row};

/// One known page that says something else than what was judged before.
pub(crate) struct Candidate {
    pub(crate) url: u32,
    /// The version that was judged.
    judged: i64,
    version: i64,
    /// The page is read as it was before: the blocks of both versions can be compared.
    comparable: bool,
    slots: Vec<u8>,
    /// The last run in which its content was judged.
    pub(crate) checked_in: i64,
    /// The last run before in which it was fetched as what was judged, not vouched for.
    pub(crate) fetched_in: i64,
    /// When it was first seen to say what was judged, as far as a change was seen; in milliseconds since 1970.
    pub(crate) said_since: i64,
}

/// Judges the content of all pages of `run` that say something else, and remembers what it came to; that they and all
/// others were checked is noted with their verdicts ([`crate::past`]). `learns`: boilerplate is looked for; not where the
/// user has named the content. Of a run that is not one to build on (`remembers`), a change is left for the next to see;
/// but a page that was fetched and said the same did so, and a place that differed before it did not differ twice in a
/// row.
pub(crate) fn judge(connection: &Connection, run: i64, learns: bool, remembers: bool) -> Result<(), StoreError> {
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
        if changed && !remembers {
            continue;
        }
        remember.execute((candidate.url, candidate.version, slots))?;
        if changed {
            note_change.execute((candidate.url, candidate.version))?;
        }
    }
    Ok(())
}

impl Candidate {
    /// What it said when it was judged, and what it says now, where the two can be compared.
    pub(crate) fn texts(&self, connection: &Connection) -> Result<Option<[Vec<Passage>; 2]>, StoreError> {
        if !self.comparable {
            return Ok(None);
        }
        Ok(Some([Text::of(connection, self.judged)?.passages, Text::of(connection, self.version)?.passages]))
    }

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
        if old.passages.is_empty() && new.passages.is_empty() {
            // Of what was not taken whole the bytes are unknown.
            let known = old.hash != 0 && new.hash != 0;
            return Ok((known && old.hash != new.hash, None));
        }
        if !learns {
            return Ok((old.says() != new.says(), None));
        }
        let pair = shared.pair(&old.passages, &new.passages);
        let [before, now] = shared.unsteady(self, &pair);
        let is_common = shared.for_page(self);
        let evidence = Evidence { is_common: &is_common, unsteady: [&before, &now] };
        let comparison = compare(&pair.old, &pair.new, slots_from_bytes(&self.slots), evidence);
        let changed = comparison.changed || pair.has_another_list(&|block| shared.moved(block));
        Ok((changed, Some(slots_to_bytes(&comparison.slots))))
    }
}

/// What a version says, as far as it is compared.
struct Text {
    hash: i64,
    passages: Vec<Passage>,
}

impl Text {
    fn of(connection: &Connection, version: i64) -> Result<Self, StoreError> {
        let mut select = connection.prepare_cached("SELECT hash, title, blocks FROM version WHERE id = ?")?;
        let read = |row: &Row<'_>| {
            let title = row.get_ref(1)?.as_str_or_null()?;
            Ok(Self { hash: row.get(0)?, passages: passages::read(title, row.get_ref(2)?.as_blob()?) })
        };
        let text = select.query_row([version], read).optional()?;
        Ok(text.unwrap_or(Self { hash: 0, passages: Vec::new() }))
    }

    /// Its text, whatever that is to the page; the title is in no part that a user names.
    fn says(&self) -> Vec<Block> {
        let is_text = |passage: &&Passage| passage.bytes > 0;
        self.passages.iter().filter(is_text).map(|passage| passage.text).collect()
    }
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
    let quiet = Evidence { is_common: &|_| false, unsteady: [&[], &[]] };
    let mut update = connection.prepare("UPDATE memory SET slots = ?2 WHERE url = ?1")?;
    while let Some(row) = rows.next()? {
        let (url, slots): (u32, Vec<u8>) = (row.get(0)?, row.get(1)?);
        let rested = compare(&[], &[], slots_from_bytes(&slots), quiet).slots;
        update.execute((url, slots_to_bytes(&rested)))?;
    }
    Ok(())
}

fn candidates(connection: &Connection, run: i64) -> Result<Vec<Candidate>, StoreError> {
    let mut select = connection.prepare(
        "SELECT m.url, m.content, v.version, m.slots, m.content_basis = m.basis, coalesce(m.judged, 0),
             coalesce(m.changed, m.first, 0),
             (SELECT max(w.run) FROM visit w
              WHERE w.url = m.url AND w.run < ?1 AND w.version = m.content AND w.carried = 0)
         FROM visit v
         JOIN memory m ON m.url = v.url AND m.version = v.version
         WHERE v.run = ?1 AND v.last = 1 AND v.purpose = 0 AND v.outcome IN (0, 1)
             AND m.content <> v.version",
    )?;
    let rows = select.query_map([run], |row| {
        Ok(Candidate {
            url: row.get(0)?,
            judged: row.get(1)?,
            version: row.get(2)?,
            slots: row.get::<_, Option<Vec<u8>>>(3)?.unwrap_or_default(),
            comparable: row.get::<_, Option<bool>>(4)?.unwrap_or(false),
            checked_in: row.get(5)?,
            said_since: row.get(6)?,
            fetched_in: row.get::<_, Option<i64>>(7)?.unwrap_or(i64::MAX),
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}
