//! A URL recognized without parsing equals the parsed one, or is not canonical.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use encoding_rs::{Encoding, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16LE, WINDOWS_1252};
use mapwright_web::{Joiner, PageUrl, UrlIdentity};
use proptest::prelude::*;
use url::Url;

fn page(text: &str) -> PageUrl {
    PageUrl::parse(text, &UrlIdentity::default()).unwrap()
}

fn spelt(joiner: &Joiner<'_>, href: &str) -> Option<String> {
    let mut text = "left over".to_owned();
    joiner.write_canonical_candidate(href, &mut text).then_some(text)
}

fn is_canonical(text: &str, identity: &UrlIdentity) -> bool {
    PageUrl::parse(text, identity).is_ok_and(|url| url.as_str() == text)
}

#[test]
fn the_usual_shapes_need_no_parser() {
    let (url, identity) = (page("http://example.test:8080/dir/sub/page.html?x=1"), UrlIdentity::default());
    let joiner = Joiner::new(&url, UTF_8, &identity);
    for (href, expected) in [
        ("", "/dir/sub/page.html?x=1"),
        ("#part", "/dir/sub/page.html?x=1"),
        ("#", "/dir/sub/page.html?x=1"),
        ("?page=2&sort=name", "/dir/sub/page.html?page=2&sort=name"),
        ("?", "/dir/sub/page.html?"),
        ("other.html", "/dir/sub/other.html"),
        ("other.html#a b", "/dir/sub/other.html"),
        ("deeper/other.html?a=b", "/dir/sub/deeper/other.html?a=b"),
        ("./other.html", "/dir/sub/other.html"),
        ("./", "/dir/sub/"),
        ("../", "/dir/"),
        ("../up.html", "/dir/up.html"),
        ("../../../../up.html", "/up.html"),
        ("/", "/"),
        ("/a/b-c_d~e.html", "/a/b-c_d~e.html"),
        ("/a//b", "/a//b"),
        ("/wiki/Talk:Page_(x)", "/wiki/Talk:Page_(x)"),
        ("http://example.test:8080/own", "/own"),
        ("http://example.test:8080/", "/"),
        ("//example.test:8080/own", "/own"),
        (".hidden", "/dir/sub/.hidden"),
        ("..//x", "/dir//x"),
        ("a%5B%5D=b?c%5B%5D=d", "/dir/sub/a%5B%5D=b?c%5B%5D=d"),
    ] {
        let expected = format!("http://example.test:8080{expected}");
        assert_eq!(spelt(&joiner, href).as_deref(), Some(&*expected), "{href}");
        assert_eq!(joiner.join(href).unwrap().as_str(), expected, "{href}");
    }
    let elsewhere = "https://elsewhere.test/x?y=z";
    assert_eq!(spelt(&joiner, &format!("{elsewhere}#part")).as_deref(), Some(elsewhere));
}

#[test]
fn what_means_something_else_than_it_says_is_no_canonical_url() {
    let (url, identity) = (page("http://example.test/dir/page"), UrlIdentity::default());
    let joiner = Joiner::new(&url, UTF_8, &identity);
    for href in [
        "mailto:x",
        "a:b",
        "HTTP://example.test/x",
        "http:x",
        "http://example.test",
        "http://example.test:80/x",
        "http:///example.test/x",
        "http://user@example.test/x",
        "//example.test",
        "/\\example.test/x",
        "/\t/example.test/x",
        "a b",
        "a\tb",
        "a\\b",
        "a[]=b",
        "?c[]=d",
        "%41",
        "caf\u{e9}",
        "a/../b",
        "a/./b",
        "a/.",
        "..",
        ".",
        "%2e%2e/x",
        "?utm_source=x",
        "?a='b'",
        "?a=\u{e9}",
        " x",
        "x ",
        "a|b",
        "a^b",
        "a`b",
        "{a}",
        "\u{1}x",
    ] {
        let text = spelt(&joiner, href);
        assert!(!text.as_ref().is_some_and(|text| is_canonical(text, &identity)), "{href}: {text:?}");
    }
}

const PAGES: &[&str] = &[
    "http://example.test/",
    "http://example.test/dir/page.html?x=1",
    "https://example.test:8443/a//b/../c/",
    "http://[::1]:8080/a/b/c",
    "http://example.test/caf%C3%A9/x?q=%20",
    "http://example.test/a/b:c/@d",
];

const BASES: &[&str] = &[
    "http://example.test/base/",
    "http://example.test/base/x#y",
    "http://user:secret@example.test/base/",
    "http://example.test/b%61se/x",
    "http://example.test/base?utm_source=x",
    "http://example.test/a|b/",
    "ftp://example.test/base/",
    "mailto:someone",
    "https://example.test",
];

const ENCODINGS: &[&Encoding] = &[UTF_8, WINDOWS_1252, SHIFT_JIS, ISO_2022_JP, UTF_16LE];

const PIECES: &[&str] = &[
    "a",
    "b1",
    "index.html",
    "/",
    "/",
    "//",
    ".",
    "..",
    "../",
    "./",
    "/./",
    "/../",
    "?",
    "&",
    "=",
    "x=1",
    "utm_source=x",
    "#",
    ":",
    "@",
    "http:",
    "http://",
    "http://example.test",
    "http://example.test/",
    "https://example.test:8443",
    "http://[::1]:8080/",
    "mailto:",
    "%41",
    "%2e",
    "%2F",
    "%",
    " ",
    "\t",
    "\n",
    "\\",
    "|",
    "^",
    "`",
    "{",
    "}",
    "[",
    "]",
    "'",
    "\"",
    "<",
    ">",
    "!",
    "$",
    "(",
    ")",
    "*",
    "+",
    ",",
    ";",
    "~",
    "_",
    "-",
    "\u{e9}",
    "\u{1}",
    "C|",
    "...",
    "\u{3042}",
];

fn check(joiner: &Joiner<'_>, href: &str, identity: &UrlIdentity) -> Result<(), TestCaseError> {
    if let Some(text) = spelt(joiner, href).filter(|text| is_canonical(text, identity)) {
        let joined = joiner.join(href);
        prop_assert_eq!(joined.as_ref().map(PageUrl::as_str), Ok(&*text), "{:?} in {:?}", href, joiner);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 50_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_spelt_canonically_is_what_the_parser_gives(
        pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..7),
        at in proptest::sample::select(PAGES),
        base in proptest::option::of(proptest::sample::select(BASES)),
        encoding in proptest::sample::select(ENCODINGS),
        drops in any::<bool>(),
    ) {
        let identity = UrlIdentity::new(drops, &["x".to_owned()]);
        let joiner = match base {
            None => Joiner::new(&page(at), encoding, &identity),
            Some(base) => Joiner::with_base(Url::parse(base).unwrap(), encoding, &identity),
        };
        check(&joiner, &pieces.concat(), &identity)?;
    }

    #[test]
    fn any_plain_text_is_what_the_parser_gives(href in "[!-~]{0,12}", at in proptest::sample::select(PAGES)) {
        let identity = UrlIdentity::default();
        check(&Joiner::new(&page(at), UTF_8, &identity), &href, &identity)?;
    }
}
