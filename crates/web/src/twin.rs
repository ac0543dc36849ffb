//! Which URLs may be spellings of one page.

use crate::page_url::PageUrl;

/// Names, up to their first dot, of the files that servers give for their directory.
const INDEX_STEMS: &[&str] = &["index", "default", "home"];

/// Whether the last segment of a path names a file that servers give for its directory, whatever makes it: `index.html`,
/// `Default.aspx`, `index.php5`, `index.de.html`.
#[must_use]
pub fn is_index_file(name: &str) -> bool {
    name.split_once('.').is_some_and(|(stem, _)| INDEX_STEMS.iter().any(|known| known.eq_ignore_ascii_case(stem)))
}

/// The origin and the path without slashes at its end, index file, upper case, and parameters: those of the query, and
/// those of the path's segments (RFC 3986, section 3.3: `;jsessionid=…`).
pub(crate) fn text_of(url: &PageUrl) -> String {
    let segments = url.path().split('/').map(|segment| segment.split(';').next().unwrap_or_default());
    let path = segments.collect::<Vec<_>>().join("/").to_ascii_lowercase();
    let directory = match path.rsplit_once('/') {
        Some((directory, file)) if is_index_file(file) => directory,
        _ => &path,
    };
    format!("{}{}", url.origin_text(), directory.trim_end_matches('/'))
}
