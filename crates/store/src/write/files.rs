//! The entries of the site's own sitemaps and feeds in earlier runs, used while one of them cannot be read.

use crate::error::StoreError;
use crate::write::recall::read_url;
use mapwright_model::{Listing, UrlId, Via};
use mapwright_web::PageUrl;
use rusqlite::{Connection, OptionalExtension};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// The most earlier runs that are searched; a file that is unreadable for longer is forgotten.
pub(crate) const MAX_RUNS: i64 = 8;

/// Recalls the entries of files. The indexes of a run are read once, because a site may have very many files that fail.
#[derive(Debug, Default)]
pub(crate) struct Files {
    /// By run and index, the files that the index lists.
    parts: HashMap<i64, HashMap<u32, Vec<u32>>>,
}

impl Files {
    /// The entries of a file in the last run before `run` that could read it; empty where none could.
    pub(crate) fn recall(&mut self, connection: &Connection, run: i64, file: UrlId) -> Result<Listing, StoreError> {
        for earlier in (run.saturating_sub(MAX_RUNS).max(1)..run).rev() {
            let pages = entries(connection, earlier, file)?;
            let files = self.parts_of(connection, earlier, file)?;
            if !pages.is_empty() || !files.is_empty() {
                return Ok(Listing { pages, files });
            }
        }
        Ok(Listing::default())
    }

    fn parts_of(&mut self, connection: &Connection, run: i64, file: UrlId) -> Result<Vec<PageUrl>, StoreError> {
        let indexes = match self.parts.entry(run) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => unknown.insert(parts(connection, run)?),
        };
        let Some(parts) = indexes.get(&file.0) else { return Ok(Vec::new()) };
        let mut text = connection.prepare_cached("SELECT text FROM url WHERE id = ?")?;
        let mut urls = Vec::with_capacity(parts.len());
        for part in parts {
            let text: Option<String> = text.query_row([part], |row| row.get(0)).optional()?;
            urls.extend(text.as_deref().and_then(read_url));
        }
        Ok(urls)
    }
}

/// The pages that a file lists, then their alternates.
fn entries(connection: &Connection, run: i64, file: UrlId) -> Result<Vec<PageUrl>, StoreError> {
    let mut select = connection.prepare_cached(
        "SELECT u.text FROM (
             SELECT 0 AS part, pos, url FROM entry WHERE run = ?1 AND file = ?2
             UNION ALL SELECT 1, e.pos, a.value ->> 1 FROM entry e, json_each(e.alternates) a
             WHERE e.run = ?1 AND e.file = ?2 AND e.alternates IS NOT NULL
         ) e JOIN url u ON u.id = e.url GROUP BY e.url ORDER BY min(e.part), min(e.pos)",
    )?;
    let texts = select.query_map((run, file.0), |row| row.get::<_, String>(0))?;
    texts.filter_map(|text| text.map(|text| read_url(&text)).transpose()).map(|url| Ok(url?)).collect()
}

/// The indexes of a run, each with its files. An index has no entries of its own, so it is recognised as the parent of
/// files with entries.
fn parts(connection: &Connection, run: i64) -> Result<HashMap<u32, Vec<u32>>, StoreError> {
    let mut select = connection.prepare(
        "SELECT f.parent, f.url FROM (SELECT DISTINCT file FROM entry WHERE run = ?1) e
         JOIN found f ON f.run = ?1 AND f.url = e.file
         WHERE f.via = ?2 AND f.parent IS NOT NULL",
    )?;
    let mut rows = select.query((run, Via::Sitemap.code()))?;
    let mut parts: HashMap<u32, Vec<u32>> = HashMap::new();
    while let Some(row) = rows.next()? {
        parts.entry(row.get(0)?).or_default().push(row.get(1)?);
    }
    Ok(parts)
}
