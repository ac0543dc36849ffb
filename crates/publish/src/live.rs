//! The sitemap that is there already.

use crate::directory::Directory;
use mapwright_sitemap::{ENTRY_POINT, Item, ReadLimits, Reader};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::BufReader;

/// Files of one set that are looked at, at most: an index of indexes of 50,000 parts each.
const MAX_FILES: usize = 1_000_000;

/// What the directory holds and its index lists.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Live {
    /// Names of the parts and further indexes, of those that exist.
    pub(crate) files: BTreeSet<String>,
    /// URLs in all of them.
    pub(crate) urls: u64,
}

/// Reads the live set. What cannot be read counts for nothing: it protects nothing.
pub(crate) fn read(directory: &Directory) -> Live {
    let mut live = Live::default();
    let mut waiting = vec![ENTRY_POINT.to_owned(), "sitemap.txt".to_owned()];
    while let Some(name) = waiting.pop() {
        let Ok(file) = File::open(directory.file(&name)) else { continue };
        for item in Reader::new(BufReader::new(file), &ReadLimits::default()) {
            match item {
                Item::Page(_) => live.urls += 1,
                Item::Sitemap { loc, .. } => {
                    let part = file_name(&loc);
                    if live.files.len() < MAX_FILES && part.is_some_and(|part| directory.file(part).is_file()) {
                        let part = part.unwrap_or_default().to_owned();
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
