//! Recalls the stored page and its links, for a page that this run does not fetch again.

use crate::error::StoreError;
use crate::schema::json;
use crate::write::links;
use mapwright_model::{Outcome, Remembered, RememberedLink, UrlId};
use mapwright_traps::PatternFamily;
use mapwright_web::PageUrl;
use rusqlite::{Connection, OptionalExtension};
use std::collections::{HashMap, HashSet};

/// Recalls pages, with each set of links once per run: a set that many pages share yields nothing new the second time.
#[derive(Debug, Default)]
pub(crate) struct Recaller {
    /// Sets whose links were returned, by number and whether their page says nofollow, each with the last such page.
    given: HashMap<(u32, bool), UrlId>,
    /// Sets that were read again for a second page.
    shared: HashSet<u32>,
    /// Returns every set each time, because the order of discoveries decides which pages are fetched at all.
    always: bool,
}

/// A stored page without its links.
struct Page {
    text: Option<PageUrl>,
    sets: Vec<u32>,
    nofollow: bool,
    memory: Remembered,
}

/// The purpose of reading a set of links.
struct Reading<'a> {
    is_decided: &'a dyn Fn(u32) -> bool,
    /// Returns links to targets that are not decided yet.
    gives: bool,
    /// The pattern family of the page: targets in it that the run has already found are reported as linked again.
    family: Option<PatternFamily<'a>>,
    /// Another page has the same set, so the run has found all of its targets.
    shared: bool,
}

impl Recaller {
    pub(crate) fn new(always: bool) -> Self {
        Self { always, ..Self::default() }
    }

    /// Returns the stored page of a URL. Links to targets for which `is_decided` holds are left out; those to pages of
    /// its own pattern family are reported as linked again.
    pub(crate) fn recall(
        &mut self,
        connection: &Connection,
        url: UrlId,
        is_decided: &dyn Fn(u32) -> bool,
    ) -> Result<Option<Remembered>, StoreError> {
        let Some(Page { text, sets, nofollow, mut memory }) = page(connection, url)? else { return Ok(None) };
        let family = text.as_ref().and_then(PatternFamily::of);
        for set in sets {
            let giver = self.given.insert((set, nofollow), url);
            let shared = giver.is_some_and(|giver| giver != url);
            let reports = giver.is_none() || shared && self.shared.insert(set);
            let reading = Reading {
                is_decided,
                gives: giver.is_none() || self.always,
                family: family.filter(|_| reports),
                shared,
            };
            reading.of_set(connection, set, &mut memory)?;
        }
        memory.relinked.retain(|family| *family != url);
        Ok(Some(memory))
    }
}

fn page(connection: &Connection, url: UrlId) -> Result<Option<Page>, StoreError> {
    let mut select = connection.prepare_cached(
        "SELECT m.outcome, m.status, x.sets, m.nofollow, x.directives, c.text, t.text, u.text
         FROM memory m
         LEFT JOIN url u ON u.id = m.url
         LEFT JOIN version x ON x.id = m.version
         LEFT JOIN url c ON c.id = m.canonical
         LEFT JOIN url t ON t.id = m.target
         WHERE m.url = ?",
    )?;
    let row = select.query_row([url.0], |row| {
        Ok(Page {
            text: row.get::<_, Option<String>>(7)?.and_then(|text| read_url(&text)),
            sets: row.get(2).map(json::or_default)?,
            nofollow: row.get(3)?,
            memory: Remembered {
                outcome: Outcome::ALL.get(row.get::<_, usize>(0)?).copied().unwrap_or(Outcome::Failed),
                status: row.get(1)?,
                directives: row.get(4).map(json::or_default)?,
                canonical: row.get::<_, Option<String>>(5)?.and_then(|text| read_url(&text)),
                refresh: row.get::<_, Option<String>>(6)?.and_then(|text| read_url(&text)),
                links: Vec::new(),
                relinked: Vec::new(),
            },
        })
    });
    Ok(row.optional()?)
}

/// Parses a URL of the record, which is already canonical.
pub(crate) fn read_url(text: &str) -> Option<PageUrl> {
    PageUrl::recorded(text)
}

impl Reading<'_> {
    fn of_set(&self, connection: &Connection, set: u32, memory: &mut Remembered) -> Result<(), StoreError> {
        if !self.gives && self.family.is_none() {
            return Ok(());
        }
        let mut text_of = connection.prepare_cached("SELECT text FROM url WHERE id = ?")?;
        for link in links::read(connection, set)? {
            let decided = (self.is_decided)(link.target);
            let (gives, family) = (self.gives && !decided, self.family.filter(|_| decided || self.shared));
            if !gives && family.is_none() {
                continue;
            }
            let Some(text) = text_of.query_row([link.target], |row| row.get::<_, String>(0)).optional()? else {
                continue;
            };
            if family.is_some_and(|family| family.holds(&text)) {
                memory.relinked.push(UrlId(link.target));
            }
            if let Some(url) = read_url(&text).filter(|_| gives) {
                memory.links.push(RememberedLink { url, kind: link.kind, rel: link.rel, region: link.region });
            }
        }
        Ok(())
    }
}
