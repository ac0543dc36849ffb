//! The published set.

use crate::directory::Directory;
use crate::existing_set;
use crate::published_set::PublishedSet;
use std::path::{Path, PathBuf};

/// The files of a published set.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Files {
    /// The directory of the files.
    pub directory: PathBuf,
    /// The file that robots.txt names: an index, or the only sitemap.
    pub entry_point: String,
    /// Further indexes.
    pub further_indexes: Vec<String>,
    /// The sitemaps that the indexes list.
    pub parts: Vec<String>,
}

impl Files {
    /// The set just published into `directory`.
    #[must_use]
    pub fn published(directory: &Directory, published: &PublishedSet) -> Self {
        Self {
            directory: directory.path().to_owned(),
            entry_point: published.entry_point.clone(),
            further_indexes: published.further_indexes.clone(),
            parts: published.parts.clone(),
        }
    }

    /// The set in `directory`, read from its indexes; `None` if there is none. A further index that left the set and
    /// still exists counts as part of it.
    #[must_use]
    pub fn from_directory(directory: &Directory) -> Option<Self> {
        let entry_points = existing_set::detect_entry_points(directory);
        let entry_point = entry_points.first()?.clone();
        let listing = existing_set::read(directory, &entry_points);
        let (further_indexes, parts) = listing.files.into_iter().partition(|name| listing.indexes.contains(name));
        Some(Self { directory: directory.path().to_owned(), entry_point, further_indexes, parts })
    }

    /// Indexes, the entry point last.
    pub(crate) fn indexes(&self) -> impl Iterator<Item = &String> {
        self.further_indexes.iter().chain(std::iter::once(&self.entry_point))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        Path::new(&self.directory).join(name)
    }
}
