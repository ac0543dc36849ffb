//! The existing sitemap.

use crate::directory::Directory;
use mapwright_files::Folder;
use mapwright_sitemap::{ENTRY_POINT, Item, ReadLimits, Reader, is_mapwright_format};
use mapwright_store::{Record, StoreError};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::hash::{BuildHasher as _, RandomState};
use std::io::BufReader;

/// The maximum number of files read of one set: an index of indexes of 50,000 parts each.
const MAX_FILES: usize = 1_000_000;

/// The maximum number of URLs remembered to detect duplicates. Larger sets are written by mapwright and list each URL
/// once.
const MAX_REMEMBERED: usize = 1_000_000;

/// The file that is the entire set in plain text.
const TEXT_ENTRY_POINT: &str = "sitemap.txt";

/// The files of the directory and what its indexes list.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct ExistingSet {
    /// Names of the existing parts and further indexes.
    pub(crate) files: BTreeSet<String>,
    /// Names of those that are indexes.
    pub(crate) indexes: BTreeSet<String>,
    /// The number of distinct URLs in all of them.
    pub(crate) urls: u64,
}

/// The entry points of the set in the directory, the main one first: those that the record lists, otherwise the likely
/// ones.
pub(crate) fn entry_points(record: &Record, directory: &Directory) -> Result<Vec<String>, StoreError> {
    let mut noted = record.entry_points()?;
    noted.retain(|name| directory.folder().is_file(name));
    if !noted.is_empty() {
        return Ok(noted);
    }
    let parts = record.parts()?;
    let dropped = |name: &String| parts.iter().any(|part| !part.live && part.name == *name);
    let mut likely = detect_entry_points(directory);
    likely.retain(|name| !dropped(name));
    Ok(likely)
}

/// The entry points of a set without a record: the main one, and the indexes beside it that list only parts named by
/// mapwright. Files that left the set and still exist look the same.
pub(crate) fn detect_entry_points(directory: &Directory) -> Vec<String> {
    let further = (2..).map(further_index).take_while(|name| directory.folder().is_file(name));
    let ours = further.take(MAX_FILES).filter(|name| lists_parts_alone(directory, name));
    entry_point(directory).into_iter().chain(ours).collect()
}

/// The name of the index of this number, from 2 on.
pub(crate) fn further_index(number: usize) -> String {
    format!("sitemap-index-{number}.xml")
}

/// Returns true if a file is an index that lists only parts named by mapwright.
fn lists_parts_alone(directory: &Directory, name: &str) -> bool {
    let Ok(file) = directory.folder().read(name) else { return false };
    let mut items = Reader::new(BufReader::new(file), &ReadLimits::default()).peekable();
    let is_part = |item: &Item| match item {
        Item::Sitemap { loc, .. } => file_name(loc).is_some_and(|part| serial(part).is_some()),
        Item::Page(_) => false,
    };
    items.peek().is_some() && items.all(|item| is_part(&item))
}

/// Returns true if a file has mapwright's form.
pub(crate) fn is_ours(directory: &Directory, name: &str) -> bool {
    directory.folder().read(name).is_ok_and(|file| is_mapwright_format(BufReader::new(file)))
}

/// The main entry point: the file that was written last, if there are both kinds.
fn entry_point(directory: &Directory) -> Option<String> {
    let written = |name: &str| directory.folder().read(name).and_then(|file| file.metadata()?.modified()).ok();
    let there = [TEXT_ENTRY_POINT, ENTRY_POINT].into_iter().filter_map(|name| Some((written(name)?, name)));
    there.max_by_key(|(written, _)| *written).map(|(_, name)| name.to_owned())
}

/// Reads the set from its entry points. A file that cannot be read is ignored.
pub(crate) fn read(directory: &Directory, entry_points: &[String]) -> ExistingSet {
    let further: BTreeSet<String> = entry_points.iter().skip(1).cloned().collect();
    let mut live = ExistingSet { files: further.clone(), indexes: further, ..ExistingSet::default() };
    let mut count = Count::default();
    let mut waiting = entry_points.to_vec();
    while let Some(name) = waiting.pop() {
        let Ok(file) = directory.folder().read(&name) else { continue };
        for item in Reader::new(BufReader::new(file), &ReadLimits::default()) {
            match item {
                Item::Page(page) => count.add(&page.loc),
                Item::Sitemap { loc, .. } => {
                    let Some(part) = file_name(&loc).filter(|part| directory.folder().is_file(part)) else { continue };
                    if live.files.contains(&name) {
                        live.indexes.insert(name.clone());
                    }
                    if live.files.len() < MAX_FILES && live.files.insert(part.to_owned()) {
                        waiting.push(part.to_owned());
                    }
                }
            }
        }
    }
    live.urls = count.urls;
    live
}

/// Counts distinct URLs.
#[derive(Default)]
struct Count {
    urls: u64,
    hashes: HashSet<u64>,
    hasher: RandomState,
}

impl Count {
    fn add(&mut self, url: &str) {
        let is_new = self.hashes.len() >= MAX_REMEMBERED || self.hashes.insert(self.hasher.hash_one(url));
        self.urls += u64::from(is_new);
    }
}

/// The dates that these indexes give to the files that they list.
pub(crate) fn lastmods<'n>(folder: &Folder, indexes: impl Iterator<Item = &'n String>) -> BTreeMap<String, String> {
    let mut dates = BTreeMap::new();
    for file in indexes.filter_map(|name| folder.read(name).ok()) {
        for item in Reader::new(BufReader::new(file), &ReadLimits::default()).take(MAX_FILES) {
            if let Item::Sitemap { loc, lastmod: Some(lastmod) } = item
                && let Some(name) = file_name(&loc)
            {
                dates.insert(name.to_owned(), lastmod.to_string());
            }
        }
    }
    dates
}

/// The last segment of a URL's path, if it can be a file name beside the index.
fn file_name(loc: &str) -> Option<&str> {
    let path = loc.split(['?', '#']).next()?;
    let name = path.rsplit('/').next()?;
    let plain = !name.is_empty() && !name.starts_with('.') && !name.contains(['\\', '%', '\0']);
    plain.then_some(name)
}

/// Returns true if a part of the series that begins with `series` may have this name.
pub(crate) fn is_part_of(series: &str, name: &str) -> bool {
    serial(name).is_some() && name.strip_prefix(series).is_some_and(|rest| rest.starts_with('-'))
}

/// The serial number in the name of a part: the digits after the last `-`.
pub(crate) fn serial(name: &str) -> Option<u64> {
    let stem = name.strip_suffix(".gz").unwrap_or(name);
    let stem = stem.strip_suffix(".xml").or_else(|| stem.strip_suffix(".txt"))?;
    stem.rsplit_once('-')?.1.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_names_are_looked_for_beside_the_index() {
        assert_eq!(file_name("https://a.example/maps/sitemap-7.xml.gz?x=/y"), Some("sitemap-7.xml.gz"));
        assert_eq!(file_name("https://a.example/..%2f..%2fetc"), None);
        assert_eq!(file_name("https://a.example/a/.."), None);
        assert_eq!(file_name("https://a.example/"), None);
    }

    #[test]
    fn a_part_shows_its_serial_number() {
        assert_eq!(serial("sitemap-12.xml.gz"), Some(12));
        assert_eq!(serial("sitemap-shop.example-8080-3.txt"), Some(3));
        assert_eq!(serial("sitemap.xml"), None);
    }
}
