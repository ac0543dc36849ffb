//! Detects the pages whose content changed since it was last compared.
//!
//! The versions that a run fetched are compared, block by block, with the versions compared before. There are three
//! passes, so that memory holds only differences: find the blocks that differ, count the pages of the site with these
//! blocks ([`crate::judge::shared`]), then compare page by page without boilerplate.

use crate::error::StoreError;
use crate::judge::shared::Shared;
use crate::write::passages;
use mapwright_verdict::content::{BlockHash, Passage, VolatilityEvidence, compare, slots_from_bytes, slots_to_bytes};
use rusqlite::{Connection, OptionalExtension, Row};

/// A known page whose version differs from the version compared before.
pub(crate) struct Candidate {
    pub(crate) url: u32,
    /// The version compared before.
    judged: i64,
    version: i64,
    /// Both versions were read under the same settings, so that their blocks can be compared.
    comparable: bool,
    slots: Vec<u8>,
    /// The last run in which its content was judged.
    pub(crate) checked_in: i64,
    /// The last earlier run that fetched the judged version with its body, not by revalidation.
    pub(crate) fetched_in: i64,
    /// The time of the last detected change, or of the first visit, in milliseconds since 1970.
    pub(crate) said_since: i64,
}

/// Compares the content of all pages of `run` that differ, and stores the results. The verdicts note that all pages
/// were checked ([`crate::judge::page_states`]).
///
/// `learns`: boilerplate is detected; false where the user has selected the content. `remembers`: later runs build on
/// this one; if false, changes are left for the next run to detect, but unchanged pages are stored, because a region
/// that is equal here did not differ in two successive runs.
pub(crate) fn judge(connection: &Connection, run: i64, learns: bool, remembers: bool) -> Result<(), StoreError> {
    rest(connection, run)?;
    let candidates = candidates(connection, run)?;
    let shared = if learns { Shared::count(connection, run, &candidates)? } else { Shared::default() };
    let mut remember =
        connection.prepare("UPDATE memory SET content = ?2, slots = ?3, since = coalesce(since, ?2) WHERE url = ?1")?;
    // The date published so far is no longer valid.
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
    /// The passages of the version compared before and of the new one; `None` where they are not comparable.
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
            // The hash is 0 where the body was not read completely.
            let known = old.hash != 0 && new.hash != 0;
            return Ok((known && old.hash != new.hash, None));
        }
        if !learns {
            return Ok((old.says() != new.says(), None));
        }
        let pair = shared.pair(&old.passages, &new.passages);
        let [before, now] = shared.volatile_places(self, &pair);
        let is_common = shared.for_page(self);
        let evidence = VolatilityEvidence { is_common: &is_common, volatile_places: [&before, &now] };
        let comparison = compare(&pair.old, &pair.new, slots_from_bytes(&self.slots), evidence);
        let changed = comparison.changed || pair.has_another_list(&|block| shared.moved(block));
        Ok((changed, Some(slots_to_bytes(&comparison.slots))))
    }
}

/// The compared parts of a version.
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

    /// Its text blocks of any role, without the title, which is in no part of the page that a user selects.
    fn says(&self) -> Vec<BlockHash> {
        let is_text = |passage: &&Passage| passage.bytes > 0;
        self.passages.iter().filter(is_text).map(|passage| passage.text).collect()
    }
}

/// Updates the slots of pages that were fetched without a difference: none of their places differed twice in a row.
fn rest(connection: &Connection, run: i64) -> Result<(), StoreError> {
    let mut select = connection.prepare(
        "SELECT m.url, m.slots FROM visit v JOIN memory m ON m.url = v.url
         WHERE v.run = ?1 AND v.last = 1 AND v.purpose = 0 AND v.reused < 2 AND v.version = m.content
             AND length(m.slots) > 0 AND m.judged IS NOT ?1",
    )?;
    let mut rows = select.query([run])?;
    let quiet = VolatilityEvidence { is_common: &|_| false, volatile_places: [&[], &[]] };
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
              WHERE w.url = m.url AND w.run < ?1 AND w.version = m.content AND w.reused = 0)
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
