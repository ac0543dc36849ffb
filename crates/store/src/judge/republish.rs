//! The canonicals of pages that are published under other URLs than those crawled (`--rewrite-host`).
//!
//! The pages of a copy of a site have canonicals on the real site. If the copy is crawled to publish the sitemap of the
//! real site, such a canonical stands for the page of the copy that is published under it, usually the page itself.

use crate::error::StoreError;
use crate::judge::options::Renames;
use mapwright_verdict::{FetchStatus, UrlNode};
use mapwright_web::KeyMaker;
use rusqlite::Connection;
use std::collections::HashMap;

/// Changes each canonical that names a published URL to the page that is published under it. A canonical to a URL that
/// was itself fetched stays.
pub(crate) fn canonicals(
    connection: &Connection,
    published: Renames<'_>,
    keys: &KeyMaker,
    known: &mut [UrlNode],
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
    let pages_by_published_url = pages_by_published_url(&pages, &named, known);
    for page in known {
        let name = page.canonical.get().and_then(|target| named.get(&target).copied().flatten());
        if let Some(bearer) = name.and_then(|hash| pages_by_published_url.get(&hash)) {
            page.canonical = Some(*bearer).into();
        }
    }
    Ok(())
}

/// The page for each published URL, by its hash. `pages` holds the hash of each page's published URL. If several pages
/// have the same one, the page that is most likely listed under it is chosen, then the first. `named` holds the hashes
/// of the targets of canonicals.
fn pages_by_published_url(
    pages: &[(u64, u32)],
    named: &HashMap<u32, Option<u64>>,
    known: &[UrlNode],
) -> HashMap<u64, u32> {
    let claim = |hash: u64, id: u32| {
        let page = known.get(id as usize);
        let may_be_listed = page.is_some_and(|page| page.fetch_status != FetchStatus::Redirect && !page.noindex);
        let canonical = page.and_then(|page| page.canonical.get());
        let names_itself =
            canonical.is_none_or(|target| target == id || named.get(&target).copied().flatten() == Some(hash));
        (may_be_listed, names_itself)
    };
    let mut pages_by_published_url: HashMap<u64, u32> = HashMap::new();
    for (hash, id) in pages {
        let bearer = pages_by_published_url.entry(*hash).or_insert(*id);
        if claim(*hash, *id) > claim(*hash, *bearer) {
            *bearer = *id;
        }
    }
    pages_by_published_url
}

fn is_fetched(known: &UrlNode) -> bool {
    matches!(known.fetch_status, FetchStatus::Page | FetchStatus::File | FetchStatus::Redirect)
}
