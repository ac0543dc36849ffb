//! The properties of a canonical URL: parts, origin, domain, likely duplicates, key; and its credentials before.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test that cannot go on has failed"
)]

use mapwright_web::page_url::split_userinfo;
use mapwright_web::{KeyMaker, Origin, PageUrl, UrlIdentity};

fn url(text: &str) -> PageUrl {
    PageUrl::parse(text, &UrlIdentity::default()).expect(text)
}

#[test]
fn parts_of_a_url() {
    let page = url("https://Example.com:8443/a/b.html?x=1&y");
    assert_eq!(page.scheme(), "https");
    assert_eq!(page.host(), "example.com");
    assert_eq!(page.path(), "/a/b.html");
    assert_eq!(page.query(), Some("x=1&y"));
    assert_eq!(page.path_and_query(), "/a/b.html?x=1&y");
    assert_eq!(page.directory(), "/a/");
    assert_eq!(page.chars(), "https://example.com:8443/a/b.html?x=1&y".len());
    assert_eq!(url("http://h").directory(), "/");
    assert_eq!(url("http://h/?").query(), Some(""));
    assert_eq!(url("http://h/?").path_and_query(), "/?");
    assert_eq!(page.to_string(), page.as_str());
}

#[test]
fn another_path_of_the_same_origin() {
    let page = url("http://h:81/a/b?c");
    for (path, expected) in [
        ("/robots.txt", "http://h:81/robots.txt"),
        ("/s.xml?v=%7e#x", "http://h:81/s.xml?v=~"),
        ("x", "http://h:81/x"),
        ("", "http://h:81/"),
        ("/a/../b", "http://h:81/b"),
        ("//x", "http://h:81//x"),
    ] {
        assert_eq!(page.with_path(path).as_str(), expected, "{path}");
    }
}

#[test]
fn an_origin_reads_back_from_its_text() {
    for (text, scheme, host, port, expected) in [
        ("http://h/x", "http", "h", 80, "http://h"),
        ("https://h:443/", "https", "h", 443, "https://h"),
        ("https://h:8443/x?y", "https", "h", 8443, "https://h:8443"),
        ("http://[::1]/", "http", "[::1]", 80, "http://[::1]"),
        ("http://[::1]:8080/", "http", "[::1]", 8080, "http://[::1]:8080"),
    ] {
        let origin = url(text).origin();
        assert_eq!((origin.scheme(), origin.host(), origin.port()), (scheme, host, port), "{text}");
        assert_eq!(origin.as_str(), expected);
        assert_eq!(origin.is_https(), scheme == "https");
        assert_eq!(expected.parse::<Origin>().unwrap(), origin);
        let stored = serde_json::to_string(&origin).unwrap();
        assert_eq!(stored, format!("\"{expected}\""));
        assert_eq!(serde_json::from_str::<Origin>(&stored).unwrap(), origin);
    }
    assert!("h:80".parse::<Origin>().is_err());
}

#[test]
fn a_stored_url_reads_back_unchanged() {
    let kept = PageUrl::parse("http://h/?utm_source=x", &UrlIdentity::keep_all()).unwrap();
    let stored = serde_json::to_string(&kept).unwrap();
    assert_eq!(stored, "\"http://h/?utm_source=x\"");
    assert_eq!(serde_json::from_str::<PageUrl>(&stored).unwrap(), kept);
    assert!(serde_json::from_str::<PageUrl>("\"ftp://h/\"").is_err());
}

#[test]
fn registrable_domains_follow_the_public_suffix_list() {
    for (text, expected) in [
        ("http://www.example.com/", "example.com"),
        ("http://a.b.example.co.uk/", "example.co.uk"),
        ("http://project.github.io/", "project.github.io"),
        ("http://co.uk/", "co.uk"),
        ("http://localhost/", "localhost"),
        ("http://192.0.2.7/", "192.0.2.7"),
        ("http://[2001:db8::1]/", "[2001:db8::1]"),
    ] {
        assert_eq!(url(text).registrable_domain(), expected, "{text}");
    }
}

#[test]
fn likely_duplicates_share_a_text() {
    let duplicates = [
        "http://h/a",
        "http://h/a/",
        "http://h/A",
        "http://h/a/index.html",
        "http://h/a/Default.ASPX",
        "http://h/a/index.de.php5",
        "http://h/a?x=1",
        "http://h/a;jsessionid=0F1E",
        "http://h/a;v=1/;w=2",
        "http://h/a/index.html;jsessionid=0F1E?x=1",
    ];
    let text = url("http://h/a").duplicate_key_text();
    for duplicate_key in duplicates {
        assert_eq!(url(duplicate_key).duplicate_key_text(), text, "{duplicate_key}");
    }
    assert_eq!(url("http://h/").duplicate_key_text(), url("http://h/index.php").duplicate_key_text());
    assert_eq!(url("http://h/l?a=1&b=2").duplicate_key_text(), url("http://h/l?b=2&a=1").duplicate_key_text());
    for other in [
        "http://h/b",
        "http://h/a/b",
        "http://o/a",
        "https://h/a",
        "http://h/aindex.html",
        "http://h/a/x.html",
        "http://h/a/index",
        "http://h/a%3Bx",
    ] {
        assert_ne!(url(other).duplicate_key_text(), text, "{other}");
    }
}

#[test]
fn keys_depend_on_url_and_record() {
    let (one, other) = (KeyMaker::new(1, 2), KeyMaker::new(3, 4));
    let page = url("http://h/a");
    assert_eq!(one.key(&page), one.key_text("http://h/a"));
    assert_ne!(one.key(&page), one.key(&url("http://h/b")));
    assert_ne!(one.key(&page), other.key(&page));
    assert!(!format!("{:?}", KeyMaker::new(0x5EC4_E700, 1)).contains("1590"));
}

#[test]
fn sip_hash_1_3_by_its_published_vector() {
    // From the reference implementation's table for SipHash-1-3: key 00…0F, empty input.
    let maker = KeyMaker::new(0x0706_0504_0302_0100, 0x0F0E_0D0C_0B0A_0908);
    assert_eq!(maker.key_text("").0, 0xABAC_0158_050F_C4DC);
}

#[test]
fn credentials_are_taken_off_a_start_url() {
    let cases = [
        ("http://user:p%40ss@h/x", "http://h/x", Some(("user", "p@ss"))),
        ("https://user@h", "https://h", Some(("user", ""))),
        ("user:pass@h/x@y", "h/x@y", Some(("user", "pass"))),
        ("http://a@b:c@h/", "http://h/", Some(("a@b", "c"))),
        ("HTTP:\\\\u:p@h\\x", "HTTP:\\\\h\\x", Some(("u", "p"))),
        ("https:u:p@h/", "https:h/", Some(("u", "p"))),
        ("http://h/x@y", "http://h/x@y", None),
        ("http://h?x@y", "http://h?x@y", None),
        ("http://h#x@y", "http://h#x@y", None),
        ("http://@h/", "http://h/", None),
        ("mailto:joe@h", "mailto:joe@h", None),
        ("ftp://u:p@h/", "ftp://h/", Some(("u", "p"))),
        ("h/x", "h/x", None),
        ("", "", None),
    ];
    for (text, bare, expected) in cases {
        let (rest, found) = split_userinfo(text);
        assert_eq!(rest, bare, "{text}");
        let found = found.map(|found| (found.user, found.password));
        assert_eq!(found, expected.map(|(user, password)| (user.to_owned(), password.to_owned())), "{text}");
    }
}

#[test]
fn credentials_show_nothing_when_printed() {
    let (_, found) = split_userinfo("http://token:secret@h/");
    let shown = format!("{:?}", found.unwrap());
    assert!(!shown.contains("token") && !shown.contains("secret"), "{shown}");
}
