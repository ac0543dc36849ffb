//! The two forms in which rules and paths are compared (RFC 9309 2.2.2). A rule matches where it does in either.
//!
//! In both, unreserved characters are decoded, octets beyond ASCII and characters that no URI holds raw are escaped, and
//! hex digits are upper case. `/`, `?` and other delimiters stay apart from their escapes.
//!
//! - **As written**: escapes are three octets, each of which a rule may name: `/a%2` and `/*%` match `/a%2Fb`.
//! - **Folded**: a character that one writer escapes and the next does not is one octet, however it is spelt: `/[` matches
//!   `/%5B`, and the other way round.
//!
//! So no rule matches digits of an escape that the URL spells as a character: `/*D` is no rule about `/a[0]`.

use crate::percent::{AsciiSet, Unit, hex_digits, units};
use std::borrow::Cow;

/// What is the same raw and escaped: what RFC 3986 leaves no place, `'` (which the URL standard escapes in
/// queries), `*` and `$` (RFC 9309 2.2.3), and the other marks that were unreserved before RFC 3986 (RFC 2396 2.3). None
/// of them delimits anything in a URL of the web. And `%`, which canonical URLs hold escaped alone.
const FOLDED: AsciiSet =
    AsciiSet::NEVER_RAW.with(b'$').with(b'*').with(b'\'').with(b'!').with(b'(').with(b')').with(b'%');

/// What tells an octet of ours from those of ASCII, which a form holds besides.
const OURS: u8 = 0x80;

/// Whose text it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// A URL's path and query. All of it is literal, and a stray `%` counts as escaped: canonical URLs have no others.
    Path,
    /// A rule's pattern. `*` is the wildcard, and a stray `%` stays as it is.
    Rule,
}

/// The form as written.
pub(super) fn as_written(text: &[u8], side: Side) -> Cow<'_, [u8]> {
    if !text.iter().any(|&byte| byte == b'%' || AsciiSet::NEVER_RAW.escapes(byte)) {
        return Cow::Borrowed(text);
    }
    let mut form = Vec::with_capacity(text.len() + 16);
    for unit in units(text) {
        match unit {
            Unit::Raw(byte) if AsciiSet::NEVER_RAW.escapes(byte) => push_escape(&mut form, byte),
            Unit::Raw(byte) => form.push(byte),
            Unit::Escape(octet) => push_escape(&mut form, octet),
            Unit::Stray if side == Side::Rule => form.push(b'%'),
            Unit::Stray => push_escape(&mut form, b'%'),
        }
    }
    Cow::Owned(form)
}

/// The folded form.
pub(super) fn folded(text: &[u8], side: Side) -> Cow<'_, [u8]> {
    if !text.iter().any(|&byte| FOLDED.escapes(byte)) {
        return Cow::Borrowed(text);
    }
    let mut form = Vec::with_capacity(text.len() + 16);
    for unit in units(text) {
        match unit {
            Unit::Raw(b'*') if side == Side::Rule => form.push(b'*'),
            Unit::Stray => form.push(OURS | b'%'),
            Unit::Raw(octet) | Unit::Escape(octet) if octet.is_ascii() && FOLDED.escapes(octet) => {
                form.push(OURS | octet);
            }
            Unit::Raw(byte) if byte.is_ascii() => form.push(byte),
            Unit::Raw(octet) | Unit::Escape(octet) => push_escape(&mut form, octet),
        }
    }
    Cow::Owned(form)
}

/// Whether the URL standard leaves the character raw in some place where our canonical URLs escape it, so that nobody
/// can tell how a site spelt it. Its escape may be met from its `%` on, and its digits not be taken for a URL's own.
const fn may_be_ours(octet: u8) -> bool {
    matches!(octet, b'{' | b'|' | b'}' | b'^' | b'`' | b'[' | b']')
}

fn push_escape(form: &mut Vec<u8>, octet: u8) {
    let [high, low] = hex_digits(octet);
    // Marking the last digit will do, and lets a rule that ends within the escape match.
    let low = if may_be_ours(octet) { OURS | low } else { low };
    form.extend([b'%', high, low]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_without_special_characters_is_not_copied() {
        for side in [Side::Path, Side::Rule] {
            assert!(matches!(as_written(b"/a/b?c=d&e", side), Cow::Borrowed(_)));
            assert!(matches!(folded(b"/a/b?c=d&e", side), Cow::Borrowed(_)));
        }
    }

    #[test]
    fn however_a_character_is_spelt_it_folds_to_one_octet() {
        for (raw, escaped) in [("[", "%5B"), ("!", "%21"), ("|", "%7c"), ("%", "%25"), (" ", "%20")] {
            assert_eq!(folded(raw.as_bytes(), Side::Path).len(), 1, "{raw}");
            assert_eq!(folded(raw.as_bytes(), Side::Path), folded(escaped.as_bytes(), Side::Rule), "{raw}");
        }
        for apart in ["/", "?", ":", "@", "&", "=", "+", ",", ";", "#"] {
            let escape = format!("%{:02X}", apart.as_bytes()[0]);
            assert_eq!(folded(escape.as_bytes(), Side::Path), escape.as_bytes(), "{apart}");
        }
    }
}
