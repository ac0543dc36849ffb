//! Numbered lists that repeat a page: their links go on beyond the end.
//!
//! Lists whose pages have no number, and repeat one page, end by [`crate::barren`].

use crate::fingerprint::PageFingerprint;
use mapwright_web::PageUrl;
use std::collections::{HashMap, HashSet};

/// The number of pages with the content of another page of the series from which on their links into the series are not
/// followed.
const REPEATS: u32 = 3;
/// The most series watched, and the most pages remembered of each.
const MAX_SERIES: usize = 10_000;
const MAX_REMEMBERED: usize = 2_000;

/// Watches series of URLs that differ only by a number.
#[derive(Debug, Default)]
pub struct RepeatingLists {
    series: HashMap<String, ListPages>,
}

#[derive(Debug, Default)]
struct ListPages {
    fingerprints: HashSet<PageFingerprint>,
    repeats: u32,
    /// The URLs of pages that repeat another page.
    repeating: HashSet<String>,
}

impl RepeatingLists {
    /// Adds a page that was read.
    pub fn read(&mut self, url: &PageUrl, fingerprint: PageFingerprint) {
        let Some(name) = series_of(url) else { return };
        if self.series.len() >= MAX_SERIES && !self.series.contains_key(&name) {
            return;
        }
        let seen = self.series.entry(name).or_default();
        if seen.fingerprints.len() >= MAX_REMEMBERED || seen.repeating.len() >= MAX_REMEMBERED {
            return;
        }
        if !seen.fingerprints.insert(fingerprint) {
            seen.repeats += 1;
            seen.repeating.insert(url.as_str().to_owned());
        }
    }

    /// Reports whether `url`, linked from `page`, is beyond the end of a series: `page` repeats another page of the
    /// series, as several before it did, and `url` belongs to the same series.
    #[must_use]
    pub fn is_beyond(&self, page: &PageUrl, url: &PageUrl) -> bool {
        if self.series.is_empty() {
            return false;
        }
        let Some(name) = series_of(page) else { return false };
        let Some(seen) = self.series.get(&name) else { return false };
        seen.repeats >= REPEATS && seen.repeating.contains(page.as_str()) && series_of(url).as_ref() == Some(&name)
    }
}

/// The series of a URL: its text with `*` for each number that is a path segment or the value of a parameter; `None`
/// where it has no such number.
fn series_of(url: &PageUrl) -> Option<String> {
    let query = || url.query().unwrap_or_default().split('&').map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    let in_path = url.path().as_bytes().split(|byte| *byte == b'/').any(is_number);
    if !in_path && !query().any(|(_, value)| is_number(value.as_bytes())) {
        return None;
    }
    let general = |text| if is_number(str::as_bytes(text)) { "*" } else { text };
    let mut name = url.origin().to_string();
    for segment in url.path().split('/').skip(1) {
        name.push('/');
        name.push_str(general(segment));
    }
    for (key, value) in query() {
        name.push('&');
        name.push_str(key);
        name.push('=');
        name.push_str(general(value));
    }
    Some(name)
}

fn is_number(text: &[u8]) -> bool {
    !text.is_empty() && text.iter().all(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_web::UrlIdentity;

    fn url(path: &str) -> PageUrl {
        PageUrl::parse(&format!("http://a.example{path}"), &UrlIdentity::default()).unwrap()
    }

    fn page(content: u64) -> PageFingerprint {
        PageFingerprint::of([content].into_iter(), Some("List"))
    }

    #[test]
    fn a_list_that_repeats_its_last_page_ends_after_three() {
        let mut watch = RepeatingLists::default();
        (1..=6).for_each(|n| watch.read(&url(&format!("/blog/page/{n}")), page(n)));
        for n in 7..=9 {
            assert!(!watch.is_beyond(&url(&format!("/blog/page/{}", n - 1)), &url(&format!("/blog/page/{n}"))));
            watch.read(&url(&format!("/blog/page/{n}")), page(6));
        }
        assert!(watch.is_beyond(&url("/blog/page/9"), &url("/blog/page/10")));
        assert!(!watch.is_beyond(&url("/blog/page/6"), &url("/blog/page/10")), "found on a page of its own content");
        assert!(!watch.is_beyond(&url("/blog/page/9"), &url("/blog/post")), "of no series");
    }

    #[test]
    fn a_series_of_different_pages_has_no_end() {
        let mut watch = RepeatingLists::default();
        (1..=500).for_each(|n| watch.read(&url(&format!("/log?p={n}")), page(n)));
        assert!(!watch.is_beyond(&url("/log?p=500"), &url("/log?p=501")));
    }
}
