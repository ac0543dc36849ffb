//! The two forms in which rules and paths are compared (RFC 9309 2.2.2). A rule matches if it does in either form.
//!
//! In both, unreserved characters are decoded, octets beyond ASCII and characters that a URI must not contain raw are
//! escaped, and hex digits are in upper case. `/`, `?` and other delimiters differ from their escapes.
//!
//! - **As written**: an escape has three octets, and a rule may match each: `/a%2` and `/*%` match `/a%2Fb`.
//! - **Folded**: a character that may be raw or escaped is one octet in either case: `/[` matches `/%5B`, and the other
//!   way round.
//!
//! So a rule matches no digits of an escape for a character that is raw in the URL: `/*D` does not match `/a[0]`.

use crate::percent::{AsciiSet, Unit, hex_digits, units};
use std::borrow::Cow;

/// Characters that are equal raw and escaped: those that RFC 3986 does not allow, `'` (which the URL standard escapes
/// in queries), `*` and `$` (RFC 9309 2.2.3), and the other marks that were unreserved before RFC 3986 (RFC 2396 2.3).
/// None of them is a delimiter in a URL of the web. `%` is included, because canonical URLs contain it only escaped.
const FOLDED: AsciiSet =
    AsciiSet::NEVER_RAW.with(b'$').with(b'*').with(b'\'').with(b'!').with(b'(').with(b')').with(b'%');

/// The bit that marks an octet of an escape made by mapwright, which distinguishes it from the ASCII octets of a form.
const GENERATED_ESCAPE_BIT: u8 = 0x80;

/// The source of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// A URL's path and query. All of it is literal, and a stray `%` counts as escaped: canonical URLs have no others.
    Path,
    /// A rule's pattern. `*` is the wildcard, and a stray `%` is kept.
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
            Unit::Stray => form.push(GENERATED_ESCAPE_BIT | b'%'),
            Unit::Raw(octet) | Unit::Escape(octet) if octet.is_ascii() && FOLDED.escapes(octet) => {
                form.push(GENERATED_ESCAPE_BIT | octet);
            }
            Unit::Raw(byte) if byte.is_ascii() => form.push(byte),
            Unit::Raw(octet) | Unit::Escape(octet) => push_escape(&mut form, octet),
        }
    }
    Cow::Owned(form)
}

/// Returns true if the URL standard leaves the character raw at some place where canonical URLs escape it, so that the
/// site's form is unknown. A rule may match its escape from the `%` on, but must not take its digits for the URL's own.
const fn may_be_generated(octet: u8) -> bool {
    matches!(octet, b'{' | b'|' | b'}' | b'^' | b'`' | b'[' | b']')
}

fn push_escape(form: &mut Vec<u8>, octet: u8) {
    let [high, low] = hex_digits(octet);
    // Marking the last digit is sufficient, and permits a match of a rule that ends within the escape.
    let low = if may_be_generated(octet) { GENERATED_ESCAPE_BIT | low } else { low };
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
