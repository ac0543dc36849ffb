//! The normal form of percent-escapes (RFC 3986 2.1).
//!
//! Escapes of unreserved characters are decoded, the hex digits of others are in upper case, a `%` that starts no
//! escape is escaped, and so is every octet of a given [`AsciiSet`]. The result is always ASCII, and a second pass
//! changes nothing.

/// A set of ASCII characters that must be escaped in a text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AsciiSet {
    /// Bits of the first 64.
    low: u64,
    /// Bits of the others.
    high: u64,
}

impl AsciiSet {
    /// Control characters, the space, and the printable characters that RFC 3986 does not allow in a path or query.
    pub(crate) const NEVER_RAW: AsciiSet = AsciiSet { low: u32::MAX as u64, high: 0 }
        .with(0x7F)
        .with(b' ')
        .with(b'"')
        .with(b'<')
        .with(b'>')
        .with(b'[')
        .with(b']')
        .with(b'\\')
        .with(b'^')
        .with(b'`')
        .with(b'{')
        .with(b'|')
        .with(b'}');

    /// Adds one character to the set.
    pub(crate) const fn with(self, byte: u8) -> AsciiSet {
        let bit = 1 << (byte % 64);
        if byte < 64 { AsciiSet { low: self.low | bit, ..self } } else { AsciiSet { high: self.high | bit, ..self } }
    }

    /// Returns true if `byte` must be escaped, which octets beyond ASCII always are.
    pub(crate) const fn escapes(self, byte: u8) -> bool {
        let bits = if byte < 64 { self.low } else { self.high };
        byte >= 0x80 || bits >> (byte % 64) & 1 == 1
    }
}

/// RFC 3986 2.3: `ALPHA DIGIT - . _ ~`.
const fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

fn hex_value(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}

fn octet(high: u8, low: u8) -> Option<u8> {
    Some(hex_value(high)? << 4 | hex_value(low)?)
}

/// The octet of an escape whose `%` has been removed from `text`, and the rest; `None` for a stray `%`.
fn take_escape(text: &[u8]) -> Option<(u8, &[u8])> {
    let [high, low, rest @ ..] = text else { return None };
    Some((octet(*high, *low)?, rest))
}

/// The two hex digits of an octet's escape, upper case.
pub(crate) fn hex_digits(octet: u8) -> [u8; 2] {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let digit = |value: u8| DIGITS.get(usize::from(value)).copied().unwrap_or(b'0');
    [digit(octet >> 4), digit(octet & 0xF)]
}

fn push_escape(out: &mut String, octet: u8) {
    out.push('%');
    out.extend(hex_digits(octet).map(char::from));
}

/// A unit of a text with percent-escapes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    /// A literal octet, or an unreserved character, escaped or not.
    Raw(u8),
    /// The escape of any other octet.
    Escape(u8),
    /// A `%` that starts no escape.
    Stray,
}

/// The units of `text`, in order.
pub(crate) fn units(mut text: &[u8]) -> impl Iterator<Item = Unit> {
    std::iter::from_fn(move || {
        let (&byte, after) = text.split_first()?;
        text = after;
        if byte != b'%' {
            return Some(Unit::Raw(byte));
        }
        let Some((octet, behind)) = take_escape(after) else { return Some(Unit::Stray) };
        text = behind;
        Some(if is_unreserved(octet) { Unit::Raw(octet) } else { Unit::Escape(octet) })
    })
}

/// The normal form of `text`; `None` if it has that form already (it is ASCII then).
pub(crate) fn normalised(text: &[u8], escaped: AsciiSet) -> Option<String> {
    if !text.iter().any(|&byte| byte == b'%' || escaped.escapes(byte)) {
        return None;
    }
    let mut out = String::with_capacity(text.len() + 16);
    for unit in units(text) {
        match unit {
            Unit::Raw(byte) if escaped.escapes(byte) => push_escape(&mut out, byte),
            Unit::Raw(byte) => out.push(char::from(byte)),
            Unit::Escape(octet) => push_escape(&mut out, octet),
            Unit::Stray => out.push_str("%25"),
        }
    }
    (out.as_bytes() != text).then_some(out)
}

/// `text` in ASCII with well-formed escapes only: octets beyond ASCII and stray `%` are escaped, hex digits are in
/// upper case, and nothing is decoded.
pub(crate) fn to_ascii(text: &[u8]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        match byte {
            b'%' => match take_escape(after) {
                Some((octet, behind)) => {
                    push_escape(&mut out, octet);
                    rest = behind;
                }
                None => out.push_str("%25"),
            },
            0x80.. => push_escape(&mut out, byte),
            _ => out.push(char::from(byte)),
        }
    }
    out
}

/// Text with its percent-escapes decoded (WHATWG URL, percent-decode); invalid UTF-8 is replaced.
#[must_use]
pub fn percent_decoded(text: &str) -> String {
    String::from_utf8_lossy(&decoded(text.as_bytes())).into_owned()
}

/// The decoded octets of `text`; a stray `%` is kept.
pub(crate) fn decoded(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        match (byte, take_escape(after)) {
            (b'%', Some((octet, behind))) => {
                out.push(octet);
                rest = behind;
            }
            _ => out.push(byte),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normal(text: &str) -> String {
        normalised(text.as_bytes(), AsciiSet::NEVER_RAW).unwrap_or_else(|| text.to_owned())
    }

    #[test]
    fn unreserved_escapes_are_decoded_and_others_upper_cased() {
        assert_eq!(normal("/%7euser/%2fx/%c3%a9"), "/~user/%2Fx/%C3%A9");
        assert_eq!(normal("/a[1]?x[]=%5b2%5d"), "/a%5B1%5D?x%5B%5D=%5B2%5D");
    }

    #[test]
    fn a_stray_percent_is_escaped_and_joins_no_decoded_digit() {
        assert_eq!(normal("100%"), "100%25");
        assert_eq!(normal("%4%31"), "%2541", "the decoded 1 must not complete an escape");
        assert_eq!(normal("%%32%65"), "%252e");
    }

    #[test]
    fn what_is_normal_already_is_not_copied() {
        assert_eq!(normalised(b"/a/%C3%A9?x=(1)", AsciiSet::NEVER_RAW), None);
    }

    #[test]
    fn decoding_takes_every_escape() {
        assert_eq!(decoded(b"p%40ss%2"), b"p@ss%2");
    }
}
