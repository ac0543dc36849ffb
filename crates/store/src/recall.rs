//! What the record remembers of a page, given back to the run that asks for it.

use crate::error::StoreError;
use crate::json;
use crate::links;
use mapwright_engine::{Outcome, Remembered, RememberedLink};
use mapwright_frontier::{Kin, UrlId};
use mapwright_web::PageUrl;
use rusqlite::{Connection, OptionalExtension};
use std::collections::{HashMap, HashSet};

/// Recalls pages, each set of links once a run: what many pages share leads to nothing new the second time.
#[derive(Debug, Default)]
pub(crate) struct Recaller {
    /// Sets whose targets were given out, by whether the page they stood on says nofollow; and the last such page.
    given: HashMap<(u32, bool), UrlId>,
    /// Of these, sets that were looked at for a second page.
    shared: HashSet<u32>,
    /// Give every set each time: where the order of what is found decides what is fetched at all.
    always: bool,
}

/// A remembered page, its links apart.
struct Page {
    text: Option<PageUrl>,
    sets: Vec<u32>,
    nofollow: bool,
    memory: Remembered,
}

/// What a set of links is read for.
struct Reading<'a> {
    is_decided: &'a dyn Fn(u32) -> bool,
    /// Links to targets that are not decided are given.
    gives: bool,
    /// Pages of this kin are told where the run met them before.
    kin: Option<Kin<'a>>,
    /// Another page gave the same set: then the run met all of them.
    shared: bool,
}

impl Recaller {
    pub(crate) fn new(always: bool) -> Self {
        Self { always, ..Self::default() }
    }

    /// What is remembered of a URL. Links to targets for which `is_decided` holds are left out, but told as linked again
    /// where they are pages of its own pattern.
    pub(crate) fn recall(
        &mut self,
        connection: &Connection,
        url: UrlId,
        is_decided: &dyn Fn(u32) -> bool,
    ) -> Result<Option<Remembered>, StoreError> {
        let Some(Page { text, sets, nofollow, mut memory }) = page(connection, url)? else { return Ok(None) };
        let kin = text.as_ref().and_then(Kin::of);
        for set in sets {
            let giver = self.given.insert((set, nofollow), url);
            let shared = giver.is_some_and(|giver| giver != url);
            let tells = giver.is_none() || shared && self.shared.insert(set);
            let reading =
                Reading { is_decided, gives: giver.is_none() || self.always, kin: kin.filter(|_| tells), shared };
            reading.of_set(connection, set, &mut memory)?;
        }
        memory.again.retain(|kin| *kin != url);
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
                again: Vec::new(),
            },
        })
    });
    Ok(row.optional()?)
}

/// A URL as the record holds it: canonical already.
pub(crate) fn read_url(text: &str) -> Option<PageUrl> {
    PageUrl::recorded(text)
}

impl Reading<'_> {
    fn of_set(&self, connection: &Connection, set: u32, memory: &mut Remembered) -> Result<(), StoreError> {
        if !self.gives && self.kin.is_none() {
            return Ok(());
        }
        let mut text_of = connection.prepare_cached("SELECT text FROM url WHERE id = ?")?;
        for link in links::read(connection, set)? {
            let decided = (self.is_decided)(link.target);
            let (gives, kin) = (self.gives && !decided, self.kin.filter(|_| decided || self.shared));
            if !gives && kin.is_none() {
                continue;
            }
            let Some(text) = text_of.query_row([link.target], |row| row.get::<_, String>(0)).optional()? else {
                continue;
            };
            if kin.is_some_and(|kin| kin.holds(&text)) {
                memory.again.push(UrlId(link.target));
            }
            if let Some(url) = read_url(&text).filter(|_| gives) {
                memory.links.push(RememberedLink { url, kind: link.kind, rel: link.rel, region: link.region });
            }
        }
        Ok(())
    }
}
