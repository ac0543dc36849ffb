//! Detects the pages whose content changed since it was last compared.
//!
//! The versions that a run fetched are compared, block by block, with the versions compared before. There are three
//! passes, so that memory holds only differences: find the blocks that differ, count the pages of the site with these
//! blocks ([`crate::judge::shared`]), then compare page by page without boilerplate.

use crate::error::StoreError;
use crate::judge::candidate::{Candidate, Text, candidates};
use crate::judge::shared::Shared;
use mapwright_verdict::content::{VolatilityEvidence, compare, slots_from_bytes, slots_to_bytes};
use rusqlite::Connection;

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
        let (changed, slots) = compare_candidate(candidate, connection, &shared, learns)?;
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

/// Compares the two versions of a candidate. Returns true if its content changed, and the slots to be remembered.
fn compare_candidate(
    candidate: &Candidate,
    connection: &Connection,
    shared: &Shared,
    learns: bool,
) -> Result<(bool, Option<Vec<u8>>), StoreError> {
    if !candidate.comparable {
        return Ok((false, None));
    }
    let (old, new) = (Text::of(connection, candidate.judged)?, Text::of(connection, candidate.version)?);
    if old.passages.is_empty() && new.passages.is_empty() {
        // The hash is 0 where the body was not read completely.
        let known = old.hash != 0 && new.hash != 0;
        return Ok((known && old.hash != new.hash, None));
    }
    if !learns {
        return Ok((old.says() != new.says(), None));
    }
    let pair = shared.pair(&old.passages, &new.passages);
    let [before, now] = shared.volatile_places(candidate, &pair);
    let is_common = shared.for_page(candidate);
    let evidence = VolatilityEvidence { is_common: &is_common, volatile_places: [&before, &now] };
    let comparison = compare(&pair.old, &pair.new, slots_from_bytes(&candidate.slots), evidence);
    let changed = comparison.changed || pair.has_another_list(&|block| shared.moved(block));
    Ok((changed, Some(slots_to_bytes(&comparison.slots))))
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
