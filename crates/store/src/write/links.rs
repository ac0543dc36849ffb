//! Stores links in sets, so that the navigation that a thousand pages share is stored once.

use crate::error::StoreError;
use crate::schema::names::{kind_code, region_code};
use crate::write::link_json::{self, StoredLink, rel_code};
use crate::write::link_sets::MAX_REMEMBERED;
use crate::write::writer::Writer;
use mapwright_model::{LinkRef, Links};
use mapwright_web::page::facts::{LinkKind, Region};
use rusqlite::{Connection, OptionalExtension};
use std::collections::BTreeMap;

/// Stores the links of a page in one set per region, and its resources in another, since each page of a site may have
/// images of its own. Returns the sets' numbers as JSON.
pub(crate) fn store(writer: &mut Writer<'_>, links: &Links) -> Result<String, StoreError> {
    let mut regions: BTreeMap<(Region, bool), String> = BTreeMap::new();
    for (target, link) in links.iter() {
        let target = writer.target(target)?;
        let usual = is_usual(writer, target, &link)?;
        let json = regions.entry((link.region, link.kind.is_resource())).or_default();
        json.push(if json.is_empty() { '[' } else { ',' });
        link_json::push(json, target, &link, usual);
    }
    let mut sets = String::from("[");
    for ((region, _), mut json) in regions {
        json.push(']');
        if sets.len() > 1 {
            sets.push(',');
        }
        sets.push_str(&set(writer, region, &json)?.to_string());
    }
    sets.push(']');
    Ok(sets)
}

/// Appends the links of a page to `said`, the bytes by which versions of the page are distinguished.
pub(crate) fn say(writer: &mut Writer<'_>, links: &Links, said: &mut Vec<u8>) -> Result<(), StoreError> {
    for (target, link) in links.iter() {
        said.extend_from_slice(&writer.target(target)?.to_le_bytes());
        said.extend([kind_code(link.kind) as u8, rel_code(link.rel), region_code(link.region) as u8]);
        said.extend_from_slice(link.anchor.as_bytes());
        // These bytes do not occur in UTF-8.
        said.push(if link.fragment.is_some() { 0xFE } else { 0xFF });
        said.extend_from_slice(link.fragment.unwrap_or_default().as_bytes());
    }
    Ok(())
}

/// Reports whether a link's text is the usual one of its target; the first text found becomes the usual one.
fn is_usual(writer: &mut Writer<'_>, target: u32, link: &LinkRef<'_>) -> Result<bool, StoreError> {
    if link.anchor.is_empty() || link.kind != LinkKind::Anchor {
        return Ok(false);
    }
    let hash = writer.writer_state.keys.hash(link.anchor.as_bytes());
    match writer.writer_state.sets.usual.get(target as usize) {
        Some(0) | None => {}
        Some(usual) => return Ok(*usual == hash),
    }
    let usual = match writer.writer_state.sets.texted_before(writer.transaction, target)? {
        Some(text) => writer.writer_state.keys.hash(text.as_bytes()),
        None => {
            let mut insert = writer.transaction.prepare_cached("INSERT INTO anchor (url, text) VALUES (?, ?)")?;
            insert.execute((target, link.anchor))?;
            hash
        }
    };
    writer.writer_state.sets.note_usual(target, usual);
    Ok(usual == hash)
}

/// The number of the set with these links; a new set is stored.
fn set(writer: &mut Writer<'_>, region: Region, json: &str) -> Result<i64, StoreError> {
    let region = region_code(region);
    let key = writer.writer_state.keys.hash(json.as_bytes()).wrapping_add(region as u64);
    let sets = &mut writer.writer_state.sets;
    if let Some(number) = sets.known.get(&key) {
        return Ok(*number);
    }
    let number = sets.next;
    sets.next += 1;
    if sets.known.len() >= MAX_REMEMBERED {
        sets.known.clear();
    }
    sets.known.insert(key, number);
    let mut insert = writer.transaction.prepare_cached("INSERT INTO link_set (id, region, links) VALUES (?, ?, ?)")?;
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
