//! What the record remembers of a page, given back to the run that asks for it.

use crate::error::StoreError;
use crate::names::{KINDS, REGIONS};
use mapwright_engine::{Outcome, Remembered, RememberedLink};
use mapwright_frontier::UrlId;
use mapwright_web::page::facts::{PlacedDirectives, Rel};
use mapwright_web::{Identity, PageUrl};
use rusqlite::{Connection, OptionalExtension};
use std::collections::HashSet;

/// Recalls pages, each set of links once a run: what many pages share leads to nothing new the second time.
#[derive(Debug, Default)]
pub(crate) struct Recaller {
    /// Sets whose targets were given out, and whether the page they stood on says nofollow.
    given: HashSet<(i64, bool)>,
    /// Give every set each time: where the order of what is found decides what is fetched at all.
    always: bool,
}

/// A remembered page, its links apart.
struct Page {
    version: Option<i64>,
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
        let Some(Page { version, nofollow, mut memory }) = page(connection, url)? else { return Ok(None) };
        let Some(version) = version else { return Ok(Some(memory)) };
        let mut select = connection.prepare_cached("SELECT \"set\" FROM version_set WHERE version = ?")?;
        let sets: Vec<i64> = select.query_map([version], |row| row.get(0))?.collect::<Result<_, _>>()?;
        for set in sets {
            if self.given.insert((set, nofollow)) || self.always {
                links(connection, set, is_decided, &mut memory.links)?;
            }
        }
        Ok(Some(memory))
    }
}

fn page(connection: &Connection, url: UrlId) -> Result<Option<Page>, StoreError> {
    let mut select = connection.prepare_cached(
        "SELECT m.outcome, m.status, m.version, m.nofollow, json_extract(x.facts, '$.directives'), c.text, t.text
         FROM memory m
         LEFT JOIN version x ON x.id = m.version
         LEFT JOIN url c ON c.id = m.canonical
         LEFT JOIN url t ON t.id = m.target
         WHERE m.url = ?",
    )?;
    let row = select.query_row([url.0], |row| {
        let directives: Option<String> = row.get(4)?;
        Ok(Page {
            version: row.get(2)?,
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
    PageUrl::parse(text, &Identity::new(false, &[])).ok()
}

fn links(
    connection: &Connection,
    set: i64,
    is_decided: &dyn Fn(u32) -> bool,
    links: &mut Vec<RememberedLink>,
) -> Result<(), StoreError> {
    let mut select = connection.prepare_cached("SELECT target, kind, rel, region FROM link WHERE \"set\" = ?")?;
    let mut text_of = connection.prepare_cached("SELECT text FROM url WHERE id = ?")?;
    let mut rows = select.query([set])?;
    while let Some(row) = rows.next()? {
        let target: u32 = row.get(0)?;
        if is_decided(target) {
            continue;
        }
        let text: Option<String> = text_of.query_row([target], |row| row.get(0)).optional()?;
        let (kind, rel, region): (usize, u8, usize) = (row.get(1)?, row.get(2)?, row.get(3)?);
        let Some(url) = text.and_then(|text| read_url(&text)) else { continue };
        let (Some((kind, _)), Some((region, _))) = (KINDS.get(kind), REGIONS.get(region)) else { continue };
        let rel = Rel { nofollow: rel & 1 != 0, ugc: rel & 2 != 0, sponsored: rel & 4 != 0 };
        links.push(RememberedLink { url, kind: *kind, rel, region: *region });
    }
    Ok(())
}
