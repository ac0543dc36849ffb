//! Versions: what a document said, stored once for each change of it.

use crate::commit::Batch;
use crate::error::StoreError;
use crate::links;
use mapwright_engine::Visit;
use mapwright_frontier::UrlId;
use mapwright_web::PageFacts;
use rusqlite::OptionalExtension;

/// The number of the version that a visit saw: an earlier one if nothing changed, a new one otherwise.
pub(crate) fn of(batch: &mut Batch<'_>, visit: &Visit, url: UrlId) -> Result<Option<i64>, StoreError> {
    let (json, blocks) = match (&visit.facts, &visit.robots_text) {
        (Some(facts), _) => (json(facts)?, blocks(&facts.blocks)),
        (None, Some(text)) => (serde_json::json!({ "robots": text }).to_string(), Vec::new()),
        (None, None) => return Ok(None),
    };
    let hash = visit.seal.hash.unwrap_or_default().cast_signed();
    let facts_hash = batch.ledger.keys.hash(json.as_bytes()).cast_signed();
    if let Some(before) = same(batch, url, hash, facts_hash)? {
        return Ok(Some(before));
    }
    batch
        .transaction
        .prepare_cached("INSERT INTO version (url, hash, facts_hash, facts, blocks) VALUES (?, ?, ?, ?, ?)")?
        .execute((url.0, hash, facts_hash, json, blocks))?;
    let version = batch.transaction.last_insert_rowid();
    links::store(batch, version, &visit.links)?;
    Ok(Some(version))
}

/// A version that says the same.
fn same(batch: &Batch<'_>, url: UrlId, hash: i64, facts_hash: i64) -> Result<Option<i64>, StoreError> {
    if url.0 > batch.ledger.known_before {
        return Ok(None);
    }
    let mut select = batch.transaction.prepare_cached(
        "SELECT id FROM version WHERE url = ? AND hash = ? AND facts_hash = ? ORDER BY id DESC LIMIT 1",
    )?;
    Ok(select.query_row((url.0, hash, facts_hash), |row| row.get(0)).optional()?)
}

/// Facts as JSON, what is empty left out.
fn json(facts: &PageFacts) -> Result<String, StoreError> {
    let mut value = serde_json::to_value(facts).map_err(unreadable)?;
    if let Some(object) = value.as_object_mut() {
        object.retain(|_, value| !value.is_null() && value.as_array().is_none_or(|list| !list.is_empty()));
    }
    serde_json::to_string(&value).map_err(unreadable)
}

fn unreadable(error: serde_json::Error) -> StoreError {
    StoreError::Database(rusqlite::Error::ToSqlConversionFailure(error.into()))
}

/// Block hashes, four bytes each: enough to tell blocks of one site apart.
fn blocks(hashes: &[u64]) -> Vec<u8> {
    hashes.iter().flat_map(|hash| ((hash ^ (hash >> 32)) as u32).to_le_bytes()).collect()
}
