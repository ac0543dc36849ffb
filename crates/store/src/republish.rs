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
    let mut pages: Vec<(u64, u32)> = Vec::new();
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
            pages.push((keys.hash(name.as_bytes()), id));
        }
    }
    let bearers = bearers(&pages, &named, known);
    for page in known {
        let name = page.canonical.get().and_then(|target| named.get(&target).copied().flatten());
        if let Some(bearer) = name.and_then(|hash| bearers.get(&hash)) {
            page.canonical = Some(*bearer).into();
        }
    }
    Ok(())
}

/// Which page bears each name, of `pages` with the hash of the name that each comes to: of several the one that is
/// likeliest to be listed under it, then the first. `named` are the hashes of what canonicals name.
fn bearers(pages: &[(u64, u32)], named: &HashMap<u32, Option<u64>>, known: &[Known]) -> HashMap<u64, u32> {
    let claim = |hash: u64, id: u32| {
        let page = known.get(id as usize);
        let may_be_listed = page.is_some_and(|page| page.fate != Fate::Redirect && !page.noindex);
        let canonical = page.and_then(|page| page.canonical.get());
        let names_itself =
            canonical.is_none_or(|target| target == id || named.get(&target).copied().flatten() == Some(hash));
        (may_be_listed, names_itself)
    };
    let mut bearers: HashMap<u64, u32> = HashMap::new();
    for (hash, id) in pages {
        let bearer = bearers.entry(*hash).or_insert(*id);
        if claim(*hash, *id) > claim(*hash, *bearer) {
            *bearer = *id;
        }
    }
    bearers
}

fn is_fetched(known: &Known) -> bool {
    matches!(known.fate, Fate::Page | Fate::File | Fate::Redirect)
}
