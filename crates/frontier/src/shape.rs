//! What URLs of one pattern have in common.

use crate::drawn::before_drawn_name;
use crate::identifier::identifier;
use crate::{dated, facets};
use mapwright_web::PageUrl;
use std::borrow::Cow;
use std::collections::HashSet;

/// The shape of a URL: its path with dates, numbers and lists folded, and whether a query follows; or the identifier in
/// it, whatever its path; or its path up to a name drawn by lot, whatever follows; or, where nothing else varies and no
/// query follows, its path with the numbers in its names folded. `None` where nothing varies: a plain name is its own
/// shape, and never watched.
#[must_use]
pub fn shape(url: &PageUrl) -> Option<String> {
    plain_shape(url).or_else(|| counted_shape(url))
}

/// The shape of a URL with the numbers in its names folded, where nothing else of it varies.
pub(crate) fn counted_shape(url: &PageUrl) -> Option<String> {
    let origin = url.as_str().strip_suffix(url.path_and_query())?;
    counted(url.path()).map(|path| format!("{origin}{path}"))
}

/// The shape of a URL, numbers within its names apart.
pub(crate) fn plain_shape(url: &PageUrl) -> Option<String> {
    let origin = url.as_str().strip_suffix(url.path_and_query())?;
    if let Some(identifier) = identifier(url) {
        return Some(identifier.pattern(origin));
    }
    if let Some(before) = before_drawn_name(url) {
        return Some(format!("{before}*"));
    }
    let path = folded(url.path(), dated::fold(url.path()));
    let query = query_of(url);
    (path.is_some() || !query.is_empty()).then(|| format!("{origin}{}{query}", path.as_deref().unwrap_or(url.path())))
}

/// A path with the numbers in its names folded (`/page-3.html`); `None` where there are none. Escapes are no numbers.
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

/// The shape that a URL would have, were two numbers in its path a date that are none.
pub(crate) fn shape_of_date(url: &PageUrl) -> Option<String> {
    let dated = dated::fold_dateless(url.path()).filter(|_| identifier(url).is_none())?;
    let origin = url.as_str().strip_suffix(url.path_and_query())?;
    folded(url.path(), Some(dated)).map(|path| format!("{origin}{path}{}", query_of(url)))
}

fn query_of(url: &PageUrl) -> &'static str {
    if url.query().is_some() { "?*" } else { "" }
}

/// A path with what varies in it folded, given it with its date folded, if it has one; `None` where nothing does.
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

/// Path segments beyond which a path is one that grows.
const MANY_SEGMENTS: usize = 20;
/// Empty path segments from which on it does.
const MANY_EMPTY: usize = 3;

/// A percent sign escaped so often that no reader undoes it: each page escapes what the one before made of it.
const ESCAPED_AGAIN: &str = "%25252525";

/// The pattern of a URL that grows: by its path, or by what each page adds to its query, whatever the path.
pub(crate) fn growing(url: &PageUrl) -> Option<String> {
    growing_path(url).or_else(|| growing_query(url).map(|(_, name)| name))
}

/// The parameter that a query repeats, and the pattern of all URLs of the origin that do. That it grows is proven only by
/// pages that add it.
pub(crate) fn growing_query(url: &PageUrl) -> Option<(String, String)> {
    let parameter = facets::appended(url)?;
    let name = format!("{}/…?{parameter}=…", url.origin());
    Some((parameter, name))
}

/// The pattern of a path whose segments repeat, or are more than any site's, or are empty again and again; that begins
/// with language after language; or of a URL that is escaped again and again. All such URLs below one first segment are
/// one pattern, however the repetition is mixed with others.
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

/// Languages in a row from which on a path is one that puts a language before what has one already.
const MANY_LANGUAGES: usize = 3;

/// A path that begins with one language after another, and with one of them twice.
fn translates_again(segments: &[&str]) -> bool {
    let is_language = |segment: &&&str| segment.len() == 2 && segment.bytes().all(|b| b.is_ascii_lowercase());
    let languages: Vec<&&str> = segments.iter().take_while(is_language).collect();
    let distinct = languages.iter().collect::<HashSet<_>>().len();
    languages.len() >= MANY_LANGUAGES && distinct < languages.len()
}

/// Slashes at the end of a path beyond the first.
fn trailing(path: &str) -> usize {
    (path.len() - path.trim_end_matches('/').len()).saturating_sub(1)
}

/// A path whose segments repeat thrice in a row, or are few and come again and again.
pub(crate) fn repeating(url: &PageUrl) -> bool {
    let segments = segments(url);
    let distinct = segments.iter().collect::<HashSet<_>>().len();
    let mixed = segments.len() >= SOME_SEGMENTS && distinct * 3 <= segments.len();
    mixed || (1..=LONGEST_RUN).any(|run| repeats(&segments, run))
}

fn segments(url: &PageUrl) -> Vec<&str> {
    url.path().split('/').filter(|segment| !segment.is_empty()).collect()
}

/// Path segments from which on a third of them being distinct is too few.
const SOME_SEGMENTS: usize = 9;
/// Segments that repeat together, at most.
const LONGEST_RUN: usize = 3;

/// Whether `run` segments stand thrice in a row; numbers apart, which dates and versions repeat.
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
    use mapwright_web::Identity;

    fn url(path: &str) -> PageUrl {
        PageUrl::parse(&format!("http://a{path}"), &Identity::default()).unwrap()
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
