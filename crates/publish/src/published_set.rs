//! The result of publishing.

use std::slice;

/// The result of a publication.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PublishedSet {
    /// The file to name in robots.txt.
    pub entry_point: String,
    /// Further indexes.
    pub further_indexes: Vec<String>,
    /// Parts; empty if one file holds all URLs.
    pub parts: Vec<String>,
    /// The number of URLs.
    pub urls: u64,
    /// The origins of the URLs, sorted.
    pub origins: Vec<String>,
    /// Parts that were rewritten; the others are unchanged.
    pub changed: usize,
    /// URLs that do not fit into a file of the configured limits.
    pub refused: Vec<String>,
}

impl PublishedSet {
    /// The names of all files of the set.
    pub(crate) fn files(&self) -> impl Iterator<Item = &str> {
        let files = self.parts.iter().chain(&self.further_indexes).chain(slice::from_ref(&self.entry_point));
        files.map(String::as_str)
    }
}
