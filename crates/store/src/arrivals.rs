//! Pages that an earlier complete run proves not to have been there.
//!
//! A URL that no run knew is no proof: the page that links it may not have been reached, or not been read. It is new where
//! the page before it on the shortest click path was read by the last complete run and did not link it then, or is new
//! itself; where no page links it, a sitemap that was read then and did not list it tells the same.

use crate::error::StoreError;
use mapwright_engine::Outcome;
use rusqlite::Connection;
use std::collections::HashSet;

/// Pages before a page that are looked at, at most.
const MAX_CLICKS: usize = 10_000;

/// What the last complete run knew and read.
pub(crate) struct Arrivals<'c> {
    connection: &'c Connection,
    run: i64,
    /// The number of the last URL that it knew; none where there was no such run, or nothing came since.
    known: Option<u32>,
    /// The URLs that it read, under the settings of now.
    read: HashSet<u32>,
}

impl<'c> Arrivals<'c> {
    /// Reads what the last complete run before `run` saw, if any URL came since.
    pub(crate) fn load(connection: &'c Connection, run: i64) -> Result<Self, StoreError> {
        let mut arrivals = Self { connection, run, known: None, read: HashSet::new() };
        let select = "SELECT max(id) FROM run WHERE id < ? AND state = 'whole'";
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

    /// Whether a URL is new; `parent` gives the page before another on its shortest click path.
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

    /// Whether a sitemap lists the URL that was read then.
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

/// The URLs that a run read: pages, redirects and sitemaps. What was read under other settings may have led elsewhere.
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
