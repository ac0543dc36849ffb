//! Links, stored by sets: the navigation that a thousand pages share is stored once.

use crate::commit::Batch;
use crate::error::StoreError;
use crate::names::{kind_code, region_code};
use mapwright_engine::LinkRef;
use mapwright_web::page::facts::Region;
use rusqlite::Connection;
use std::collections::{BTreeMap, HashMap};

/// Sets remembered at once, at most; one that is forgotten is stored again when it comes up again.
const MAX_REMEMBERED: usize = 50_000;

/// Sets that were stored lately, by the hash of what they hold.
#[derive(Debug)]
pub(crate) struct Sets {
    known: HashMap<u64, i64>,
    next: i64,
}

impl Sets {
    pub(crate) fn new(connection: &Connection) -> Result<Self, StoreError> {
        let next = connection.query_row("SELECT coalesce(max(\"set\"), 0) + 1 FROM link", [], |row| row.get(0))?;
        Ok(Self { known: HashMap::new(), next })
    }
}

/// A link whose target has a number.
struct Row<'l> {
    target: u32,
    kind: usize,
    rel: u8,
    region: usize,
    anchor: &'l str,
    fragment: Option<&'l str>,
}

/// Stores the links of a page's version, one set a region.
pub(crate) fn store(batch: &mut Batch<'_>, version: i64, links: &[LinkRef]) -> Result<(), StoreError> {
    let mut regions: BTreeMap<Region, Vec<Row<'_>>> = BTreeMap::new();
    for link in links {
        let row = Row {
            target: batch.target(&link.target)?,
            kind: kind_code(link.kind),
            rel: u8::from(link.rel.nofollow) | u8::from(link.rel.ugc) << 1 | u8::from(link.rel.sponsored) << 2,
            region: region_code(link.region),
            anchor: &link.anchor,
            fragment: link.fragment.as_deref(),
        };
        regions.entry(link.region).or_default().push(row);
    }
    for rows in regions.values() {
        let set = set(batch, rows)?;
        batch
            .transaction
            .prepare_cached("INSERT INTO version_set (version, \"set\") VALUES (?, ?) ON CONFLICT DO NOTHING")?
            .execute((version, set))?;
    }
    Ok(())
}

/// The number of the set that holds these links, stored now if it was not before.
fn set(batch: &mut Batch<'_>, rows: &[Row<'_>]) -> Result<i64, StoreError> {
    let key = batch.ledger.keys.hash(&content(rows));
    if let Some(number) = batch.ledger.sets.known.get(&key) {
        return Ok(*number);
    }
    let sets = &mut batch.ledger.sets;
    let number = sets.next;
    sets.next += 1;
    if sets.known.len() >= MAX_REMEMBERED {
        sets.known.clear();
    }
    sets.known.insert(key, number);
    let mut insert = batch.transaction.prepare_cached(
        "INSERT INTO link (\"set\", pos, target, kind, rel, region, anchor, fragment) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    )?;
    for (pos, row) in rows.iter().enumerate() {
        let anchor = Some(row.anchor).filter(|text| !text.is_empty());
        insert.execute((number, pos, row.target, row.kind, row.rel, row.region, anchor, row.fragment))?;
    }
    Ok(number)
}

/// All that distinguishes a set, as bytes.
fn content(rows: &[Row<'_>]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(rows.len() * 32);
    for row in rows {
        bytes.extend_from_slice(&row.target.to_le_bytes());
        bytes.extend_from_slice(&[row.kind as u8, row.rel, row.region as u8]);
        bytes.extend_from_slice(row.anchor.as_bytes());
        bytes.push(0xFF);
        bytes.extend_from_slice(row.fragment.unwrap_or("\u{0}").as_bytes());
        bytes.push(0xFF);
    }
    bytes
}
