//! Identifiers in URLs: of sessions, and of nothing at all.

use crate::drawn::{before_drawn_name, before_drawn_query};
use crate::fresh::{directory, section};
use mapwright_web::PageUrl;

/// An identifier that servers are known to put into URLs: who meets a new one on every link never comes to an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Identifier<'u> {
    place: Place,
    /// Its name in the field, in lower case.
    name: &'static str,
    /// What the URL writes before the value.
    pub(crate) mark: &'u str,
    pub(crate) value: &'u str,
}

/// Where an identifier stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
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
/// How the names begin that classic ASP makes up.
const ASP: &str = "aspsessionid";
/// Names of parameters that keep an answer out of caches: by the time, or by a number drawn by lot.
const BUSTERS: [&str; 7] = ["_", "cb", "nocache", "cachebuster", "rand", "random", "timestamp"];

/// Characters from which on the value of a session is no plain number or name.
const LONG_SESSION: usize = 12;
/// Digits from which on a number is a time in seconds or finer.
const LONG_TIME: usize = 10;

impl Identifier<'_> {
    /// The pattern of all URLs of `origin` that have such an identifier, whatever their path.
    pub(crate) fn pattern(&self, origin: &str) -> String {
        match self.place {
            Place::Query => format!("{origin}/*?{}=*", self.name),
            Place::Path => format!("{origin}/*;{}=*", self.name),
            Place::Segment => format!("{origin}/(S(*))/*"),
        }
    }
}

/// The identifier of a URL, if it has one that is known by its name.
pub(crate) fn identifier(url: &PageUrl) -> Option<Identifier<'_>> {
    let may_be_in_path = url.path().contains([';', '(']);
    let in_path = || url.path().split('/').filter(|_| may_be_in_path).find_map(in_segment);
    in_path().or_else(|| url.query()?.split('&').find_map(|pair| named(pair, Place::Query)))
}

fn in_segment(segment: &str) -> Option<Identifier<'_>> {
    let mark = ["S(", "(S("].into_iter().find(|mark| segment.starts_with(mark) && segment.ends_with(')'));
    if let Some(mark) = mark {
        let (mark, value) = segment.split_at_checked(mark.len())?;
        return Some(Identifier { place: Place::Segment, name: "S", mark, value });
    }
    segment.split(';').skip(1).find_map(|pair| named(pair, Place::Path))
}

fn named(pair: &str, place: Place) -> Option<Identifier<'_>> {
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

/// How the URLs of a page's own pattern begin or what they hold, where that pattern may be one of identifiers: told of
/// a URL's text alone, for every link of the page.
#[derive(Debug, Clone, Copy)]
pub enum Kin<'u> {
    /// They hold this.
    Mark(&'u str),
    /// They begin so.
    Start(&'u str),
}

impl<'u> Kin<'u> {
    /// The kin of a page; `None` where nothing of its URL is an identifier.
    #[must_use]
    pub fn of(page: &'u PageUrl) -> Option<Self> {
        if let Some(identifier) = identifier(page) {
            return Some(Self::Mark(identifier.mark));
        }
        before_drawn_name(page).or_else(|| before_drawn_query(page)).map(Self::Start)
    }

    /// The kin of any other page: those below its first directory; or, where it stands in none, those that share what
    /// comes before the first thing that varies.
    #[must_use]
    pub fn near(page: &'u PageUrl) -> Option<Self> {
        let before_query = || page.as_str().find('?').and_then(|query| page.as_str().get(..=query));
        section(page).or_else(before_query).or_else(|| directory(page)).map(Self::Start)
    }

    /// Whether `url`, a canonical text, is one of them.
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
    use mapwright_web::Identity;

    fn url(path: &str) -> PageUrl {
        PageUrl::parse(&format!("http://a{path}"), &Identity::default()).unwrap()
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
    fn names_and_numbers_are_no_sessions() {
        for path in
            ["/x?sid=12", "/x?sid=04/05/12/1234", "/x?id=0f1e2d3c4b5a6978", "/x?_=2", "/S(x/y", "/a;v=0f1e2d3c4b5a6978"]
        {
            assert_eq!(pattern(path), None, "{path}");
        }
    }

    #[test]
    fn the_kin_of_a_page_is_told_by_text() {
        let page = url("/product?id=0f1e2d3c4b5a69788796a5b4");
        let kin = Kin::of(&page).unwrap();
        assert!(kin.holds("http://a/product?id=1") && !kin.holds("http://a/products/"));
        let page = url("/s/0f1e2d3c4b5a69788796a5b4/a");
        let kin = Kin::of(&page).unwrap();
        assert!(kin.holds("http://a/s/0f1e2d3c4b5a69788796a5b5/b") && !kin.holds("http://a/shop/"));
        let page = url("/p1.html?lang=de&sid=0f1e2d3c4b5a69788796a5b4");
        let kin = Kin::of(&page).unwrap();
        assert!(kin.holds("http://a/p2.html?sid=1") && !kin.holds("http://a/p2.html"));
        assert!(Kin::of(&url("/list?page=2")).is_none());
    }
}
