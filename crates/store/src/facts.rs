//! What a page said, packed: JSON, compressed against the words that all such texts share.

use crate::error::StoreError;
use crate::record::Record;
use mapwright_web::page::facts::{Canonical, EncodingFrom, Fields, Heading, Hreflang, Refresh};
use mapwright_web::{PageFacts, PageUrl};
use rusqlite::types::ValueRef;
use serde::Serialize;
use serde::de::DeserializeOwned;
use zstd::bulk::{Compressor, Decompressor};

/// What facts of a usual page look like: nearly all of it comes up again in others. Never to be changed, since records
/// are read with it.
const USUAL: &[u8] = include_bytes!("facts.json");
/// The fastest level: facts are short.
const LEVEL: i32 = 1;
/// Bytes of the longest facts that are read back: [`mapwright_web::page::Limits`] keeps them far below.
const MOST: usize = 64 << 20;

/// Packs facts.
pub(crate) struct Packer {
    compressor: Compressor<'static>,
    json: Vec<u8>,
}

/// Facts in the form that the record keeps, those apart that have columns of their own, and what is empty.
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
    encoding: &'f str,
    encoding_from: EncodingFrom,
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
            encoding: &facts.encoding,
            encoding_from: facts.encoding_from,
            cut: facts.cut,
        };
        self.json.clear();
        serde_json::to_writer(&mut self.json, &kept).map_err(|error| StoreError::Packing(error.into()))?;
        Ok(&self.json)
    }

    /// The JSON that was made last, packed.
    pub(crate) fn packed(&mut self) -> Result<Vec<u8>, StoreError> {
        self.compressor.compress(&self.json).map_err(StoreError::Packing)
    }
}

impl std::fmt::Debug for Packer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Packer")
    }
}

/// Unpacks facts, one after another: to make ready for the first takes longer than to unpack it.
pub(crate) struct Unpacker(Decompressor<'static>);

impl Unpacker {
    pub(crate) fn new() -> Result<Self, StoreError> {
        Decompressor::with_dictionary(USUAL).map(Self).map_err(StoreError::Packing)
    }

    /// The facts in the form that the record keeps.
    pub(crate) fn facts(&mut self, value: ValueRef<'_>) -> Result<PageFacts, StoreError> {
        let facts = match value {
            ValueRef::Text(json) => serde_json::from_slice(json),
            ValueRef::Blob(packed) => {
                let room = Decompressor::upper_bound(packed).unwrap_or(MOST).min(MOST);
                serde_json::from_slice(&self.0.decompress(packed, room).map_err(StoreError::Packing)?)
            }
            _ => return Ok(PageFacts::default()),
        };
        facts.map_err(|error| StoreError::Packing(error.into()))
    }
}

impl Record {
    /// What the page at `url` said when it was last seen, links and blocks apart; `None` where it never was.
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

/// The fields of forms, from the number that a column holds.
pub(crate) fn fields(number: u32) -> Fields {
    let [texts, passwords, choices, _] = number.to_le_bytes();
    Fields { passwords, texts, choices }
}

/// A list that has a column of its own; NULL where it is empty.
pub(crate) fn listed<T: DeserializeOwned>(value: ValueRef<'_>) -> Result<Vec<T>, StoreError> {
    match value {
        ValueRef::Text(json) => serde_json::from_slice(json).map_err(|error| StoreError::Packing(error.into())),
        _ => Ok(Vec::new()),
    }
}
