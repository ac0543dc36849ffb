//! Values that look random, under any name.

use mapwright_web::PageUrl;
use std::borrow::Cow;

/// Characters from which on a value in the query may be a random identifier.
const LONG_VALUE: usize = 12;
/// The same in a path, which also has names of several words.
const LONG_NAME: usize = 16;
/// Fewest characters of an identifier, which has alphabetic characters and digits.
const LONG_IDENTIFIER: usize = 6;
/// Fewest changes between letters and digits in a random value.
const TURNS: usize = 4;

/// Reports whether a URL has a random value in its query or path.
pub(crate) fn has_drawn_value(url: &PageUrl) -> bool {
    in_query(url) || prefix_before_random_name(url).is_some()
}

fn in_query(url: &PageUrl) -> bool {
    url.query().is_some() && url.as_url().query_pairs().any(|(_, value): (_, Cow<'_, str>)| looks_random(&value))
}

/// Returns the common start of URLs that differ only in a random query value; `None` where no value looks random.
pub(crate) fn before_drawn_query(url: &PageUrl) -> Option<&str> {
    let query = url.as_str().find('?').filter(|_| in_query(url))?;
    url.as_str().get(..=query)
}

/// Returns the text of a URL up to the first name in its path, or value of a path parameter, that looks random.
pub(crate) fn prefix_before_random_name(url: &PageUrl) -> Option<&str> {
    drawn_name(url).map(|(before, _)| before)
}

/// Reports whether a URL has a random value that differs from that of the page that links to it.
pub(crate) fn has_new_random_value(url: &PageUrl, page: Option<&PageUrl>) -> bool {
    let name = drawn_name(url);
    in_query(url) || name.is_some() && name != page.and_then(drawn_name)
}

/// Returns the first random-looking name in a path, and the text of the URL before it.
fn drawn_name(url: &PageUrl) -> Option<(&str, &str)> {
    let mut at = url.as_str().len() - url.path_and_query().len();
    for name in url.path().as_bytes().split(separates) {
        if is_drawn_name(name) {
            return Some((url.as_str().get(..at)?, url.as_str().get(at..at + name.len())?));
        }
        at += name.len() + 1;
    }
    None
}

/// Reports whether a byte separates the names and values in a path.
fn separates(byte: &u8) -> bool {
    matches!(byte, b'/' | b';' | b'=' | b'.' | b',')
}

/// Reports whether a path name looks random. Dashes join words; random names have none, except for UUIDs (RFC 9562
/// section 4).
fn is_drawn_name(name: &[u8]) -> bool {
    let is_hex = || name.iter().all(|b| b.is_ascii_hexdigit() || *b == b'-');
    let is_solid = || name.iter().all(u8::is_ascii_alphanumeric);
    name.len() >= LONG_NAME && (is_solid() || is_hex()) && turns_often(name)
}

/// Reports whether a value is long and changes often between letters and digits, as random identifiers do and words
/// with a number do not.
pub(crate) fn looks_random(value: &str) -> bool {
    let plain = || value.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
    value.len() >= LONG_VALUE && plain() && turns_often(value.as_bytes())
}

/// Reports whether a value is an identifier, such as a session: the choices that a site offers, such as languages, are
/// words or numbers.
pub(crate) fn is_identifier(value: &str) -> bool {
    let has = |is: fn(&u8) -> bool| value.as_bytes().iter().any(is);
    let is_mixed =
        value.bytes().all(|b| b.is_ascii_alphanumeric()) && has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic);
    value.len() >= LONG_IDENTIFIER && is_mixed || looks_random(value)
}

fn turns_often(value: &[u8]) -> bool {
    let digits = || value.iter().filter(|b| b.is_ascii_alphanumeric()).map(u8::is_ascii_digit);
    digits().zip(digits().skip(1)).filter(|(a, b)| a != b).count() >= TURNS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trap_detector::tests::url;

    #[test]
    fn identifiers_differ_from_choices() {
        assert!(
            ["1x25d3af", "0F1E2D3C", "a9k3m7q1x5z8", "123e4567-e89b-12d3-a456-426614174000"]
                .iter()
                .all(|id| is_identifier(id))
        );
        assert!(
            !["de", "en-US", "price_asc", "2026-11", "123456", "html5", "german"]
                .iter()
                .any(|choice| is_identifier(choice))
        );
    }

    #[test]
    fn random_names_differ_from_words_and_numbers() {
        for (path, before) in [
            ("/s/0f1e2d3c4b5a69788796a5b4/a", "/s/"),
            ("/shop;s=0f1e2d3c4b5a6978/a", "/shop;s="),
            ("/o/123e4567-e89b-12d3-a456-426614174000", "/o/"),
            ("/watch/aZ9x8Y7w6V5u4T3s.html?x=1", "/watch/"),
        ] {
            let url = url(&format!("http://a.example{path}"));
            assert_eq!(prefix_before_random_name(&url), Some(format!("http://a.example{before}").as_str()), "{path}");
        }
        for path in [
            "/",
            "/news/2026-11-23-12-30-45",
            "/10-best-phones-of-2026-under-500-euros",
            "/release-1.2.3-beta4-linux-x86",
            "/p/0f1e2d3c",
            "/p/12345678901234567890",
            "/internationalization",
        ] {
            assert_eq!(prefix_before_random_name(&url(&format!("http://a.example{path}"))), None, "{path}");
        }
    }
}
