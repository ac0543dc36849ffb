//! The directory and the section that a URL lies in.

use mapwright_web::PageUrl;

/// Returns the text of a URL up to its last name.
pub(crate) fn directory(url: &PageUrl) -> Option<&str> {
    let path = url.path().trim_end_matches('/');
    let origin = url.as_str().len() - url.path_and_query().len();
    url.as_str().get(..=origin + path.rfind('/')?)
}

/// Returns the text of a URL up to the end of its first directory; `None` where it is in none.
pub(crate) fn section(url: &PageUrl) -> Option<&str> {
    let origin = url.as_str().len() - url.path_and_query().len();
    let first = url.path().trim_start_matches('/');
    let at = url.path().len() - first.len() + first.find('/')?;
    url.as_str().get(..=origin + at)
}
