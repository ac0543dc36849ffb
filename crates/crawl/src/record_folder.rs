//! The folder of the record of a crawl.

use crate::error::CrawlError;
use mapwright_settings::Settings;
use mapwright_store::Record;
use mapwright_web::{KeyMaker, PageUrl};
use std::path::PathBuf;

/// Characters of a folder name that come from the start URLs.
const MAX_SLUG: usize = 60;

/// Returns the state folder: `--state`, or else a folder below the user's state directory, named after the start URLs,
/// or after the URLs of the list if there are no start URLs.
///
/// # Errors
/// If neither `--state` nor a home directory is known.
pub fn state_folder(settings: &Settings, starts: &[PageUrl], list: &[PageUrl]) -> Result<PathBuf, CrawlError> {
    if let Some(folder) = &settings.output.state {
        return Ok(folder.clone());
    }
    let root = settings.ambient.state_root().ok_or_else(|| {
        CrawlError::usage("the record", "there is no home directory to keep it in", "give a directory with --state DIR")
    })?;
    Ok(root.join(if starts.is_empty() { name_of_list(list) } else { name(starts) }))
}

/// Returns the folders of all records below the user's state directory, ordered by name.
#[must_use]
pub fn known_records(settings: &Settings) -> Vec<PathBuf> {
    let Some(entries) = settings.ambient.state_root().and_then(|root| std::fs::read_dir(root).ok()) else {
        return Vec::new();
    };
    let mut folders: Vec<PathBuf> =
        entries.flatten().map(|entry| entry.path()).filter(|path| Record::is_in(path)).collect();
    folders.sort();
    folders
}

/// Returns a readable name for a set of start URLs, with a short hash that separates sets with similar names.
fn name(starts: &[PageUrl]) -> String {
    let mut texts: Vec<&str> = starts.iter().map(PageUrl::as_str).collect();
    texts.sort_unstable();
    texts.dedup();
    let hash = KeyMaker::new(0, 0).hash(texts.join("\n").as_bytes());
    format!("{}-{:08x}", slug(texts.first().copied().unwrap_or_default()), hash >> 32)
}

/// Returns a readable name for a list. The list may be long, so its URLs are hashed one by one.
fn name_of_list(list: &[PageUrl]) -> String {
    let keys = KeyMaker::new(0, 0);
    let mut hashes: Vec<u64> = list.iter().map(|url| keys.hash(url.as_str().as_bytes())).collect();
    hashes.sort_unstable();
    hashes.dedup();
    let bytes: Vec<u8> = hashes.into_iter().flat_map(u64::to_le_bytes).collect();
    let first = list.iter().map(PageUrl::as_str).min().unwrap_or_default();
    format!("list-{}-{:08x}", slug(first), keys.hash(&bytes) >> 32)
}

/// Returns the readable part of a name.
fn slug(first: &str) -> String {
    let (_, readable) = first.split_once("://").unwrap_or(("", first));
    let slug: String = readable.chars().map(|c| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' }).collect();
    slug.trim_matches(['-', '.']).chars().take(MAX_SLUG).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_web::UrlIdentity;

    fn urls(texts: &[&str]) -> Vec<PageUrl> {
        texts.iter().map(|text| PageUrl::parse(text, &UrlIdentity::default()).unwrap()).collect()
    }

    #[test]
    fn a_name_is_readable_and_safe_and_does_not_depend_on_order() {
        let one = name(&urls(&["https://www.example.com/shop/"]));
        assert!(one.starts_with("www.example.com-shop-"), "{one}");
        assert_eq!(
            name(&urls(&["http://b.example/", "http://a.example/"])),
            name(&urls(&["http://a.example/", "http://b.example/"]))
        );
        assert_ne!(name(&urls(&["http://a.example/x"])), name(&urls(&["http://a.example/x/"])));
        assert!(!name(&urls(&["http://a.example/..%2f../"])).contains('/'));
    }

    #[test]
    fn each_list_has_a_name_of_its_own() {
        let named = |texts: &[&str]| name_of_list(&urls(texts));
        let one = named(&["https://b.example/", "https://a.example/x", "https://b.example/"]);
        assert!(one.starts_with("list-a.example-x-"), "{one}");
        assert_eq!(one, named(&["https://a.example/x", "https://b.example/"]));
        assert_ne!(one, named(&["https://a.example/x", "https://c.example/"]));
    }
}
