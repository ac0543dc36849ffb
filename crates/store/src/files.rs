//! What the site's own sitemaps and feeds listed in earlier runs: for the hour in which one of them cannot be read.

use crate::error::StoreError;
use crate::recall::read_url;
use mapwright_frontier::{Listing, UrlId, Via};
use mapwright_web::PageUrl;
use rusqlite::{Connection, Params};

/// Runs that are looked through, at most: a file that is unreadable for longer is forgotten.
const MOST_RUNS: i64 = 8;

/// What a file listed in the last run before `run` that could read it; nothing where none could.
pub(crate) fn recall(connection: &Connection, run: i64, file: UrlId) -> Result<Listing, StoreError> {
    for earlier in (run.saturating_sub(MOST_RUNS).max(1)..run).rev() {
        let pages = urls(
            connection,
            "SELECT u.text FROM entry e JOIN url u ON u.id = e.url WHERE e.run = ? AND e.file = ? ORDER BY e.pos",
            (earlier, file.0),
        )?;
        // Indexes have no entries: the files that they name were found by them, and have some.
        let files = urls(
            connection,
            "SELECT u.text FROM found f JOIN url u ON u.id = f.url
             WHERE f.run = ? AND f.parent = ? AND f.via = ?
             AND EXISTS (SELECT 1 FROM entry e WHERE e.run = f.run AND e.file = f.url)",
            (earlier, file.0, Via::Sitemap.code()),
        )?;
        if !pages.is_empty() || !files.is_empty() {
            return Ok(Listing { pages, files });
        }
    }
    Ok(Listing::default())
}

fn urls(connection: &Connection, sql: &str, params: impl Params) -> Result<Vec<PageUrl>, StoreError> {
    let mut select = connection.prepare_cached(sql)?;
    let texts = select.query_map(params, |row| row.get::<_, String>(0))?;
    texts.filter_map(|text| text.map(|text| read_url(&text)).transpose()).map(|url| Ok(url?)).collect()
}
