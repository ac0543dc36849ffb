//! Stores links in sets, so that the navigation that a thousand pages share is stored once.

use crate::error::StoreError;
use crate::schema::names::{kind_code, region_code};
use crate::write::commit::BatchWriter;
use crate::write::link_json::{self, StoredLink, rel_code};
use mapwright_model::{LinkRef, Links};
use mapwright_web::page::facts::{LinkKind, Region};
use rusqlite::{Connection, OptionalExtension};
use std::collections::{BTreeMap, HashMap};

/// The most sets remembered; a set that is forgotten is stored again at its next occurrence.
const MAX_REMEMBERED: usize = 50_000;

/// The sets stored recently, by the hash of their links, and the usual link texts.
#[derive(Debug)]
pub(crate) struct Sets {
    known: HashMap<u64, i64>,
    next: i64,
    /// By number of URL, the hash of the usual text of links to it; 0 where none is loaded yet.
    usual: Vec<u64>,
    /// The last number of the URLs that may have a usual text in the record that is not loaded yet.
    before: u32,
}

impl Sets {
    pub(crate) fn new(connection: &Connection) -> Result<Self, StoreError> {
        let next = connection.query_row("SELECT coalesce(max(id), 0) + 1 FROM link_set", [], |row| row.get(0))?;
        let before = connection.query_row("SELECT coalesce(max(url), 0) FROM anchor", [], |row| row.get(0))?;
        Ok(Self { known: HashMap::new(), next, usual: Vec::new(), before })
    }

    /// The usual text of links to a URL, if an earlier run stored one.
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

/// Stores the links of a page in one set per region. Returns the sets' numbers as JSON.
pub(crate) fn store(batch: &mut BatchWriter<'_>, links: &Links) -> Result<String, StoreError> {
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

/// Appends the links of a page to `said`, the bytes by which versions of the page are distinguished.
pub(crate) fn say(batch: &mut BatchWriter<'_>, links: &Links, said: &mut Vec<u8>) -> Result<(), StoreError> {
    for (target, link) in links.iter() {
        said.extend_from_slice(&batch.target(target)?.to_le_bytes());
        said.extend([kind_code(link.kind) as u8, rel_code(link.rel), region_code(link.region) as u8]);
        said.extend_from_slice(link.anchor.as_bytes());
        // These bytes do not occur in UTF-8.
        said.push(if link.fragment.is_some() { 0xFE } else { 0xFF });
        said.extend_from_slice(link.fragment.unwrap_or_default().as_bytes());
    }
    Ok(())
}

/// Reports whether a link's text is the usual one of its target; the first text found becomes the usual one.
fn is_usual(batch: &mut BatchWriter<'_>, target: u32, link: &LinkRef<'_>) -> Result<bool, StoreError> {
    if link.anchor.is_empty() || link.kind != LinkKind::Anchor {
        return Ok(false);
    }
    let hash = batch.writer_state.keys.hash(link.anchor.as_bytes());
    match batch.writer_state.sets.usual.get(target as usize) {
        Some(0) | None => {}
        Some(usual) => return Ok(*usual == hash),
    }
    let usual = match batch.writer_state.sets.texted_before(batch.transaction, target)? {
        Some(text) => batch.writer_state.keys.hash(text.as_bytes()),
        None => {
            let mut insert = batch.transaction.prepare_cached("INSERT INTO anchor (url, text) VALUES (?, ?)")?;
            insert.execute((target, link.anchor))?;
            hash
        }
    };
    batch.writer_state.sets.note_usual(target, usual);
    Ok(usual == hash)
}

/// The number of the set with these links; a new set is stored.
fn set(batch: &mut BatchWriter<'_>, region: Region, json: &str) -> Result<i64, StoreError> {
    let region = region_code(region);
    let key = batch.writer_state.keys.hash(json.as_bytes()).wrapping_add(region as u64);
    let sets = &mut batch.writer_state.sets;
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

/// Reads the links of a set; none where there is no such set.
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
