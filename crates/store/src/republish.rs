//! Canonicals of pages that are published under other URLs than they were crawled under.
//!
//! A copy of a site names the pages of the real one as its canonicals. Where the copy is crawled to publish for the real
//! one, such a canonical is the page of the copy that is published so: the page itself, as a rule.

use crate::error::StoreError;
use crate::judge::Renames;
use mapwright_verdict::{Fate, Known};
use mapwright_web::KeyMaker;
use rusqlite::Connection;
use std::collections::HashMap;

/// Turns canonicals that name a published URL to the page that is published under it. Those to a page that was fetched
/// itself stay: it is what bears the name.
pub(crate) fn canonicals(
    connection: &Connection,
    published: Renames<'_>,
    keys: &KeyMaker,
    known: &mut [Known],
) -> Result<(), StoreError> {
    let mut named: HashMap<u32, Option<u64>> = HashMap::new();
    for target in known.iter().filter_map(|page| page.canonical.get()) {
        if !known.get(target as usize).is_some_and(is_fetched) {
            named.insert(target, None);
        }
    }
    let mut pages: HashMap<u64, u32> = HashMap::new();
    let mut select = connection.prepare("SELECT id, text FROM url ORDER BY text")?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        let (id, text): (u32, String) = (row.get(0)?, row.get(1)?);
        if let Some(hash) = named.get_mut(&id) {
            *hash = Some(keys.hash(text.as_bytes()));
        }
        if known.get(id as usize).is_some_and(is_fetched)
            && let Some(name) = published(&text)
        {
            // Of several that come to one name the first is published, as it is with listed pages.
            pages.entry(keys.hash(name.as_bytes())).or_insert(id);
        }
    }
    for page in known {
        let name = page.canonical.get().and_then(|target| named.get(&target).copied().flatten());
        if let Some(bearer) = name.and_then(|hash| pages.get(&hash)) {
            page.canonical = Some(*bearer).into();
        }
    }
    Ok(())
}

fn is_fetched(known: &Known) -> bool {
    matches!(known.fate, Fate::Page | Fate::File | Fate::Redirect)
}
