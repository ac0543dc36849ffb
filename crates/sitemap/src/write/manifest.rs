//! What a series wrote.

use jiff::Timestamp;

use super::hash::ContentHash;

/// One sitemap that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its file name.
    pub name: String,
    /// The number in its part name. A part that stayed alone has one too, though its name does not show it.
    pub serial: u64,
    /// How many URLs it lists.
    pub urls: u64,
    /// Its bytes before compression.
    pub bytes: u64,
    /// The first URL it lists.
    pub first_loc: String,
    /// The last URL it lists.
    pub last_loc: String,
    /// The instant of the publication that wrote it.
    pub lastmod: Option<Timestamp>,
    /// The hash of its bytes before compression.
    pub hash: ContentHash,
}

/// Everything that is to be visible together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    /// The file to name in robots.txt: the first index, or the sitemap that stayed alone.
    pub entry_point: String,
    /// The sitemaps, in the order in which the indexes list them.
    pub parts: Vec<Part>,
    /// The indexes: none where a sitemap stayed alone, else the entry point first.
    pub indexes: Vec<String>,
    /// URLs in all parts together.
    pub urls: u64,
}

/// What [`Series::finish`](crate::Series::finish) has published.
pub type Published = Manifest;

impl Manifest {
    /// All file names in an order that is safe to make visible one by one: parts first, the entry point last.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        let parts = self.parts.iter().map(|part| part.name.as_str());
        parts.chain(self.indexes.iter().rev().map(String::as_str))
    }
}
