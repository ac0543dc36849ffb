//! Identity of URLs: texts that identify one page (URL standard, RFC 3986 section 6.2.2).

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test that cannot go on has failed"
)]

use encoding_rs::{EUC_JP, Encoding, GB18030, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16LE, WINDOWS_1252};
use mapwright_web::page_url::split_userinfo;
use mapwright_web::{PageUrl, UrlError, UrlIdentity};
use proptest::prelude::*;

fn url(text: &str) -> PageUrl {
    PageUrl::parse(text, &UrlIdentity::default()).expect(text)
}

fn canonical(text: &str) -> String {
    url(text).as_str().to_owned()
}

fn joined(base: &str, href: &str, encoding: &'static Encoding) -> String {
    let base = url::Url::parse(base).expect(base);
    PageUrl::join(&base, href, encoding, &UrlIdentity::default()).expect(href).as_str().to_owned()
}

#[test]
fn equivalent_texts_are_one_url() {
    let one = [
        ("HTTP://EXAMPLE.com", "http://example.com/"),
        ("http://example.com:80/a", "http://example.com/a"),
        ("https://example.com:443/a", "https://example.com/a"),
        ("https://example.com:/a", "https://example.com/a"),
        ("http://example.com:443/a", "http://example.com:443/a"),
        ("http://example.com/a/./b/../c", "http://example.com/a/c"),
        ("http://example.com/a/%2e%2E/b/%2e/c", "http://example.com/b/c"),
        ("http://example.com/../../x", "http://example.com/x"),
        ("http://example.com\\a\\b", "http://example.com/a/b"),
        ("  http://example.com/a\tb\n ", "http://example.com/ab"),
        ("http://example.com/a#frag", "http://example.com/a"),
        ("http://user:secret@example.com/a", "http://example.com/a"),
        ("http://bücher.example/", "http://xn--bcher-kva.example/"),
        ("http://B%C3%BCcher.example/", "http://xn--bcher-kva.example/"),
        ("http://[2001:DB8:0:0::1]:8080/", "http://[2001:db8::1]:8080/"),
        ("http://0x7f.1/", "http://127.0.0.1/"),
    ];
    for (text, expected) in one {
        assert_eq!(canonical(text), expected, "{text}");
    }
}

#[test]
fn escapes_have_one_spelling() {
    let one = [
        ("http://h/%7euser/%41-%5f", "http://h/~user/A-_"),
        ("http://h/?q=%7euser", "http://h/?q=~user"),
        ("http://h/%c3%a9", "http://h/%C3%A9"),
        ("http://h/é?é", "http://h/%C3%A9?%C3%A9"),
        ("http://h/%e9t%e9", "http://h/%E9t%E9"),
        ("http://h/a%2fb%3fc%23d", "http://h/a%2Fb%3Fc%23d"),
        ("http://h/a b\"<>", "http://h/a%20b%22%3C%3E"),
        ("http://h/a|b^c`d{e}", "http://h/a%7Cb%5Ec%60d%7Be%7D"),
        ("http://h/?a|b^c`d{e}\\f", "http://h/?a%7Cb%5Ec%60d%7Be%7D%5Cf"),
        ("http://h/100%", "http://h/100%25"),
        ("http://h/100%off?5%", "http://h/100%25off?5%25"),
        ("http://h/%4%31", "http://h/%2541"),
        ("http://h/x]]>y", "http://h/x%5D%5D%3Ey"),
    ];
    for (text, expected) in one {
        assert_eq!(canonical(text), expected, "{text}");
    }
}

#[test]
fn what_may_differ_stays_apart() {
    for text in [
        "http://h/a%2Fb",
        "http://h/x//y",
        "http://h/a/",
        "http://h/Page",
        "http://h/index.html",
        "http://h/?",
        "http://h/?a=1&b=2",
        "http://h/?b=2&a=1",
        "http://h/?q=a+b",
        "http://h/?q=a%20b",
        "http://h/;v=1",
        "http://www.h/",
        "http://h./",
        "http://h/?sid=1&PHPSESSID=2&jsessionid=3",
    ] {
        assert_eq!(canonical(text), text);
    }
}

#[test]
fn a_trailing_dot_of_the_host_is_another_origin() {
    assert_ne!(url("http://example.com./").origin(), url("http://example.com/").origin());
}

#[test]
fn decoding_makes_no_dot_segment() {
    for text in ["http://h/%252e%252e/x", "http://h/a/%%32%65/x", "http://h/.%2e%2f/x", "http://h/x/...%2E/y"] {
        let path = url(text).path().to_owned();
        assert!(path.split('/').all(|segment| segment != "." && segment != ".."), "{text} gave {path}");
    }
}

#[test]
fn tracking_parameters_are_dropped_completely() {
    let one = [
        ("http://h/?utm_source=a", "http://h/"),
        ("http://h/?utm_source=a&id=7&utm_medium=b", "http://h/?id=7"),
        ("http://h/?b=2&gclid=x&a=1&fbclid", "http://h/?b=2&a=1"),
        ("http://h/?utm%5Fsource=a&x", "http://h/?x"),
        ("http://h/?gclid", "http://h/"),
        ("http://h/?msclkid=1&", "http://h/"),
        ("http://h/?mygclid=1&gclid2=1", "http://h/?mygclid=1&gclid2=1"),
        ("http://h/?q=gclid=1", "http://h/?q=gclid=1"),
        ("http://h/?q=utm_source", "http://h/?q=utm_source"),
        ("http://h/?&&a", "http://h/?&&a"),
    ];
    for (text, expected) in one {
        assert_eq!(canonical(text), expected, "{text}");
    }
}

#[test]
fn which_parameters_are_dropped_can_be_chosen() {
    let parse = |text, identity: &UrlIdentity| PageUrl::parse(text, identity).unwrap().as_str().to_owned();
    let none = UrlIdentity::keep_all();
    assert_eq!(parse("http://h/?utm_source=a", &none), "http://h/?utm_source=a");
    let own = UrlIdentity::new(false, &["sid".to_owned(), "ref_*".to_owned(), "f[x]".to_owned()]);
    assert_eq!(parse("http://h/?sid=1&ref_a=2&id=3&gclid=4", &own), "http://h/?id=3&gclid=4");
    assert_eq!(parse("http://h/?f[x]=1&f%5Bx%5D=2&f[y]=3", &own), "http://h/?f%5By%5D=3");
    assert_eq!(parse("http://h/?SID=1", &own), "http://h/?SID=1", "names are compared by case");
}

#[test]
fn no_session_identifier_is_taken_for_tracking() {
    for name in
        ["sid", "session", "sessionid", "session_id", "phpsessid", "PHPSESSID", "jsessionid", "aspsessionid", "s"]
    {
        assert!(!UrlIdentity::TRACKING.contains(&name), "{name}");
        assert_eq!(canonical(&format!("http://h/?{name}=1")), format!("http://h/?{name}=1"));
    }
}

#[test]
fn texts_that_are_no_page_are_distinguished() {
    let fault = |text| PageUrl::parse(text, &UrlIdentity::default()).unwrap_err();
    assert_eq!(fault(""), UrlError::Empty);
    assert_eq!(fault(" \n"), UrlError::Empty);
    assert_eq!(fault("ftp://h/x"), UrlError::NotHttp { scheme: "ftp".to_owned() });
    assert_eq!(fault("mailto:a@b.example"), UrlError::NotHttp { scheme: "mailto".to_owned() });
    assert_eq!(fault("javascript:alert(1)"), UrlError::NotHttp { scheme: "javascript".to_owned() });
    assert_eq!(fault("http://"), UrlError::NoHost);
    for text in ["http://[::1/", "http://h:99999/", "http://h:port/", "http://%zz/", "example.com", "/relative"] {
        assert!(matches!(fault(text), UrlError::NotAUrl { .. }), "{text}");
    }
}

#[test]
fn references_are_resolved_as_browsers_do() {
    let base = "http://h/d/e?q#f";
    for (href, expected) in [
        ("", "http://h/d/e?q"),
        ("#top", "http://h/d/e?q"),
        ("x", "http://h/d/x"),
        ("./x", "http://h/d/x"),
        ("../../../x", "http://h/x"),
        ("?y", "http://h/d/e?y"),
        ("//o:81/x", "http://o:81/x"),
        ("\\x", "http://h/x"),
        (" x\ny ", "http://h/d/xy"),
        ("https:x", "https://x/"),
        ("http:x", "http://h/d/x"),
        ("///o/x", "http://o/x"),
        (" /\t/\n\\/o:81/x?//", "http://o:81/x?//"),
        ("/x///y", "http://h/x///y"),
    ] {
        assert_eq!(joined(base, href, UTF_8), expected, "{href:?}");
    }
}

#[test]
fn a_query_is_in_the_encoding_of_its_document_and_a_path_in_utf_8() {
    for (encoding, href, expected) in [
        (WINDOWS_1252, "é?x=é&y=€", "http://h/%C3%A9?x=%E9&y=%80"),
        (SHIFT_JIS, "日?q=日本", "http://h/%E6%97%A5?q=%93%FA%96%7B"),
        (EUC_JP, "?q=日本", "http://h/?q=%C6%FC%CB%DC"),
        (GB18030, "?q=中", "http://h/?q=%D6%D0"),
        (UTF_16LE, "?q=é", "http://h/?q=%C3%A9"),
        (SHIFT_JIS, "?q=ソ", "http://h/?q=%83%5C"),
        (ISO_2022_JP, "?q=x", "http://h/?q=x"),
    ] {
        assert_eq!(joined("http://h/", href, encoding), expected, "{href} in {}", encoding.name());
    }
}

#[test]
fn what_the_encoding_lacks_becomes_an_escaped_reference() {
    assert_eq!(joined("http://h/", "?q=日é&r=1", WINDOWS_1252), "http://h/?q=%26%2326085%3B%E9&r=1");
    let many = "日".repeat(3000);
    let got = joined("http://h/", &format!("?{many}"), WINDOWS_1252);
    assert_eq!(got, format!("http://h/?{}", "%26%2326085%3B".repeat(3000)));
    let long = "é".repeat(5000);
    assert_eq!(joined("http://h/", &format!("?{long}"), WINDOWS_1252), format!("http://h/?{}", "%E9".repeat(5000)));
}

/// Texts with the difficult cases: valid and broken escapes, dots, reserved and forbidden characters.
fn awkward() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-zA-Z0-9._~-]{0,3}",
        "[%]{1,2}[0-9a-fA-F]{0,3}",
        "[/\\\\.?&=;:@+!$'()*,\\[\\]|^`{}<>\" ]{1,3}",
        "%2[eEfF5]",
        Just("utm_source=x".to_owned()),
        "\\PC{0,2}",
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn canonicalisation_is_idempotent(rest in awkward(), drop in any::<bool>()) {
        let identity = UrlIdentity::new(drop, &[]);
        if let Ok(once) = PageUrl::parse(&format!("http://h/{rest}"), &identity) {
            let twice = PageUrl::parse(once.as_str(), &identity).unwrap();
            prop_assert_eq!(once.as_str(), twice.as_str());
            prop_assert_eq!(once.as_url(), &url::Url::parse(once.as_str()).unwrap());
        }
    }

    #[test]
    fn canonical_texts_are_as_the_rules_say(rest in awkward()) {
        if let Ok(page) = PageUrl::parse(&format!("http://h/{rest}"), &UrlIdentity::default()) {
            let text = page.as_str();
            let forbidden = text.contains(['#', '[', ']', '|', '^', '`', '{', '}', '\\', ' ', '"', '<', '>']);
            prop_assert!(text.is_ascii() && !forbidden, "{}", text);
            let mut escapes = text.split('%');
            escapes.next();
            for escape in escapes {
                let octet = u8::from_str_radix(&escape[..2], 16).unwrap();
                prop_assert_eq!(format!("{octet:02X}"), &escape[..2]);
                let unreserved = octet.is_ascii_alphanumeric() || b"-._~".contains(&octet);
                prop_assert!(!unreserved, "{}", text);
            }
            prop_assert!(page.path().split('/').all(|segment| segment != "." && segment != ".."));
        }
    }

    #[test]
    fn nothing_makes_the_parser_panic(text in "\\PC{0,40}", href in "\\PC{0,40}") {
        let _ = PageUrl::parse(&text, &UrlIdentity::default());
        let _ = split_userinfo(&text);
        let base = url::Url::parse("http://h/d/").unwrap();
        for encoding in [UTF_8, SHIFT_JIS, ISO_2022_JP, GB18030] {
            if let Ok(page) = PageUrl::join(&base, &href, encoding, &UrlIdentity::default()) {
                let again = PageUrl::parse(page.as_str(), &UrlIdentity::default()).unwrap();
                prop_assert_eq!(page, again);
            }
        }
    }

    #[test]
    fn no_credential_is_left_in_the_text(user in "[a-z:%@]{1,8}", path in "[a-z@/?#]{0,8}") {
        let (rest, _) = split_userinfo(&format!("http://{user}@h.example/{path}"));
        prop_assert_eq!(rest, format!("http://h.example/{path}"));
    }
}
