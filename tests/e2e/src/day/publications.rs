//! The files that successive runs publish, and the checks between one set and the next.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use mapwright_testkit::living::dates;

use crate::Entry;
use crate::sitemaps::{entries_of, file_name, read};

/// One part of an index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Its name on disk.
    pub name: String,
    /// The `lastmod` that the index gives it.
    pub lastmod: Option<String>,
    /// The bytes on disk.
    pub bytes: Vec<u8>,
    /// Its decompressed length in bytes.
    pub length: usize,
    /// The entries that it lists.
    pub entries: Vec<Entry>,
}

/// The sitemap in a folder at one time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Publication {
    /// The text of `sitemap.xml`.
    pub entry_point: String,
    /// The parts of the index, in its order; empty without an index.
    pub parts: Vec<Part>,
}

impl Publication {
    /// Reads the sitemap in this folder.
    ///
    /// # Panics
    /// If a file is missing or cannot be decompressed.
    #[track_caller]
    #[must_use]
    pub fn read(out: &Path) -> Publication {
        let entry_point = read(&out.join("sitemap.xml"));
        let index = if entry_point.contains("<sitemapindex") { entries_of(&entry_point) } else { Vec::new() };
        let parts = index.into_iter().map(|entry| part(out, entry)).collect();
        Publication { entry_point, parts }
    }

    /// Returns true if the entry point is an index.
    #[must_use]
    pub fn has_index(&self) -> bool {
        !self.parts.is_empty()
    }

    /// All entries, in order.
    #[must_use]
    pub fn entries(&self) -> Vec<Entry> {
        if !self.has_index() {
            return entries_of(&self.entry_point);
        }
        self.parts.iter().flat_map(|part| part.entries.iter().cloned()).collect()
    }

    /// The lastmod of each listed location.
    #[must_use]
    pub fn lastmods(&self) -> BTreeMap<String, Option<String>> {
        self.entries().into_iter().map(|entry| (entry.loc, entry.lastmod)).collect()
    }

    /// The parts that are in this publication and, by name, not in the other.
    #[must_use]
    pub fn beyond<'a>(&'a self, other: &Publication) -> Vec<&'a Part> {
        let known: BTreeSet<&str> = other.parts.iter().map(|part| part.name.as_str()).collect();
        self.parts.iter().filter(|part| !known.contains(part.name.as_str())).collect()
    }
}

fn part(out: &Path, entry: Entry) -> Part {
    let name = file_name(&entry.loc).to_owned();
    let file = out.join(&name);
    let text = read(&file);
    let bytes = std::fs::read(&file).unwrap_or_else(|error| panic!("{name}: {error}"));
    Part { lastmod: entry.lastmod, bytes, length: text.len(), entries: entries_of(&text), name }
}

/// All publications in one folder, in order.
#[derive(Debug, Default)]
pub struct Publications {
    last: Option<Publication>,
    /// Every part of all publications, by name.
    ever: BTreeMap<String, (Vec<u8>, Option<String>)>,
}

impl Publications {
    /// The latest publication.
    #[must_use]
    pub fn last(&self) -> Option<&Publication> {
        self.last.as_ref()
    }

    /// Adds the next publication, and returns the faults in it and in its changes since those before.
    pub fn follow(&mut self, next: Publication) -> Vec<String> {
        let mut wrong = Vec::new();
        for part in &next.parts {
            let (bytes, lastmod) =
                self.ever.entry(part.name.clone()).or_insert_with(|| (part.bytes.clone(), part.lastmod.clone()));
            if *bytes != part.bytes {
                wrong.push(format!("{} has been used for two contents", part.name));
            } else if *lastmod != part.lastmod {
                wrong.push(format!("{}: lastmod {lastmod:?} -> {:?}, same bytes", part.name, part.lastmod));
            }
            if part.entries.is_empty() {
                wrong.push(format!("{} is empty", part.name));
            }
            if part.lastmod.as_deref().and_then(dates::instant).is_none() {
                wrong.push(format!("{}: no instant as its lastmod in the index: {:?}", part.name, part.lastmod));
            }
        }
        wrong.extend(self.idle(&next));
        let locs: Vec<String> = next.entries().into_iter().map(|entry| entry.loc).collect();
        let disorder = locs.iter().zip(locs.iter().skip(1)).find(|(one, other)| one >= other);
        wrong.extend(disorder.map(|(one, other)| format!("{one} stands before {other}")));
        self.last = Some(next);
        wrong
    }

    /// Reports new parts with the same entries as an old part: they were rewritten needlessly.
    fn idle(&self, next: &Publication) -> Vec<String> {
        let Some(last) = &self.last else { return Vec::new() };
        let known: Vec<&Vec<Entry>> = last.parts.iter().map(|part| &part.entries).collect();
        let idle = next.beyond(last).into_iter().filter(|part| known.contains(&&part.entries));
        idle.map(|part| format!("{} is new and lists what an old one did", part.name)).collect()
    }
}
