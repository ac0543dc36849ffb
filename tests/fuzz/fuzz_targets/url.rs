//! URLs: canonicalization is idempotent, keys are stable, and joining follows the URL standard.
//!
//! The first line of the input is a base, the rest a reference.

#![no_main]

use encoding_rs::{Encoding, GB18030, ISO_2022_JP, SHIFT_JIS, UTF_8, WINDOWS_1252};
use libfuzzer_sys::fuzz_target;
use mapwright_web::{UrlIdentity, KeyMaker, Origin, PageUrl};
use url::Url;

const ENCODINGS: [&Encoding; 4] = [WINDOWS_1252, SHIFT_JIS, GB18030, ISO_2022_JP];

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let (base, reference) = text.split_once('\n').unwrap_or((text, ""));
    for text in [base, reference] {
        if let Ok(url) = PageUrl::parse(text, &UrlIdentity::default()) {
            stays(&url);
        }
    }
    if let Ok(base) = Url::parse(base) {
        joins(&base, reference);
    }
});

fn stays(url: &PageUrl) {
    let text = url.as_str();
    let again = PageUrl::parse(text, &UrlIdentity::default()).expect("a canonical URL is a URL");
    assert_eq!(again.as_str(), text, "canonical once, canonical for good");
    assert_eq!(PageUrl::parse(text, &UrlIdentity::keep_all()).as_ref(), Ok(url), "no rule is left to apply");
    let keys = KeyMaker::new(1, 2);
    assert_eq!(keys.key(url), keys.key_text(text));
    assert_eq!(keys.key(url), keys.key(&again));
    // A host may contain some of these characters, because the URL standard forbids fewer there.
    let requested = url.path_and_query();
    assert!(text.is_ascii() && !text.contains(['#', '\\', ' ']), "{text}");
    assert!(!requested.contains(['"', '<', '>', '^', '`', '{', '|', '}']), "{text}");
    assert!(escapes_are_sound(text), "{text}");
    assert!(url.as_url().username().is_empty() && url.as_url().password().is_none());
    assert!(matches!(url.scheme(), "http" | "https") && !url.host().is_empty());
    assert!(url.path().starts_with('/') && url.directory().ends_with('/') && url.path().starts_with(url.directory()));
    assert_eq!(format!("{}{}", url.origin(), url.path_and_query()), text);
    assert_eq!(url.origin().as_str().parse::<Origin>().as_ref(), Ok(&url.origin()));
    let registrable = url.registrable_domain();
    assert!(url.host().ends_with(registrable) || url.host().ends_with(&format!("{registrable}.")), "{registrable}");
    assert_eq!(&url.with_path(url.path_and_query()), url);
    assert_eq!(url.duplicate_key_text(), again.duplicate_key_text());
    assert_eq!(url.chars(), text.chars().count());
}

/// Returns true if every `%` begins an escape with upper-case digits of an octet that needs one (RFC 3986 section 2.3).
fn escapes_are_sound(text: &str) -> bool {
    let path = text.splitn(4, '/').nth(3).unwrap_or_default();
    path.split('%').skip(1).all(|rest| {
        let digits = rest.get(..2).unwrap_or_default();
        let octet = u8::from_str_radix(digits, 16).map(char::from);
        let needed = |c: char| !(c.is_ascii_alphanumeric() || "-._~".contains(c));
        digits.len() == 2 && !digits.contains(|c: char| c.is_ascii_lowercase() || c == '+') && octet.is_ok_and(needed)
    })
}

/// Joins by the URL standard, which skips any number of slashes in front of a host ("special authority ignore slashes
/// state"). The crate `url` does so only after a scheme, so such a reference is parsed with its scheme.
fn standard(base: &Url, reference: &str) -> Option<Url> {
    let bare: String =
        reference.trim_start_matches(|char| char <= ' ').chars().filter(|char| !"\t\n\r".contains(*char)).collect();
    let names_host = bare.bytes().take_while(|byte| matches!(byte, b'/' | b'\\')).count() > 1;
    if names_host && matches!(base.scheme(), "http" | "https") {
        Url::parse(&format!("{}:{bare}", base.scheme())).ok()
    } else {
        base.join(reference).ok()
    }
}

fn joins(base: &Url, reference: &str) {
    let identity = UrlIdentity::default();
    let joined = PageUrl::join(base, reference, UTF_8, &identity);
    let standard = standard(base, reference).and_then(|url| PageUrl::parse(url.as_str(), &identity).ok());
    assert_eq!(joined.as_ref().ok(), standard.as_ref(), "joining {reference:?} to {base}");
    if let Ok(url) = &joined {
        stays(url);
    }
    for encoding in ENCODINGS {
        let encoded = PageUrl::join(base, reference, encoding, &identity);
        assert_eq!(encoded.is_ok(), joined.is_ok(), "an encoding changes the query alone");
        if let (Ok(encoded), Ok(joined)) = (encoded, &joined) {
            stays(&encoded);
            assert_eq!(encoded.path(), joined.path());
            assert_eq!(encoded.origin(), joined.origin());
        }
    }
}
