//! Identifiers in URLs: of sessions, and against caches.

use crate::path_prefix::{directory, section};
use crate::random_value::{before_drawn_query, prefix_before_random_name};
use mapwright_web::PageUrl;

/// An identifier that servers are known to put into URLs. A crawl that gets a new one on every link never ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Identifier<'u> {
    place: IdentifierPosition,
    /// Its customary name, in lower case.
    name: &'static str,
    /// The text of the URL before the value.
    pub(crate) mark: &'u str,
    pub(crate) value: &'u str,
}

/// The place of an identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum IdentifierPosition {
    Query,
    /// A parameter of a path segment: `;jsessionid=…` (Servlet specification 7.1.3).
    Path,
    /// A segment of its own: `(S(…))`, as ASP.NET writes it without cookies.
    Segment,
}

/// Names of parameters that hold a session.
const SESSIONS: [&str; 11] = [
    "sid",
    "sessid",
    "sessionid",
    "session_id",
    "session-id",
    "phpsessid",
    "jsessionid",
    "oscsid",
    "zenid",
    "cfid",
    "cftoken",
];
/// Start of the names that classic ASP generates.
const ASP: &str = "aspsessionid";
/// Names of parameters that bypass caches: with the time, or with a random number.
const BUSTERS: [&str; 7] = ["_", "cb", "nocache", "cachebuster", "rand", "random", "timestamp"];

/// Characters from which on a value is a session, not a plain number or name.
const LONG_SESSION: usize = 12;
/// Digits from which on a number is a time in seconds or finer.
const LONG_TIME: usize = 10;

impl Identifier<'_> {
    /// Returns the pattern of all URLs of `origin` with such an identifier, whatever their path.
    pub(crate) fn pattern(&self, origin: &str) -> String {
        match self.place {
            IdentifierPosition::Query => format!("{origin}/*?{}=*", self.name),
            IdentifierPosition::Path => format!("{origin}/*;{}=*", self.name),
            IdentifierPosition::Segment => format!("{origin}/(S(*))/*"),
        }
    }
}

/// Returns the identifier of a URL, if it has one with a known name.
pub(crate) fn identifier(url: &PageUrl) -> Option<Identifier<'_>> {
    let may_be_in_path = url.path().bytes().any(|byte| matches!(byte, b';' | b'('));
    let in_path = may_be_in_path.then(|| url.path().split('/').find_map(in_segment)).flatten();
    in_path.or_else(|| url.query()?.split('&').find_map(|pair| named(pair, IdentifierPosition::Query)))
}

fn in_segment(segment: &str) -> Option<Identifier<'_>> {
    let mark = ["S(", "(S("].into_iter().find(|mark| segment.starts_with(mark) && segment.ends_with(')'));
    if let Some(mark) = mark {
        let (mark, value) = segment.split_at_checked(mark.len())?;
        return Some(Identifier { place: IdentifierPosition::Segment, name: "S", mark, value });
    }
    segment.split(';').skip(1).find_map(|pair| named(pair, IdentifierPosition::Path))
}

fn named(pair: &str, place: IdentifierPosition) -> Option<Identifier<'_>> {
    let equals = pair.find('=')?;
    let (name, value) = (pair.get(..equals)?, pair.get(equals + 1..)?);
    let (name, long) = match known(&SESSIONS, name) {
        Some(name) => (name, is_session(value)),
        None if name.get(..ASP.len()).is_some_and(|start| start.eq_ignore_ascii_case(ASP)) => (ASP, is_session(value)),
        None => (known(&BUSTERS, name)?, is_time(value)),
    };
    let mark = pair.get(..=equals)?;
    long.then_some(Identifier { place, name, mark, value })
}

fn known(names: &[&'static str], name: &str) -> Option<&'static str> {
    names.iter().copied().find(|known| known.eq_ignore_ascii_case(name))
}

fn is_session(value: &str) -> bool {
    value.len() >= LONG_SESSION && value.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.,!%".contains(&b))
}

fn is_time(value: &str) -> bool {
    value.len() >= LONG_TIME && value.bytes().all(|b| b.is_ascii_digit() || b == b'.')
}

/// The pattern family of a page, as a test on the text of a URL, which is fast enough for every link of the page.
#[derive(Debug, Clone, Copy)]
pub enum PatternFamily<'u> {
    /// URLs that contain this text.
    Mark(&'u str),
    /// URLs that start with this text.
    Start(&'u str),
}

impl<'u> PatternFamily<'u> {
    /// Returns the family of a page with an identifier; `None` where nothing in its URL is one.
    #[must_use]
    pub fn of(page: &'u PageUrl) -> Option<Self> {
        if let Some(identifier) = identifier(page) {
            return Some(Self::Mark(identifier.mark));
        }
        prefix_before_random_name(page).or_else(|| before_drawn_query(page)).map(Self::Start)
    }

    /// Returns the family of any other page: the URLs below its first directory or, outside directories, those that
    /// share the part before the first variable one.
    #[must_use]
    pub fn near(page: &'u PageUrl) -> Option<Self> {
        let before_query = || page.as_str().find('?').and_then(|query| page.as_str().get(..=query));
        section(page).or_else(before_query).or_else(|| directory(page)).map(Self::Start)
    }

    /// Reports whether `url`, in canonical form, belongs to the family.
    #[must_use]
    pub fn holds(&self, url: &str) -> bool {
        match self {
            Self::Mark(mark) => url.contains(mark),
            Self::Start(start) => url.starts_with(start),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mapwright_web::UrlIdentity;

    fn url(path: &str) -> PageUrl {
        PageUrl::parse(&format!("http://a{path}"), &UrlIdentity::default()).unwrap()
    }

    fn pattern(path: &str) -> Option<String> {
        identifier(&url(path)).map(|found| found.pattern("http://a"))
    }

    #[test]
    fn sessions_are_known_by_name_whatever_the_path() {
        let cases = [
            ("/p1.html?sid=0f1e2d3c4b5a69788796a5b4c3d2e1f0", "http://a/*?sid=*"),
            ("/i.php?page=2&SID=123456789012345678", "http://a/*?sid=*"),
            ("/x?PHPSESSID=8f14e45fceea167a5a36dedd4b", "http://a/*?phpsessid=*"),
            ("/x?ASPSESSIONIDQQABCDEF=KJHGFDSAQWERTYUI", "http://a/*?aspsessionid=*"),
            ("/a/b.do;jsessionid=0F1E2D3C4B5A69788796A5B4C3D2E1F0?q=1", "http://a/*;jsessionid=*"),
            ("/(S(lit3py55t21z5v55vlm25s55))/orders/", "http://a/(S(*))/*"),
            ("/x?_=1700000000000", "http://a/*?_=*"),
        ];
        for (path, expected) in cases {
            assert_eq!(pattern(path).as_deref(), Some(expected), "{path}");
        }
    }

    #[test]
    fn names_and_numbers_are_not_sessions() {
        for path in
            ["/x?sid=12", "/x?sid=04/05/12/1234", "/x?id=0f1e2d3c4b5a6978", "/x?_=2", "/S(x/y", "/a;v=0f1e2d3c4b5a6978"]
        {
            assert_eq!(pattern(path), None, "{path}");
        }
    }

    #[test]
    fn the_family_of_a_page_is_a_test_on_text() {
        let page = url("/product?id=0f1e2d3c4b5a69788796a5b4");
        let family = PatternFamily::of(&page).unwrap();
        assert!(family.holds("http://a/product?id=1") && !family.holds("http://a/products/"));
        let page = url("/s/0f1e2d3c4b5a69788796a5b4/a");
        let family = PatternFamily::of(&page).unwrap();
        assert!(family.holds("http://a/s/0f1e2d3c4b5a69788796a5b5/b") && !family.holds("http://a/shop/"));
        let page = url("/p1.html?lang=de&sid=0f1e2d3c4b5a69788796a5b4");
        let family = PatternFamily::of(&page).unwrap();
        assert!(family.holds("http://a/p2.html?sid=1") && !family.holds("http://a/p2.html"));
        assert!(PatternFamily::of(&url("/list?page=2")).is_none());
    }
}
