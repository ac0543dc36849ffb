//! Where the record of a crawl lives.

use crate::error::JobError;
use mapwright_settings::Settings;
use mapwright_store::Record;
use mapwright_web::{KeyMaker, PageUrl};
use std::path::PathBuf;

/// Characters of a name that are taken from the start URLs.
const MAX_SLUG: usize = 60;

/// The state folder: `--state`, else a folder below the user's state directory, named after the start URLs.
///
/// # Errors
/// When neither `--state` nor a home directory is known.
pub fn state_folder(settings: &Settings, starts: &[PageUrl]) -> Result<PathBuf, JobError> {
    if let Some(folder) = &settings.output.state {
        return Ok(folder.clone());
    }
    let root = settings.ambient.state_root().ok_or_else(|| {
        JobError::usage("the record", "there is no home directory to keep it in", "give a directory with --state DIR")
    })?;
    Ok(root.join(name(starts)))
}

/// The folders of all records below the user's state directory, in the order of their names.
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

/// A readable name for a set of start URLs, with a short hash that tells sets apart whose names are alike.
fn name(starts: &[PageUrl]) -> String {
    let mut texts: Vec<&str> = starts.iter().map(PageUrl::as_str).collect();
    texts.sort_unstable();
    texts.dedup();
    let first = texts.first().copied().unwrap_or("list");
    let (_, readable) = first.split_once("://").unwrap_or(("", first));
    let slug: String = readable.chars().map(|c| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' }).collect();
    let slug: String = slug.trim_matches(['-', '.']).chars().take(MAX_SLUG).collect();
    let hash = KeyMaker::new(0, 0).hash(texts.join("\n").as_bytes());
    format!("{slug}-{:08x}", hash >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_web::Identity;

    fn urls(texts: &[&str]) -> Vec<PageUrl> {
        texts.iter().map(|text| PageUrl::parse(text, &Identity::default()).unwrap()).collect()
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
}
