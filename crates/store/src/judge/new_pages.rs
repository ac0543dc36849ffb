//! Decides which pages are new since the last complete run.
//!
//! A URL unknown to earlier runs is not necessarily new: the page that links it may not have been read. It is new if
//! the page before it on the shortest click path was read by the last complete run (and did not link it then), or is
//! new itself. A URL that no page links is new if a sitemap lists it that the last complete run read.

use crate::error::StoreError;
use mapwright_model::Outcome;
use rusqlite::Connection;
use std::collections::HashSet;

/// The most pages of a click path that are followed back.
const MAX_CLICKS: usize = 10_000;

/// The URLs that the last complete run knew and read.
pub(crate) struct NewPages<'c> {
    connection: &'c Connection,
    run: i64,
    /// The number of the last URL that it knew; `None` without such a run, or without new URLs since.
    known: Option<u32>,
    /// The URLs that it read under the current settings.
    read: HashSet<u32>,
}

impl<'c> NewPages<'c> {
    /// Loads the URLs of the last complete run before `run`, if any URL was added since.
    pub(crate) fn load(connection: &'c Connection, run: i64) -> Result<Self, StoreError> {
        let mut arrivals = Self { connection, run, known: None, read: HashSet::new() };
        let select = "SELECT max(id) FROM run WHERE id < ? AND state = 'complete'";
        let Some(complete) = connection.query_row(select, [run], |row| row.get::<_, Option<i64>>(0))? else {
            return Ok(arrivals);
        };
        let select = "SELECT known FROM run WHERE id > ? ORDER BY id LIMIT 1";
        let known: u32 = connection.query_row(select, [complete], |row| row.get(0))?;
        let newest: Option<u32> = connection.query_row("SELECT max(id) FROM url", [], |row| row.get(0))?;
        if newest.is_some_and(|newest| newest > known) {
            arrivals.known = Some(known);
            arrivals.read = read(connection, complete)?;
        }
        Ok(arrivals)
    }

    /// Reports whether a URL is new; `parent` returns the page before another on its shortest click path.
    pub(crate) fn include(&self, url: u32, parent: &dyn Fn(u32) -> Option<u32>) -> Result<bool, StoreError> {
        let Some(known) = self.known.filter(|known| url > *known) else { return Ok(false) };
        let mut url = url;
        for _ in 0..MAX_CLICKS {
            match parent(url) {
                Some(before) if before > known => url = before,
                Some(before) => return Ok(self.read.contains(&before)),
                None => return self.is_newly_listed(url),
            }
        }
        Ok(false)
    }

    /// Reports whether a sitemap that the last complete run read lists the URL now.
    fn is_newly_listed(&self, url: u32) -> Result<bool, StoreError> {
        let mut select = self.connection.prepare_cached("SELECT file FROM entry WHERE +run = ? AND url = ?")?;
        let mut rows = select.query((self.run, url))?;
        while let Some(row) = rows.next()? {
            if self.read.contains(&row.get(0)?) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The URLs that a run read: pages, redirects and sitemaps. Those read under other settings are left out, since they
/// may have had other links.
fn read(connection: &Connection, run: i64) -> Result<HashSet<u32>, StoreError> {
    let mut select = connection.prepare(
        "SELECT v.url, v.outcome FROM visit v LEFT JOIN memory m ON m.url = v.url
         WHERE v.run = ? AND v.last = 1 AND (m.url IS NULL OR m.content_basis IS m.basis)",
    )?;
    let mut rows = select.query([run])?;
    let mut urls = HashSet::new();
    while let Some(row) = rows.next()? {
        let outcome = Outcome::ALL.get(row.get::<_, usize>(1)?);
        if matches!(outcome, Some(Outcome::Page | Outcome::File | Outcome::Redirect)) {
            urls.insert(row.get(0)?);
        }
    }
    Ok(urls)
}
