//! Fills `Seen` from the record.

use crate::error::StoreError;
use crate::schema::numbers::Numbers;
use mapwright_frontier::{DiscoveryState, Known, Seen};
use mapwright_model::{Unfetched, UrlId};
use mapwright_web::UrlKey;
use rusqlite::{Connection, Rows};
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// The number of URLs that are sorted before they are added to `Seen`: four megabytes per thread.
const CHUNK: usize = 1 << 18;
/// The bits of a key that decide its place in a hash table.
const PLACE: u64 = (1 << 20) - 1;
/// Adds the URLs with the numbers in `part` to `seen`.
pub(crate) fn fill(
    seen: &Seen,
    connection: &Connection,
    run: i64,
    part: RangeInclusive<u32>,
    discovery_states: Option<&DiscoveryStates>,
) -> Result<(), StoreError> {
    let part = part.into_inner();
    let mut found =
        connection.prepare("SELECT url, refused FROM found WHERE run = ? AND url BETWEEN ? AND ? ORDER BY url")?;
    let mut found = Ordered { rows: found.query((run, part.0, part.1))?, at: None };
    let mut select = connection.prepare("SELECT id, key FROM url WHERE id BETWEEN ? AND ? ORDER BY id")?;
    let mut rows = select.query(part)?;
    let mut chunk = Vec::with_capacity(CHUNK);
    while let Some(row) = rows.next()? {
        let (id, key): (u32, i64) = (row.get(0)?, row.get(1)?);
        let discovery_state = match discovery_states {
            Some(discovery_states) => discovery_states.of(id, found.of(id)?),
            None => DiscoveryState::Past,
        };
        if chunk.len() == CHUNK {
            enter(seen, &mut chunk);
        }
        chunk.push((UrlKey(key.cast_unsigned()), Known { id: UrlId(id), discovery_state }));
    }
    enter(seen, &mut chunk);
    Ok(())
}

/// Moves a chunk into `seen`. Sorted by place, this takes a third of the time of random order, in which nearly every
/// URL misses the processor's caches.
fn enter(seen: &Seen, chunk: &mut Vec<(UrlKey, Known)>) {
    chunk.sort_unstable_by_key(|(key, _)| key.0 & PLACE);
    chunk.drain(..).for_each(|(key, known)| seen.insert(key, known));
}

/// The data that determine the discovery states of URLs in a resumed run.
pub(crate) struct DiscoveryStates {
    /// URLs that are known only as sitemaps or feeds, and so are undecided as pages.
    pub(crate) files_only: BTreeSet<u32>,
    /// URLs queued because a sitemap lists them (`listed`), or because they are linked (`linked`).
    pub(crate) listed: Numbers,
    pub(crate) linked: Numbers,
}

impl DiscoveryStates {
    fn of(&self, id: u32, found: Option<Option<u8>>) -> DiscoveryState {
        match found {
            None => DiscoveryState::Past,
            Some(Some(refused)) if Unfetched::from_code(refused).is_some_and(Unfetched::is_final) => {
                DiscoveryState::Decided
            }
            Some(Some(_)) => DiscoveryState::Mentioned,
            Some(None) if self.files_only.contains(&id) => DiscoveryState::Mentioned,
            Some(None) if self.listed.holds(id) && !self.linked.holds(id) => DiscoveryState::Listed,
            Some(None) => DiscoveryState::Decided,
        }
    }
}

/// Rows in the order of their numbers, looked up in that order.
struct Ordered<'r> {
    rows: Rows<'r>,
    at: Option<(u32, Option<u8>)>,
}

impl Ordered<'_> {
    /// The row of this number in `found`: `None` without one, else its reason for refusal, if any.
    fn of(&mut self, id: u32) -> Result<Option<Option<u8>>, StoreError> {
        while self.at.is_none_or(|(at, _)| at < id) {
            match self.rows.next()? {
                Some(row) => self.at = Some((row.get(0)?, row.get(1)?)),
                None => return Ok(None),
            }
        }
        Ok(self.at.filter(|(at, _)| *at == id).map(|(_, refused)| refused))
    }
}
