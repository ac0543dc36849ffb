//! The sitemap that is there already.

use crate::directory::Directory;
use mapwright_sitemap::{ENTRY_POINT, Item, ReadLimits, Reader};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// Files of one set that are looked at, at most: an index of indexes of 50,000 parts each.
const MAX_FILES: usize = 1_000_000;

/// The file that is the whole set where it is written as plain text.
const TEXT_ENTRY_POINT: &str = "sitemap.txt";

/// What the directory holds and its indexes list.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Live {
    /// Names of the parts and further indexes, of those that exist.
    pub(crate) files: BTreeSet<String>,
    /// Those of them that are indexes.
    pub(crate) indexes: BTreeSet<String>,
    /// URLs in all of them.
    pub(crate) urls: u64,
}

/// Reads the live set, as far as the entry point leads. What cannot be read counts for nothing: it protects nothing.
pub(crate) fn read(directory: &Directory) -> Live {
    read_from(directory, Vec::new())
}

/// Reads the live set with its further indexes, which no other file names: robots.txt does. Those that were `dropped`
/// are still there, and of the live set no more.
pub(crate) fn read_whole(directory: &Directory, dropped: &BTreeSet<&str>) -> Live {
    let further = (2..).map(|n| format!("sitemap-index-{n}.xml")).take_while(|name| directory.file(name).is_file());
    read_from(directory, further.filter(|name| !dropped.contains(name.as_str())).take(MAX_FILES).collect())
}

/// The file that the set begins with: the one that was written last, where there are both kinds.
pub(crate) fn entry_point(directory: &Directory) -> Option<String> {
    let written = |name: &str| std::fs::metadata(directory.file(name)).and_then(|about| about.modified()).ok();
    let there = [TEXT_ENTRY_POINT, ENTRY_POINT].into_iter().filter_map(|name| Some((written(name)?, name)));
    there.max_by_key(|(written, _)| *written).map(|(_, name)| name.to_owned())
}

fn read_from(directory: &Directory, further: Vec<String>) -> Live {
    let further_indexes: BTreeSet<String> = further.iter().cloned().collect();
    let mut live = Live { files: further_indexes.clone(), indexes: further_indexes, ..Live::default() };
    let mut waiting = vec![ENTRY_POINT.to_owned(), TEXT_ENTRY_POINT.to_owned()];
    waiting.extend(further);
    while let Some(name) = waiting.pop() {
        let Ok(file) = File::open(directory.file(&name)) else { continue };
        for item in Reader::new(BufReader::new(file), &ReadLimits::default()) {
            match item {
                Item::Page(_) => live.urls += 1,
                Item::Sitemap { loc, .. } => {
                    let part = file_name(&loc);
                    if live.files.len() < MAX_FILES && part.is_some_and(|part| directory.file(part).is_file()) {
                        let part = part.unwrap_or_default().to_owned();
                        if live.files.contains(&name) {
                            live.indexes.insert(name.clone());
                        }
                        if live.files.insert(part.clone()) {
                            waiting.push(part);
                        }
                    }
                }
            }
        }
    }
    live
}

/// The dates that these indexes give for what they list.
pub(crate) fn lastmods<'n>(folder: &Path, indexes: impl Iterator<Item = &'n String>) -> BTreeMap<String, String> {
    let mut dates = BTreeMap::new();
    for file in indexes.filter_map(|name| File::open(folder.join(name)).ok()) {
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

/// The last segment of a URL's path, if it can be a file's name beside the index.
fn file_name(loc: &str) -> Option<&str> {
    let path = loc.split(['?', '#']).next()?;
    let name = path.rsplit('/').next()?;
    let plain = !name.is_empty() && !name.starts_with('.') && !name.contains(['\\', '%', '\0']);
    plain.then_some(name)
}

/// The serial number in the name of a part: the digits after its last `-`.
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
