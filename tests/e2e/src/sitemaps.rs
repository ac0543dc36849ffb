//! The sitemaps on disk, read independently of the product's own reader.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::Path;

use flate2::read::MultiGzDecoder;

use crate::Workspace;

/// One `url` or `sitemap` element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The location, character references decoded.
    pub loc: String,
    /// The `lastmod`, as written.
    pub lastmod: Option<String>,
    /// The `changefreq`, as written.
    pub changefreq: Option<String>,
    /// The `priority`, as written.
    pub priority: Option<String>,
}

impl Workspace {
    /// Returns true if there is a sitemap.
    pub fn has_sitemap(&self) -> bool {
        self.path("out/sitemap.xml").exists()
    }

    /// The URLs that the sitemaps on disk list, parts of an index included; a URL listed twice is a panic.
    #[track_caller]
    pub fn listed(&self) -> BTreeSet<String> {
        mapwright_testkit::listed(&self.out())
    }

    /// Every entry of the sitemaps on disk, in their order.
    pub fn entries(&self) -> Vec<Entry> {
        entries(&self.out())
    }

    /// The `lastmod` of each listed URL, as written; `None` where the entry has none.
    pub fn lastmods(&self) -> BTreeMap<String, Option<String>> {
        self.entries().into_iter().map(|entry| (entry.loc, entry.lastmod)).collect()
    }
}

/// Every page of the sitemap in `directory`, in the order of the files, parts of an index included.
pub fn entries(directory: &Path) -> Vec<Entry> {
    Publication::read(directory).entries()
}

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
    #[track_caller]
    pub fn read(out: &Path) -> Publication {
        let entry_point = read(&out.join("sitemap.xml"));
        let index = if entry_point.contains("<sitemapindex") { entries_of(&entry_point) } else { Vec::new() };
        let parts = index.into_iter().map(|entry| part(out, entry)).collect();
        Publication { entry_point, parts }
    }

    /// Returns true if the entry point is an index.
    pub fn has_index(&self) -> bool {
        !self.parts.is_empty()
    }

    /// All entries, in order.
    pub fn entries(&self) -> Vec<Entry> {
        if !self.has_index() {
            return entries_of(&self.entry_point);
        }
        self.parts.iter().flat_map(|part| part.entries.iter().cloned()).collect()
    }

    /// The lastmod of each listed location.
    pub fn lastmods(&self) -> BTreeMap<String, Option<String>> {
        self.entries().into_iter().map(|entry| (entry.loc, entry.lastmod)).collect()
    }

    /// The parts that are in this publication and, by name, not in the other.
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

/// The text of a sitemap file, decompressed if necessary.
pub fn read(file: &Path) -> String {
    let name = file.display();
    let bytes = std::fs::read(file).unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut text = String::new();
    let read = if bytes.starts_with(&[0x1f, 0x8b]) {
        MultiGzDecoder::new(bytes.as_slice()).read_to_string(&mut text)
    } else {
        bytes.as_slice().read_to_string(&mut text)
    };
    read.unwrap_or_else(|error| panic!("{name}: {error}"));
    text
}

/// Every entry of a urlset or an index, in order. The document must be well-formed.
pub fn entries_of(xml: &str) -> Vec<Entry> {
    let tag = if xml.contains("<sitemapindex") { "sitemap" } else { "url" };
    let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
    let blocks = xml.split(&open).skip(1).filter_map(|rest| rest.split_once(&close));
    let entry = |(block, _): (&str, &str)| Entry {
        loc: mapwright_testkit::locations(block).pop().unwrap_or_default(),
        lastmod: element(block, "lastmod"),
        changefreq: element(block, "changefreq"),
        priority: element(block, "priority"),
    };
    blocks.map(entry).collect()
}

/// The last segment of a part's URL: its name on disk.
pub fn file_name(url: &str) -> &str {
    url.rsplit('/').next().unwrap_or_default()
}

fn element(block: &str, tag: &str) -> Option<String> {
    let (_, rest) = block.split_once(&format!("<{tag}>"))?;
    let (text, _) = rest.split_once(&format!("</{tag}>"))?;
    Some(text.trim().to_owned())
}
