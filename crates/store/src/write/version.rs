//! Versions: the content of a document, stored once for each change.

use crate::error::StoreError;
use crate::write::writer::Writer;
use crate::write::{links, passages};
use mapwright_model::{CodeContent, Content, PageContent, UrlId, Visit};
use mapwright_web::page::facts::Fields;
use rusqlite::{OptionalExtension, params};
use serde::Serialize;

/// The facts of a manifest that browsers cannot read.
pub(crate) const MALFORMED: &str = "{\"malformed\":true}";

/// The number of the version that a visit saw: an earlier one if nothing changed, a new one otherwise.
pub(crate) fn of(writer: &mut Writer<'_>, visit: &Visit, url: UrlId) -> Result<Option<i64>, StoreError> {
    let hash = visit.response.fingerprint.hash.unwrap_or_default().cast_signed();
    match &visit.content {
        Content::Page(content) => page(writer, content, url, hash).map(Some),
        Content::Robots(text) => robots(writer, text, url, hash).map(Some),
        Content::Code(content) => code(writer, *content, url, hash).map(Some),
        Content::Listing(_) | Content::Reused(_) | Content::None => Ok(None),
    }
}

fn page(writer: &mut Writer<'_>, content: &PageContent, url: UrlId, hash: i64) -> Result<i64, StoreError> {
    let facts = &content.facts;
    let (dates, directives) = (list(&facts.dates)?, list(&facts.directives)?);
    let keys = writer.writer_state.keys;
    let blocks = passages::pack(facts);
    let Fields { passwords, texts, choices } = facts.fields;
    let fields = u32::from_le_bytes([texts, passwords, choices, 0]);
    let counts = [facts.scripts, facts.text_bytes, facts.prose_bytes, fields].map(u32::to_le_bytes).concat();
    let mut said = [writer.writer_state.packer.json(facts)?, &counts].concat();
    for text in [&facts.title, &facts.description, &dates, &directives] {
        say(text.as_deref(), &mut said);
    }
    said.extend_from_slice(&blocks);
    links::say(writer, &content.links, &mut said)?;
    let facts_hash = keys.hash(&said).cast_signed();
    if let Some(before) = same(writer, url, hash, facts_hash)? {
        return Ok(before);
    }
    let sets = links::store(writer, &content.links)?;
    let packed = writer.writer_state.packer.packed()?;
    writer
        .transaction
        .prepare_cached(
            "INSERT INTO version (url, hash, facts_hash, title, description, dates, directives, scripts, text_bytes,
                                  prose_bytes, fields, facts, blocks, sets, sketch)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )?
        .execute(params![
            url.0,
            hash,
            facts_hash,
            facts.title,
            facts.description,
            dates,
            directives,
            facts.scripts,
            facts.text_bytes,
            facts.prose_bytes,
            fields,
            packed,
            blocks,
            sets,
            facts.sketch.as_ref().map(|sketch| sketch.0.as_slice()),
        ])?;
    let version = writer.transaction.last_insert_rowid();
    keep_text(writer, version, &facts.kept_text)?;
    Ok(version)
}

/// Stores the text of the blocks of a version.
fn keep_text(writer: &Writer<'_>, version: i64, lines: &[u8]) -> Result<(), StoreError> {
    if lines.is_empty() {
        return Ok(());
    }
    let mut insert = writer.transaction.prepare_cached("INSERT INTO block_text (version, lines) VALUES (?, ?)")?;
    insert.execute((version, lines))?;
    Ok(())
}

fn robots(writer: &Writer<'_>, text: &str, url: UrlId, hash: i64) -> Result<i64, StoreError> {
    writer
        .transaction
        .prepare_cached(
            "INSERT INTO version (url, hash, facts_hash, robots, blocks, sets) VALUES (?, ?, 0, ?, x'', '[]')",
        )?
        .execute((url.0, hash, text))?;
    Ok(writer.transaction.last_insert_rowid())
}

fn code(writer: &Writer<'_>, content: CodeContent, url: UrlId, hash: i64) -> Result<i64, StoreError> {
    writer
        .transaction
        .prepare_cached(
            "INSERT INTO version (url, hash, facts_hash, text_bytes, facts, blocks, sets)
             VALUES (?, ?, 0, ?, ?, x'', '[]')",
        )?
        .execute((url.0, hash, content.bytes, content.is_malformed.then_some(MALFORMED)))?;
    Ok(writer.transaction.last_insert_rowid())
}

/// The last version of the page, if its content is the same.
fn same(writer: &Writer<'_>, url: UrlId, hash: i64, facts_hash: i64) -> Result<Option<i64>, StoreError> {
    if url.0 > writer.writer_state.known_before {
        return Ok(None);
    }
    let mut select = writer.transaction.prepare_cached(
        "SELECT x.id FROM memory m JOIN version x ON x.id = m.version
         WHERE m.url = ? AND x.hash = ? AND x.facts_hash = ?",
    )?;
    Ok(select.query_row((url.0, hash, facts_hash), |row| row.get(0)).optional()?)
}

/// Appends a text to `said`, the bytes that distinguish versions. The hash of the body is not enough, because header
/// fields count too, and other settings read other links and blocks from the same bytes.
fn say(text: Option<&str>, said: &mut Vec<u8>) {
    // These bytes do not occur in UTF-8, so they separate texts unambiguously.
    said.push(if text.is_some() { 0xFE } else { 0xFF });
    said.extend_from_slice(text.unwrap_or_default().as_bytes());
}

/// A list as JSON; `None` for an empty one.
fn list<T: Serialize>(list: &[T]) -> Result<Option<String>, StoreError> {
    if list.is_empty() {
        return Ok(None);
    }
    serde_json::to_string(list).map(Some).map_err(|error| StoreError::Packing(error.into()))
}
