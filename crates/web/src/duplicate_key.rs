//! URLs that may be different forms of one page.

use crate::page_url::PageUrl;

/// Names, up to their first dot, of the files that servers send for a directory.
const INDEX_STEMS: &[&str] = &["index", "default", "home"];

/// Returns true if the last segment of a path names a file that servers send for a directory, in any technology:
/// `index.html`, `Default.aspx`, `index.php5`, `index.de.html`.
#[must_use]
pub fn is_index_file(name: &str) -> bool {
    name.split_once('.').is_some_and(|(stem, _)| INDEX_STEMS.iter().any(|known| known.eq_ignore_ascii_case(stem)))
}

impl PageUrl {
    /// A text shared by this URL and its likely duplicates: those that differ only by a trailing slash, an index file,
    /// case or parameters. Equal texts make candidates, never duplicates: that takes evidence.
    #[must_use]
    pub fn duplicate_key_text(&self) -> String {
        text_of(self)
    }
}

/// The origin and the lower-case path without trailing slashes, index file, and parameters: those of the query, and
/// those of the path's segments (RFC 3986, section 3.3: `;jsessionid=…`).
fn text_of(url: &PageUrl) -> String {
    let segments = url.path().split('/').map(|segment| segment.split(';').next().unwrap_or_default());
    let path = segments.collect::<Vec<_>>().join("/").to_ascii_lowercase();
    let directory = match path.rsplit_once('/') {
        Some((directory, file)) if is_index_file(file) => directory,
        _ => &path,
    };
    format!("{}{}", url.origin_text(), directory.trim_end_matches('/'))
}
