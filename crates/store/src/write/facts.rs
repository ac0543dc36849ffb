//! Stores the facts of a page as JSON, compressed with a dictionary.

use crate::error::StoreError;
use crate::record::Record;
use mapwright_web::page::SecurityHeaders;
use mapwright_web::page::facts::{
    BeforeScripts, Canonical, EncodingFrom, Fields, Heading, Hreflang, MarkupCounts, Refresh,
};
use mapwright_web::{PageFacts, PageUrl};
use rusqlite::types::ValueRef;
use serde::Serialize;
use serde::de::DeserializeOwned;
use zstd::bulk::{Compressor, Decompressor};

/// The compression dictionary: the facts of a typical page, nearly all of which recur in others. It must never change,
/// since stored facts are decompressed with it.
const USUAL: &[u8] = include_bytes!("facts.json");
/// The fastest level: facts are short.
const LEVEL: i32 = 1;
/// The most bytes of facts that are decompressed; [`mapwright_web::page::Limits`] keeps facts far below.
const MAX_BYTES: usize = 64 << 20;

/// The compressor of facts.
pub(crate) struct Packer {
    compressor: Compressor<'static>,
    json: Vec<u8>,
}

/// Facts in the form that the record stores, without empty lists and without facts that have columns of their own.
#[derive(Serialize)]
struct Kept<'f> {
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<&'f str>,
    #[serde(skip_serializing_if = "is_empty")]
    headings: &'f [Heading],
    #[serde(skip_serializing_if = "is_empty")]
    canonicals: &'f [Canonical],
    #[serde(skip_serializing_if = "is_empty")]
    hreflang: &'f [Hreflang],
    #[serde(skip_serializing_if = "Option::is_none")]
    refresh: Option<&'f Refresh>,
    #[serde(skip_serializing_if = "is_empty")]
    ids: &'f [String],
    markup: MarkupCounts,
    #[serde(skip_serializing_if = "SecurityHeaders::are_absent")]
    security: SecurityHeaders,
    encoding: &'f str,
    encoding_from: EncodingFrom,
    #[serde(skip_serializing_if = "Option::is_none")]
    before_scripts: Option<&'f BeforeScripts>,
    cut: bool,
}

fn is_empty<T>(list: &[T]) -> bool {
    list.is_empty()
}

impl Packer {
    pub(crate) fn new() -> Result<Self, StoreError> {
        let compressor = Compressor::with_dictionary(LEVEL, USUAL).map_err(StoreError::Packing)?;
        Ok(Self { compressor, json: Vec::new() })
    }

    /// The facts as JSON.
    pub(crate) fn json(&mut self, facts: &PageFacts) -> Result<&[u8], StoreError> {
        let kept = Kept {
            language: facts.language.as_deref(),
            headings: &facts.headings,
            canonicals: &facts.canonicals,
            hreflang: &facts.hreflang,
            refresh: facts.refresh.as_ref(),
            ids: &facts.ids,
            markup: facts.markup,
            security: facts.security,
            encoding: &facts.encoding,
            encoding_from: facts.encoding_from,
            before_scripts: facts.before_scripts.as_deref(),
            cut: facts.cut,
        };
        self.json.clear();
        serde_json::to_writer(&mut self.json, &kept).map_err(|error| StoreError::Packing(error.into()))?;
        Ok(&self.json)
    }

    /// The last result of [`Packer::json`], compressed.
    pub(crate) fn packed(&mut self) -> Result<Vec<u8>, StoreError> {
        self.compressor.compress(&self.json).map_err(StoreError::Packing)
    }
}

impl std::fmt::Debug for Packer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Packer")
    }
}

/// The decompressor of facts. It is reused, because creating it takes longer than decompressing the facts of a page.
pub(crate) struct Unpacker(Decompressor<'static>);

impl Unpacker {
    pub(crate) fn new() -> Result<Self, StoreError> {
        Decompressor::with_dictionary(USUAL).map(Self).map_err(StoreError::Packing)
    }

    /// Reads the facts in the form that the record stores.
    pub(crate) fn facts(&mut self, value: ValueRef<'_>) -> Result<PageFacts, StoreError> {
        let facts = match value {
            ValueRef::Text(json) => serde_json::from_slice(json),
            ValueRef::Blob(packed) => {
                let room = Decompressor::upper_bound(packed).unwrap_or(MAX_BYTES).min(MAX_BYTES);
                serde_json::from_slice(&self.0.decompress(packed, room).map_err(StoreError::Packing)?)
            }
            _ => return Ok(PageFacts::default()),
        };
        facts.map_err(|error| StoreError::Packing(error.into()))
    }
}

impl Record {
    /// Returns the facts of the page at `url` at its last visit, without links and blocks; `None` if it was never
    /// visited.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn facts(&self, url: &PageUrl) -> Result<Option<PageFacts>, StoreError> {
        let Some(id) = self.id_of(url)? else { return Ok(None) };
        let mut select = self.connection.prepare(
            "SELECT x.title, x.description, x.dates, x.directives, x.scripts, x.text_bytes, x.facts,
                    x.prose_bytes, x.fields
             FROM memory m JOIN version x ON x.id = m.version WHERE m.url = ?",
        )?;
        let mut rows = select.query([id])?;
        let Some(row) = rows.next()? else { return Ok(None) };
        Ok(Some(PageFacts {
            title: row.get(0)?,
            description: row.get(1)?,
            dates: listed(row.get_ref(2)?)?,
            directives: listed(row.get_ref(3)?)?,
            scripts: row.get(4)?,
            text_bytes: row.get(5)?,
            prose_bytes: row.get(7)?,
            fields: fields(row.get(8)?),
            ..Unpacker::new()?.facts(row.get_ref(6)?)?
        }))
    }
}

/// The counts of form fields, unpacked from the number in a column.
pub(crate) fn fields(number: u32) -> Fields {
    let [texts, passwords, choices, _] = number.to_le_bytes();
    Fields { passwords, texts, choices }
}

/// Reads a list from a column of its own; an empty list is stored as NULL.
pub(crate) fn listed<T: DeserializeOwned>(value: ValueRef<'_>) -> Result<Vec<T>, StoreError> {
    match value {
        ValueRef::Text(json) => serde_json::from_slice(json).map_err(|error| StoreError::Packing(error.into())),
        _ => Ok(Vec::new()),
    }
}
