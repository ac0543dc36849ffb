//! What the record remembers of a page, given back to the run that asks for it.

use crate::error::StoreError;
use crate::links;
use mapwright_engine::{Outcome, Remembered, RememberedLink};
use mapwright_frontier::UrlId;
use mapwright_web::PageUrl;
use mapwright_web::page::facts::PlacedDirectives;
use rusqlite::{Connection, OptionalExtension};
use std::collections::HashSet;

/// Recalls pages, each set of links once a run: what many pages share leads to nothing new the second time.
#[derive(Debug, Default)]
pub(crate) struct Recaller {
    /// Sets whose targets were given out, and whether the page they stood on says nofollow.
    given: HashSet<(u32, bool)>,
    /// Give every set each time: where the order of what is found decides what is fetched at all.
    always: bool,
}

/// A remembered page, its links apart.
struct Page {
    sets: Vec<u32>,
    nofollow: bool,
    memory: Remembered,
}

impl Recaller {
    pub(crate) fn new(always: bool) -> Self {
        Self { given: HashSet::new(), always }
    }

    /// What is remembered of a URL. Links to targets for which `is_decided` holds are left out.
    pub(crate) fn recall(
        &mut self,
        connection: &Connection,
        url: UrlId,
        is_decided: &dyn Fn(u32) -> bool,
    ) -> Result<Option<Remembered>, StoreError> {
        let Some(Page { sets, nofollow, mut memory }) = page(connection, url)? else { return Ok(None) };
        for set in sets {
            if self.given.insert((set, nofollow)) || self.always {
                recall_set(connection, set, is_decided, &mut memory.links)?;
            }
        }
        Ok(Some(memory))
    }
}

fn page(connection: &Connection, url: UrlId) -> Result<Option<Page>, StoreError> {
    let mut select = connection.prepare_cached(
        "SELECT m.outcome, m.status, x.sets, m.nofollow, x.directives, c.text, t.text
         FROM memory m
         LEFT JOIN version x ON x.id = m.version
         LEFT JOIN url c ON c.id = m.canonical
         LEFT JOIN url t ON t.id = m.target
         WHERE m.url = ?",
    )?;
    let row = select.query_row([url.0], |row| {
        let directives: Option<String> = row.get(4)?;
        Ok(Page {
            sets: read_sets(row.get_ref(2)?.as_str_or_null()?.unwrap_or_default()),
            nofollow: row.get(3)?,
            memory: Remembered {
                outcome: Outcome::ALL.get(row.get::<_, usize>(0)?).copied().unwrap_or(Outcome::Failed),
                status: row.get(1)?,
                directives: directives.and_then(|json| read_directives(&json)).unwrap_or_default(),
                canonical: row.get::<_, Option<String>>(5)?.and_then(|text| read_url(&text)),
                refresh: row.get::<_, Option<String>>(6)?.and_then(|text| read_url(&text)),
                links: Vec::new(),
            },
        })
    });
    Ok(row.optional()?)
}

fn read_directives(json: &str) -> Option<Vec<PlacedDirectives>> {
    serde_json::from_str(json).ok()
}

/// A URL as the record holds it: canonical already.
pub(crate) fn read_url(text: &str) -> Option<PageUrl> {
    PageUrl::recorded(text)
}

fn recall_set(
    connection: &Connection,
    set: u32,
    is_decided: &dyn Fn(u32) -> bool,
    found: &mut Vec<RememberedLink>,
) -> Result<(), StoreError> {
    let mut text_of = connection.prepare_cached("SELECT text FROM url WHERE id = ?")?;
    for link in links::read(connection, set)?.into_iter().filter(|link| !is_decided(link.target)) {
        let text: Option<String> = text_of.query_row([link.target], |row| row.get(0)).optional()?;
        let Some(url) = text.and_then(|text| read_url(&text)) else { continue };
        found.push(RememberedLink { url, kind: link.kind, rel: link.rel, region: link.region });
    }
    Ok(())
}

/// The numbers of the sets that a version names.
pub(crate) fn read_sets(json: &str) -> Vec<u32> {
    serde_json::from_str(json).unwrap_or_default()
}
