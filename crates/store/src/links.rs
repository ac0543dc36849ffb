//! Links, stored by sets: the navigation that a thousand pages share is stored once.

use crate::commit::Batch;
use crate::error::StoreError;
use crate::link_json::{self, StoredLink, rel_code};
use crate::names::{kind_code, region_code};
use mapwright_engine::{LinkRef, Links};
use mapwright_web::page::facts::{LinkKind, Region};
use rusqlite::{Connection, OptionalExtension};
use std::collections::{BTreeMap, HashMap};

/// Sets remembered at once, at most; one that is forgotten is stored again when it comes up again.
const MAX_REMEMBERED: usize = 50_000;

/// Sets that were stored lately, by the hash of what they hold; and the usual texts.
#[derive(Debug)]
pub(crate) struct Sets {
    known: HashMap<u64, i64>,
    next: i64,
    /// By number of URL, the hash of the usual text of links to it; 0 where none was met yet.
    usual: Vec<u64>,
    /// URLs up to this number may have a usual text that was not met yet.
    before: u32,
}

impl Sets {
    pub(crate) fn new(connection: &Connection) -> Result<Self, StoreError> {
        let next = connection.query_row("SELECT coalesce(max(id), 0) + 1 FROM link_set", [], |row| row.get(0))?;
        let before = connection.query_row("SELECT coalesce(max(url), 0) FROM anchor", [], |row| row.get(0))?;
        Ok(Self { known: HashMap::new(), next, usual: Vec::new(), before })
    }

    /// The usual text of links to a URL, where the record had one before.
    fn texted_before(&self, connection: &Connection, url: u32) -> Result<Option<String>, StoreError> {
        if url > self.before {
            return Ok(None);
        }
        let mut select = connection.prepare_cached("SELECT text FROM anchor WHERE url = ?")?;
        Ok(select.query_row([url], |row| row.get(0)).optional()?)
    }

    fn note_usual(&mut self, url: u32, hash: u64) {
        let at = url as usize;
        if self.usual.len() <= at {
            self.usual.resize(at + 1, 0);
        }
        if let Some(slot) = self.usual.get_mut(at) {
            *slot = hash;
        }
    }
}

/// Stores the links of a page, one set a region. Gives the sets' numbers as JSON.
pub(crate) fn store(batch: &mut Batch<'_>, links: &Links) -> Result<String, StoreError> {
    let mut regions: BTreeMap<Region, String> = BTreeMap::new();
    for (target, link) in links.iter() {
        let target = batch.target(target)?;
        let usual = is_usual(batch, target, &link)?;
        let json = regions.entry(link.region).or_default();
        json.push(if json.is_empty() { '[' } else { ',' });
        link_json::push(json, target, &link, usual);
    }
    let mut sets = String::from("[");
    for (region, mut json) in regions {
        json.push(']');
        if sets.len() > 1 {
            sets.push(',');
        }
        sets.push_str(&set(batch, region, &json)?.to_string());
    }
    sets.push(']');
    Ok(sets)
}

/// Adds to what a page says where its links lead, and how.
pub(crate) fn say(batch: &mut Batch<'_>, links: &Links, said: &mut Vec<u8>) -> Result<(), StoreError> {
    for (target, link) in links.iter() {
        said.extend_from_slice(&batch.target(target)?.to_le_bytes());
        said.extend([kind_code(link.kind) as u8, rel_code(link.rel), region_code(link.region) as u8]);
        said.extend_from_slice(link.anchor.as_bytes());
        // No UTF-8 text holds these bytes.
        said.push(if link.fragment.is_some() { 0xFE } else { 0xFF });
        said.extend_from_slice(link.fragment.unwrap_or_default().as_bytes());
    }
    Ok(())
}

/// Whether a link's text is the usual one of its target; the first text met becomes that.
fn is_usual(batch: &mut Batch<'_>, target: u32, link: &LinkRef<'_>) -> Result<bool, StoreError> {
    if link.anchor.is_empty() || link.kind != LinkKind::Anchor {
        return Ok(false);
    }
    let hash = batch.ledger.keys.hash(link.anchor.as_bytes());
    match batch.ledger.sets.usual.get(target as usize) {
        Some(0) | None => {}
        Some(usual) => return Ok(*usual == hash),
    }
    let usual = match batch.ledger.sets.texted_before(batch.transaction, target)? {
        Some(text) => batch.ledger.keys.hash(text.as_bytes()),
        None => {
            let mut insert = batch.transaction.prepare_cached("INSERT INTO anchor (url, text) VALUES (?, ?)")?;
            insert.execute((target, link.anchor))?;
            hash
        }
    };
    batch.ledger.sets.note_usual(target, usual);
    Ok(usual == hash)
}

/// The number of the set that holds these links, stored now if it was not before.
fn set(batch: &mut Batch<'_>, region: Region, json: &str) -> Result<i64, StoreError> {
    let region = region_code(region);
    let key = batch.ledger.keys.hash(json.as_bytes()).wrapping_add(region as u64);
    let sets = &mut batch.ledger.sets;
    if let Some(number) = sets.known.get(&key) {
        return Ok(*number);
    }
    let number = sets.next;
    sets.next += 1;
    if sets.known.len() >= MAX_REMEMBERED {
        sets.known.clear();
    }
    sets.known.insert(key, number);
    let mut insert = batch.transaction.prepare_cached("INSERT INTO link_set (id, region, links) VALUES (?, ?, ?)")?;
    insert.execute((number, region, json))?;
    Ok(number)
}

/// The links of a set; none where there is no such set.
pub(crate) fn read(connection: &Connection, set: u32) -> Result<Vec<StoredLink>, StoreError> {
    let mut select = connection.prepare_cached("SELECT region, links FROM link_set WHERE id = ?")?;
    let links = select.query_row([set], |row| link_json::read(row, 0));
    Ok(links.optional()?.unwrap_or_default())
}

/// The usual text of the links to a URL; empty where there is none.
pub(crate) fn usual_text(connection: &Connection, url: u32) -> Result<String, StoreError> {
    let mut select = connection.prepare_cached("SELECT text FROM anchor WHERE url = ?")?;
    Ok(select.query_row([url], |row| row.get(0)).optional()?.unwrap_or_default())
}
