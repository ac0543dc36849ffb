//! The shape that the URLs of one pattern have in common.

use crate::identifier::identifier;
use crate::random_value::prefix_before_random_name;
use crate::{dated, facets};
use mapwright_web::PageUrl;
use std::borrow::Cow;
use std::collections::HashSet;

/// Returns the shape of a URL: its path with dates, numbers and lists folded, and a mark for a query; or the pattern of
/// its identifier, whatever its path; or its path up to a random name; or, where nothing else varies and there is no
/// query, its path with the numbers in its names folded. `None` where nothing varies: a plain name is its own shape,
/// and is not watched.
#[must_use]
pub fn shape(url: &PageUrl) -> Option<String> {
    plain_shape(url).or_else(|| counted_shape(url))
}

/// Returns the shape of a URL with the numbers in its names folded, where nothing else in it varies.
pub(crate) fn counted_shape(url: &PageUrl) -> Option<String> {
    let origin = url.as_str().strip_suffix(url.path_and_query())?;
    counted(url.path()).map(|path| format!("{origin}{path}"))
}

/// Returns the shape of a URL without folding numbers within names.
pub(crate) fn plain_shape(url: &PageUrl) -> Option<String> {
    let origin = url.as_str().strip_suffix(url.path_and_query())?;
    if let Some(identifier) = identifier(url) {
        return Some(identifier.pattern(origin));
    }
    if let Some(before) = prefix_before_random_name(url) {
        return Some(format!("{before}*"));
    }
    let path = folded(url.path(), dated::fold(url.path()));
    let query = query_of(url);
    (path.is_some() || !query.is_empty()).then(|| format!("{origin}{}{query}", path.as_deref().unwrap_or(url.path())))
}

/// Returns a path with the numbers in its names folded (`/page-3.html`); `None` where there are none. Digits of
/// percent-escapes are not numbers.
fn counted(path: &str) -> Option<String> {
    if path.contains('%') || !path.bytes().any(|b| b.is_ascii_digit()) {
        return None;
    }
    let mut folded = String::with_capacity(path.len());
    let mut rest = path;
    while let Some(at) = rest.bytes().position(|b| b.is_ascii_digit()) {
        let (name, number) = rest.split_at_checked(at)?;
        folded.push_str(name);
        folded.push('N');
        rest = number.trim_start_matches(|c: char| c.is_ascii_digit());
    }
    folded.push_str(rest);
    Some(folded)
}

/// Returns the shape that a URL would have if two numbers in its path, which are no date, were one.
pub(crate) fn shape_of_date(url: &PageUrl) -> Option<String> {
    let dated = dated::fold_dateless(url.path()).filter(|_| identifier(url).is_none())?;
    let origin = url.as_str().strip_suffix(url.path_and_query())?;
    folded(url.path(), Some(dated)).map(|path| format!("{origin}{path}{}", query_of(url)))
}

fn query_of(url: &PageUrl) -> &'static str {
    if url.query().is_some() { "?*" } else { "" }
}

/// Returns a path with its variable parts folded; `dated` is the path with its date folded, if it has one. `None` where
/// nothing varies.
fn folded(path: &str, dated: Option<String>) -> Option<String> {
    let fold = |segment| match segment {
        number if is_number(number) => "N",
        list if facets::is_list(list) => "*",
        plain => plain,
    };
    let varies = dated.is_some() || path.split('/').any(|segment| fold(segment) != segment);
    let path = dated.map_or(Cow::Borrowed(path), Cow::Owned);
    varies.then(|| path.split('/').map(fold).collect::<Vec<_>>().join("/"))
}

pub(crate) fn is_number(segment: &str) -> bool {
    !segment.is_empty() && segment.bytes().all(|b| b.is_ascii_digit() || b == b'-')
}

/// Path segments above which a path counts as growing.
const MANY_SEGMENTS: usize = 20;
/// Empty path segments from which on a path counts as growing.
const MANY_EMPTY: usize = 3;

/// A percent sign that is escaped repeatedly: each page escapes the output of the one before.
const ESCAPED_AGAIN: &str = "%25252525";

/// Returns the pattern of a URL that grows: by its path, or by what each page appends to its query, whatever the path.
pub(crate) fn growing(url: &PageUrl) -> Option<String> {
    growing_path(url).or_else(|| growing_query(url).map(|(_, name)| name))
}

/// Returns the parameter that a query repeats, and the pattern of all such URLs of the origin. Only pages that append
/// it prove growth.
pub(crate) fn growing_query(url: &PageUrl) -> Option<(String, String)> {
    let parameter = facets::appended(url)?;
    let name = format!("{}/…?{parameter}=…", url.origin());
    Some((parameter, name))
}

/// Returns the pattern of a path whose segments repeat, are too many, or are repeatedly empty; that begins with several
/// languages; or of a URL that is escaped repeatedly. All such URLs below one first segment are one pattern.
pub(crate) fn growing_path(url: &PageUrl) -> Option<String> {
    let segments = segments(url);
    let inner = url.path().trim_matches('/');
    let empty = || inner.split('/').filter(|segment| segment.is_empty()).count() + trailing(url.path());
    let escaped = || url.as_str().contains(ESCAPED_AGAIN);
    let grows = segments.len() > MANY_SEGMENTS
        || empty() >= MANY_EMPTY
        || repeating(url)
        || translates_again(&segments)
        || escaped();
    grows.then(|| format!("{}/{}/…", url.origin(), segments.first().copied().unwrap_or_default()))
}

/// Languages in a row from which on a path counts as one that adds a language to a path that has one.
const MANY_LANGUAGES: usize = 3;

/// Reports whether a path begins with several languages, one of them twice.
fn translates_again(segments: &[&str]) -> bool {
    let is_language = |segment: &&&str| segment.len() == 2 && segment.bytes().all(|b| b.is_ascii_lowercase());
    let languages: Vec<&&str> = segments.iter().take_while(is_language).collect();
    let distinct = languages.iter().collect::<HashSet<_>>().len();
    languages.len() >= MANY_LANGUAGES && distinct < languages.len()
}

/// Returns the number of slashes at the end of a path beyond the first.
fn trailing(path: &str) -> usize {
    (path.len() - path.trim_end_matches('/').len()).saturating_sub(1)
}

/// Reports whether the segments of a path repeat three times in a row, or are few and occur repeatedly.
pub(crate) fn repeating(url: &PageUrl) -> bool {
    let segments = segments(url);
    let distinct = segments.iter().collect::<HashSet<_>>().len();
    let mixed = segments.len() >= SOME_SEGMENTS && distinct * 3 <= segments.len();
    mixed || (1..=MAX_RUN).any(|run| repeats(&segments, run))
}

fn segments(url: &PageUrl) -> Vec<&str> {
    url.path().split('/').filter(|segment| !segment.is_empty()).collect()
}

/// Path segments from which on a path with at most a third of them distinct counts as repeating.
const SOME_SEGMENTS: usize = 9;
/// Highest number of segments that repeat together.
const MAX_RUN: usize = 3;

/// Reports whether `run` segments occur three times in a row. Numbers do not count: dates and versions repeat them.
fn repeats(segments: &[&str], run: usize) -> bool {
    segments.windows(3 * run).any(|window| {
        let mut runs = window.chunks_exact(run);
        let first = runs.next().unwrap_or_default();
        first.iter().any(|s| !is_number(s)) && runs.all(|next| next == first)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_web::UrlIdentity;

    fn url(path: &str) -> PageUrl {
        PageUrl::parse(&format!("http://a{path}"), &UrlIdentity::default()).unwrap()
    }

    #[test]
    fn what_varies_is_folded() {
        let cases = [
            ("/comic/17", "http://a/comic/N"),
            ("/read/3/12", "http://a/read/N/N"),
            ("/calendar/2024/01/", "http://a/calendar/N/"),
            ("/calendar/2024/01/15/", "http://a/calendar/N/"),
            ("/calendar/2024/january", "http://a/calendar/N"),
            ("/cal/2024-01.html", "http://a/cal/N.html"),
            ("/cal/month-2024-01/", "http://a/cal/month-N/"),
            ("/tags/a+b+c", "http://a/tags/*"),
            ("/list?page=3", "http://a/list?*"),
            ("/page-3.html", "http://a/page-N.html"),
            ("/item203001/x", "http://a/itemN/x"),
            ("/3-item", "http://a/N-item"),
            ("/v2/s12", "http://a/vN/sN"),
            ("/page-3.html?x=1", "http://a/page-3.html?*"),
            ("/s/0f1e2d3c4b5a69788796a5b4/a", "http://a/s/*"),
            ("/shop;s=0f1e2d3c4b5a6978/b?x=1", "http://a/shop;s=*"),
            ("/p3.html?sid=0f1e2d3c4b5a69788796a5b4c3d2e1f0", "http://a/*?sid=*"),
        ];
        for (path, expected) in cases {
            assert_eq!(shape(&url(path)).as_deref(), Some(expected), "{path}");
        }
        for path in ["/", "/tags/a", "/a%20b"] {
            assert_eq!(shape(&url(path)), None, "{path}");
        }
    }

    #[test]
    fn ever_more_slashes_and_ever_more_escapes_grow() {
        assert_eq!(growing(&url("/e/%252525252525")).as_deref(), Some("http://a/e/…"));
        assert_eq!(growing(&url("/login?next=%2525252525252F")).as_deref(), Some("http://a/login/…"));
        assert_eq!(growing(&url("/d////x")).as_deref(), Some("http://a/d/…"));
        assert_eq!(growing(&url("/d////")).as_deref(), Some("http://a/d/…"));
        assert_eq!(growing(&url("/de/en/de/h/1")).as_deref(), Some("http://a/de/…"));
        for path in [
            "/",
            "/d//x",
            "/web/http://b//c",
            "/a/b/c/d/e/f/",
            "/de/en/fr/h/1",
            "/de/de/h/1",
            "/login?next=%252Fa%2525",
        ] {
            assert_eq!(growing(&url(path)), None, "{path}");
        }
    }
}
