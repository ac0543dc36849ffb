//! The options of a series.

use jiff::Timestamp;
use url::Url;

use super::error::{EntryError, OptionsError};
use super::format::Format;
use super::markup;
use crate::{DEFAULT_BYTES, Entry, MAX_BYTES, MAX_ENTRIES};

/// The entry point of a set of sitemaps of any kind.
pub const ENTRY_POINT: &str = "sitemap.xml";

/// The entry point of a single text sitemap.
const TEXT_ENTRY_POINT: &str = "sitemap.txt";

/// Limits of each file written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeriesLimits {
    /// URLs in one sitemap: 1 to 50,000, which is the default.
    pub urls: usize,
    /// Bytes of one sitemap or index before compression, head and closing tag included: up to
    /// 52,428,800; 10 MiB by default, the stricter of the protocol's editions.
    pub bytes: u64,
    /// Parts that one index lists: 1 to 50,000, which is the default.
    pub parts_per_index: usize,
}

impl Default for SeriesLimits {
    fn default() -> Self {
        Self { urls: MAX_ENTRIES, bytes: DEFAULT_BYTES, parts_per_index: MAX_ENTRIES }
    }
}

/// The sitemaps to be compressed. Indexes are never compressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Gzip {
    /// Compresses the parts of an index, but not a single sitemap.
    #[default]
    Auto,
    /// Compresses every sitemap, so that even a single part is listed by an index: the entry point stays plain XML.
    Always,
    /// Compresses none.
    Never,
}

/// The name of a part if it is the only one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SinglePartName {
    /// The name of the entry point: `sitemap.xml`, or `sitemap.txt` for text.
    #[default]
    EntryPoint,
    /// Its part name, for an index that lists the parts of several series.
    Part,
}

/// The options of a [`Series`](crate::Series).
#[derive(Clone, Debug)]
pub struct SeriesOptions {
    /// Limits of each file.
    pub limits: SeriesLimits,
    /// Compression.
    pub gzip: Gzip,
    /// XML or text.
    pub format: Format,
    /// The directory URL that the files are served under, for the entries of an index. A missing final slash is added;
    /// query and fragment are ignored.
    pub base: Url,
    /// The prefix of part names: `NAME-N.xml.gz`. Letters, digits, `.`, `_` and `-`.
    pub name: String,
    /// The N of the first part; the next ones count up from it. A caller that keeps a set over several runs passes the
    /// number after the highest ever used, so that no name is reused for other bytes.
    pub first_serial: u64,
    /// The naming of a single part.
    pub alone: SinglePartName,
    /// The instant of this publication: the `lastmod` of each part in the index. Left out when `None`.
    pub published: Option<Timestamp>,
}

impl SeriesOptions {
    /// The default options for files served under `base`.
    pub fn new(base: Url) -> Self {
        Self {
            limits: SeriesLimits::default(),
            gzip: Gzip::default(),
            format: Format::default(),
            base,
            name: "sitemap".to_owned(),
            first_serial: 1,
            alone: SinglePartName::default(),
            published: None,
        }
    }

    /// The name of the part with this serial number.
    pub fn part_name(&self, serial: u64) -> String {
        let kind = match self.format {
            Format::Xml => "xml",
            Format::Text => "txt",
        };
        let packing = if self.packs_parts() { ".gz" } else { "" };
        format!("{}-{serial}.{kind}{packing}", self.name)
    }

    /// The name of a single part, or `None` if it keeps its part name.
    pub fn single_name(&self) -> Option<&'static str> {
        match (self.alone, self.gzip, self.format) {
            (SinglePartName::Part, _, _) | (_, Gzip::Always, _) => None,
            (_, _, Format::Xml) => Some(ENTRY_POINT),
            (_, _, Format::Text) => Some(TEXT_ENTRY_POINT),
        }
    }

    /// The size of an entry in bytes, before compression.
    ///
    /// # Errors
    /// When no file within the limits can hold it.
    pub fn bytes_of(&self, entry: &Entry) -> Result<u64, EntryError> {
        let mut text = Vec::new();
        markup::render(&mut text, entry, self.format)?;
        let bytes = text.len() as u64;
        if bytes > self.room() { Err(EntryError::TooLarge { bytes }) } else { Ok(bytes) }
    }

    /// The number of bytes that a file has for entries: its limit without head and closing tag.
    pub fn room(&self) -> u64 {
        self.limits.bytes.saturating_sub(markup::frame_bytes(self.format))
    }

    pub(super) fn packs_parts(&self) -> bool {
        self.gzip != Gzip::Never
    }

    pub(super) fn checked(self) -> Result<Self, OptionsError> {
        self.limits.check()?;
        let fits = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-');
        if self.name.is_empty() || self.name.starts_with('.') || !self.name.bytes().all(fits) {
            return Err(OptionsError::Name(self.name));
        }
        check_base(&self.base)?;
        Ok(self)
    }
}

impl SeriesLimits {
    pub(super) fn check(&self) -> Result<(), OptionsError> {
        if !(1..=MAX_ENTRIES).contains(&self.urls) {
            return Err(OptionsError::Urls(self.urls));
        }
        if !(1..=MAX_ENTRIES).contains(&self.parts_per_index) {
            return Err(OptionsError::Parts(self.parts_per_index));
        }
        let least = markup::frame_bytes(Format::Xml).max(markup::index_frame_bytes()) + 1;
        if !(least..=MAX_BYTES).contains(&self.bytes) {
            return Err(OptionsError::Bytes { bytes: self.bytes, least });
        }
        Ok(())
    }
}

pub(super) fn check_base(base: &Url) -> Result<(), OptionsError> {
    if matches!(base.scheme(), "http" | "https") { Ok(()) } else { Err(OptionsError::Base(base.to_string())) }
}

/// The URL of the file `name` in the directory `base`.
pub(super) fn location(base: &Url, name: &str) -> String {
    let mut url = base.clone();
    url.set_query(None);
    url.set_fragment(None);
    let slash = if url.path().ends_with('/') { "" } else { "/" };
    format!("{url}{slash}{name}")
}
