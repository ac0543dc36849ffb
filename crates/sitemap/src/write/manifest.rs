//! The manifest of a series.

use jiff::Timestamp;

use super::hash::ContentHash;

/// One written sitemap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its file name.
    pub name: String,
    /// The number in its part name. A single part has one too, though its name does not show it.
    pub serial: u64,
    /// The number of URLs.
    pub urls: u64,
    /// The size in bytes before compression.
    pub bytes: u64,
    /// The first URL.
    pub first_loc: String,
    /// The last URL.
    pub last_loc: String,
    /// The instant of the publication that wrote it.
    pub lastmod: Option<Timestamp>,
    /// The hash of its bytes before compression.
    pub hash: ContentHash,
}

/// The files that become visible together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    /// The file to name in robots.txt: the first index, or the single sitemap.
    pub entry_point: String,
    /// The sitemaps, in the order in which the indexes list them.
    pub parts: Vec<Part>,
    /// The indexes: none for a single sitemap, otherwise the entry point first.
    pub indexes: Vec<String>,
    /// URLs in all parts together.
    pub urls: u64,
}

impl Manifest {
    /// All file names in an order that is safe for publishing one by one: parts first, the entry point last.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        let parts = self.parts.iter().map(|part| part.name.as_str());
        parts.chain(self.indexes.iter().rev().map(String::as_str))
    }
}
