//! The published files of a crawl, for comparison with those of another.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::SystemTime;

use mapwright_sitemap::Lastmod;

use crate::files::{Files, files_in};
use crate::sitemaps::entries_of;

/// The file that readers open first.
const ENTRY_POINT: &str = "sitemap.xml";

/// The files of a sitemap: the parts verbatim, and the index without its dates, which are the times at which parts were
/// published.
#[derive(Debug, PartialEq, Eq)]
pub struct Published {
    urls: BTreeSet<String>,
    files: Files,
    dates: Vec<String>,
}

impl Published {
    /// Reads the files in this folder.
    #[track_caller]
    pub fn in_folder(folder: &Path) -> Published {
        let (urls, mut files, mut dates) = (mapwright_testkit::listed(folder), files_in(folder), Vec::new());
        if let Some(bytes) = files.get_mut(ENTRY_POINT) {
            let text = String::from_utf8_lossy(bytes).into_owned();
            if text.contains("<sitemapindex") {
                dates = entries_of(&text).into_iter().map(|part| part.lastmod.unwrap_or_default()).collect();
                *bytes = without_dates(&text).into_bytes();
            }
        }
        Published { urls, files, dates }
    }

    /// The listed URLs.
    pub fn urls(&self) -> &BTreeSet<String> {
        &self.urls
    }

    /// The number of files.
    pub fn count(&self) -> usize {
        self.files.len()
    }

    /// Asserts that both sets of files are equal byte for byte, except the dates of the index.
    #[track_caller]
    pub fn assert_same(&self, other: &Published) {
        let (missing, added) = (other.urls.difference(&self.urls), self.urls.difference(&other.urls));
        let some: Vec<_> = missing.clone().chain(added.clone()).take(3).collect();
        let (missing, added) = (missing.count(), added.count());
        assert!(some.is_empty(), "{missing} URLs are missing and {added} are too much, {some:?} among them");
        assert_eq!(self.files.keys().collect::<Vec<_>>(), other.files.keys().collect::<Vec<_>>(), "other names");
        for (name, bytes) in &self.files {
            assert!(other.files.get(name) == Some(bytes), "{name} has other bytes");
        }
    }

    /// Asserts that each date of the index lies between these instants.
    #[track_caller]
    pub fn assert_dated(&self, from: SystemTime, until: SystemTime) {
        let (from, until) = (seconds(from), seconds(until) + 1);
        for date in &self.dates {
            let instant = date.parse().ok().and_then(|date: Lastmod| date.instant());
            let second = instant.unwrap_or_else(|| panic!("{date:?} is no instant")).as_second();
            assert!((from..=until).contains(&second), "{date} is not between {from} and {until}");
        }
    }
}

fn without_dates(index: &str) -> String {
    let mut pieces = index.split("<lastmod>");
    let mut text = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        text.push_str(piece.split_once("</lastmod>").map_or(piece, |(_, rest)| rest));
    }
    text
}

fn seconds(time: SystemTime) -> i64 {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}
