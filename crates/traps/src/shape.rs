//! The shape that the URLs of one pattern have in common.

use crate::identifier::identifier;
use crate::random_value::prefix_before_random_name;
use crate::{choices, dated};
use mapwright_web::PageUrl;
use std::borrow::Cow;

/// Returns the shape of a URL: its path with dates, numbers and lists folded, and a mark for a query; or the pattern of
/// its identifier, whatever its path; or its path up to a random name; or, where nothing else varies and there is no
/// query, its path with the numbers in its names folded. `None` where nothing varies: a plain name is its own shape,
/// and is not watched.
#[must_use]
pub fn shape(url: &PageUrl) -> Option<String> {
    plain_shape(url).or_else(|| counted_shape(url))
}

/// The shape of a URL, for comparison with the shapes of many others.
#[derive(Debug)]
pub struct KnownShape {
    shape: String,
    /// The lengths of the text before its first mark of a variable part, and of that after the last: all URLs of the
    /// shape have these in common.
    common: (usize, usize),
}

impl KnownShape {
    /// Returns the shape of a URL; `None` where nothing varies.
    #[must_use]
    pub fn of(url: &PageUrl) -> Option<Self> {
        let shape = shape(url)?;
        let before = shape.find(MARKS).unwrap_or(shape.len());
        let after = shape.rfind(MARKS).map_or(0, |at| shape.len() - at - 1);
        Some(Self { shape, common: (before, after) })
    }

    /// Reports whether another URL has this shape.
    #[must_use]
    pub fn fits(&self, url: &PageUrl) -> bool {
        let (before, after) = self.common;
        let (own, other) = (self.shape.as_bytes(), url.as_str().as_bytes());
        let begins = other.get(..before) == own.get(..before);
        let ends = || other.len().checked_sub(after).and_then(|at| other.get(at..)) == own.get(own.len() - after..);
        begins && ends() && shape(url).as_deref() == Some(&self.shape)
    }
}

/// The marks of variable parts in shapes.
const MARKS: [char; 2] = ['N', '*'];

/// Returns the shape of a URL with the numbers in its names folded, where nothing else in it varies.
pub(crate) fn counted_shape(url: &PageUrl) -> Option<String> {
    let path = url.path();
    if path.contains('%') || !path.bytes().any(|b| b.is_ascii_digit()) {
        return None;
    }
    counted(url.as_str().strip_suffix(url.path_and_query())?, path)
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

/// Returns a path of `origin` with the numbers in its names folded (`/page-3.html`). Digits of percent-escapes are not
/// numbers.
fn counted(origin: &str, path: &str) -> Option<String> {
    let mut folded = String::with_capacity(origin.len() + path.len());
    folded.push_str(origin);
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
        list if choices::is_list(list) => "*",
        plain => plain,
    };
    let has_number = || path.as_bytes().split(|byte| *byte == b'/').any(is_number_in_bytes);
    let varies = dated.is_some() || choices::is_list(path) || has_number();
    let path = dated.map_or(Cow::Borrowed(path), Cow::Owned);
    varies.then(|| path.split('/').map(fold).collect::<Vec<_>>().join("/"))
}

pub(crate) fn is_number(segment: &str) -> bool {
    is_number_in_bytes(segment.as_bytes())
}

fn is_number_in_bytes(segment: &[u8]) -> bool {
    !segment.is_empty() && segment.iter().all(|byte| byte.is_ascii_digit() || *byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_web::UrlIdentity;

    fn url(path: &str) -> PageUrl {
        PageUrl::parse(&format!("http://a{path}"), &UrlIdentity::default()).unwrap()
    }

    /// Paths of few segments, many of which have the same shape.
    const PATHS: &str =
        "(/(N|[*]|a1|[0-9]{1,4}|2024-0[1-3]|a[+]b|[a-z0-9]{16}|x;jsessionid=[a-f0-9]{13})){1,3}([?]sid=[a-f0-9]{13})?";

    proptest::proptest! {
        #[test]
        fn a_known_shape_fits_the_urls_that_have_it(
            one in PATHS,
            other in PATHS,
        ) {
            let (one, other) = (url(&one), url(&other));
            let same = shape(&one).is_some() && shape(&one) == shape(&other);
            assert_eq!(KnownShape::of(&one).is_some_and(|shape| shape.fits(&other)), same, "{one:?} {other:?}");
        }
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
}
