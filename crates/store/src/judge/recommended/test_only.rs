//! Pages that are linked only from pages requested to learn the role of a parameter, so that no visitor reaches them.

use crate::error::StoreError;
use crate::judge::clicks::{ClickPlace, places_from};
use crate::judge::targets::SetTargets;
use mapwright_model::{Unfetched, Via};
use mapwright_verdict::{Judgements, NodeIndex, UrlNode, is_listable};
use rusqlite::Connection;
use std::collections::HashMap;

/// The most links that are followed back to the origin of a discovery.
const MAX_STEPS: usize = 1_000;

/// The discovery of each URL: the way, and the page that named it.
type Found = HashMap<NodeIndex, (u8, Option<NodeIndex>)>;

/// The listable pages that clicks reach neither from the start nor from the site's own sitemaps and feeds, and that
/// were discovered from a page requested as such a test.
pub(crate) fn test_only(
    (connection, sets): (&Connection, &SetTargets<'_>),
    run: i64,
    (known, judgements): (&[UrlNode], &Judgements),
    places: &[ClickPlace],
    follows_nofollow: bool,
) -> Result<Vec<NodeIndex>, StoreError> {
    let is_nowhere =
        |places: &[ClickPlace], node: NodeIndex| places.get(node as usize).is_none_or(|p| p.depth().is_none());
    let is_open = |node: &NodeIndex| is_listable(known, *node) && !judgements.contains_key(node);
    let nowhere = (0..).take(known.len()).filter(|node| is_nowhere(places, *node));
    let mut pages: Vec<NodeIndex> = nowhere.filter(is_open).collect();
    if pages.is_empty() {
        return Ok(pages);
    }
    let found = found(connection, run)?;
    pages.retain(|node| origin(&found, *node) == Some(Via::ParameterTest.code()));
    if pages.is_empty() {
        return Ok(pages);
    }
    let listed = [Via::Sitemap, Via::Feed].map(Via::code);
    let listed: Vec<NodeIndex> =
        found.iter().filter(|(_, (via, _))| listed.contains(via)).map(|(node, _)| *node).collect();
    let from_listed = places_from(connection, run, (known, judgements), sets, follows_nofollow, listed)?;
    pages.retain(|node| is_nowhere(&from_listed, *node));
    Ok(pages)
}

/// The discovery of the first page on the path of links, redirects and canonicals by which a URL was found.
fn origin(found: &Found, node: NodeIndex) -> Option<u8> {
    let on = [Via::Link, Via::Redirect, Via::Refresh, Via::Canonical].map(Via::code);
    let mut at = node;
    for _ in 0..MAX_STEPS {
        match found.get(&at)? {
            (via, Some(parent)) if on.contains(via) => at = *parent,
            (via, _) => return Some(*via),
        }
    }
    None
}

/// The discoveries of all requested URLs of a run and of the variants that led to them; empty for a run that tested no
/// parameter.
fn found(connection: &Connection, run: i64) -> Result<Found, StoreError> {
    // Written out, so that the partial index of such URLs serves.
    let tests = format!("SELECT EXISTS (SELECT 1 FROM found WHERE run = ? AND via = {})", Via::ParameterTest.code());
    let has_tests: bool = connection.query_row(&tests, [run], |row| row.get(0))?;
    if !has_tests {
        return Ok(Found::new());
    }
    let mut select =
        connection.prepare("SELECT url, via, parent FROM found WHERE run = ? AND (refused IS NULL OR refused = ?)")?;
    let rows = select
        .query_map((run, Unfetched::ParameterVariant.code()), |row| Ok((row.get(0)?, (row.get(1)?, row.get(2)?))))?;
    Ok(rows.collect::<Result<_, _>>()?)
}
