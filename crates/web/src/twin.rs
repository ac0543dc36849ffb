//! Which URLs may be spellings of one page.

use crate::page_url::PageUrl;

/// Files that servers commonly give for their directory.
const INDEX_FILES: &[&str] = &[
    "index.html",
    "index.htm",
    "index.xhtml",
    "index.shtml",
    "index.php",
    "index.asp",
    "index.aspx",
    "index.jsp",
    "default.html",
    "default.htm",
    "default.asp",
    "default.aspx",
];

/// The origin and the path without slashes at its end, index file, upper case and query.
pub(crate) fn text_of(url: &PageUrl) -> String {
    let path = url.path().to_ascii_lowercase();
    let directory = match path.rsplit_once('/') {
        Some((directory, file)) if INDEX_FILES.contains(&file) => directory,
        _ => &path,
    };
    format!("{}{}", url.origin_text(), directory.trim_end_matches('/'))
}
