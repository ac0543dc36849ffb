//! "Prescan a byte stream to determine its encoding" (HTML 13.2.3.2).

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use memchr::{memchr, memmem};

/// The number of bytes that are scanned.
const PRESCANNED: usize = 1_024;

/// The encoding named by an XML declaration in the first bytes, or by a `meta` in them if the document `has_metas`: in
/// XML a `meta` does not declare the encoding (HTML 14.1).
pub(super) fn encoding(bytes: &[u8], has_metas: bool) -> Option<&'static Encoding> {
    let bytes = bytes.get(..PRESCANNED).unwrap_or(bytes);
    if bytes.starts_with(b"<\0?\0x\0") {
        return Some(UTF_16LE);
    }
    if bytes.starts_with(b"\0<\0?\0x") {
        return Some(UTF_16BE);
    }
    has_metas.then(|| meta(bytes)).flatten().or_else(|| xml_declaration(bytes))
}

fn meta(bytes: &[u8]) -> Option<&'static Encoding> {
    let mut rest = bytes;
    while let Some(at) = memchr(b'<', rest) {
        rest = rest.get(at + 1..)?;
        if let Some(comment) = rest.strip_prefix(b"!--") {
            // The dashes of `<!--` may be those of `-->`.
            let dashes = comment.len() + 2;
            let from = rest.get(rest.len() - dashes..)?;
            rest = from.get(memmem::find(from, b"-->")? + 3..)?;
        } else if is_meta(rest) {
            let mut attributes = Attributes { rest: rest.get(4..)? };
            if let Some(encoding) = meta_encoding(&mut attributes) {
                return Some(encoding);
            }
            rest = attributes.rest;
        } else if is_tag(rest) {
            let end = rest.iter().position(|byte| is_blank(*byte) || *byte == b'>')?;
            let mut attributes = Attributes { rest: rest.get(end..)? };
            while attributes.next().is_some() {}
            rest = attributes.rest;
        } else if matches!(rest.first(), Some(b'!' | b'/' | b'?')) {
            rest = rest.get(memchr(b'>', rest)? + 1..)?;
        }
    }
    None
}

fn is_meta(rest: &[u8]) -> bool {
    rest.get(..4).is_some_and(|name| name.eq_ignore_ascii_case(b"meta"))
        && rest.get(4).is_some_and(|byte| is_blank(*byte) || *byte == b'/')
}

fn is_tag(rest: &[u8]) -> bool {
    let name = rest.strip_prefix(b"/").unwrap_or(rest);
    name.first().is_some_and(u8::is_ascii_alphabetic)
}

/// The encoding that one `meta` names.
fn meta_encoding(attributes: &mut Attributes<'_>) -> Option<&'static Encoding> {
    let mut seen: Vec<Vec<u8>> = Vec::new();
    let mut pragma = false;
    let mut needs_pragma = None;
    let mut charset = None;
    for (name, value) in attributes {
        if seen.contains(&name) {
            continue;
        }
        match name.as_slice() {
            b"http-equiv" => pragma |= value == b"content-type",
            b"content" if needs_pragma.is_none() => {
                if let Some(encoding) = extract(&value) {
                    charset = Some(encoding);
                    needs_pragma = Some(true);
                }
            }
            b"charset" => {
                charset = Encoding::for_label(&value);
                needs_pragma = Some(false);
            }
            _ => {}
        }
        seen.push(name);
    }
    if needs_pragma? && !pragma {
        return None;
    }
    charset.map(as_declared)
}

/// The encoding that a `meta` after those bytes names, in its `charset`, or in its `content` if it is a content-type
/// pragma (HTML 13.2.6.4.4).
pub(crate) fn of_meta(charset: Option<&str>, content_type: Option<&str>) -> Option<&'static Encoding> {
    let named = charset.and_then(|label| Encoding::for_label(label.as_bytes()));
    let extracted = || extract(content_type?.to_ascii_lowercase().as_bytes());
    named.or_else(extracted).map(as_declared)
}

/// A readable declaration is not in UTF-16; `x-user-defined` means windows-1252.
fn as_declared(encoding: &'static Encoding) -> &'static Encoding {
    if encoding == UTF_16BE || encoding == UTF_16LE {
        UTF_8
    } else if encoding == X_USER_DEFINED {
        WINDOWS_1252
    } else {
        encoding
    }
}

/// "Extracting a character encoding from a meta element".
fn extract(content: &[u8]) -> Option<&'static Encoding> {
    let mut rest = content;
    loop {
        // The value is in lower case already.
        let at = memmem::find(rest, b"charset")?;
        rest = rest.get(at + "charset".len()..)?.trim_ascii_start();
        if let Some(value) = rest.strip_prefix(b"=") {
            rest = value.trim_ascii_start();
            break;
        }
    }
    let label = match rest.first()? {
        quote @ (b'"' | b'\'') => {
            let quoted = rest.get(1..)?;
            quoted.get(..memchr(*quote, quoted)?)?
        }
        _ => rest.split(|byte| is_blank(*byte) || *byte == b';').next()?,
    };
    Encoding::for_label(label)
}

/// "Get an XML encoding".
fn xml_declaration(bytes: &[u8]) -> Option<&'static Encoding> {
    let declaration = bytes.strip_prefix(b"<?xml")?;
    let declaration = declaration.get(..memchr(b'>', declaration)?)?;
    let rest = declaration.get(memmem::find(declaration, b"encoding")? + "encoding".len()..)?;
    let rest = trim_controls(rest).strip_prefix(b"=").map(trim_controls)?;
    let quote = rest.first().filter(|byte| matches!(byte, b'"' | b'\''))?;
    let quoted = rest.get(1..)?;
    let label = quoted.get(..memchr(*quote, quoted)?)?;
    if label.iter().any(|byte| *byte <= b' ') {
        return None;
    }
    Encoding::for_label(label).map(as_declared)
}

/// Removes leading bytes up to a space.
fn trim_controls(bytes: &[u8]) -> &[u8] {
    let start = bytes.iter().position(|byte| *byte > b' ').unwrap_or(bytes.len());
    bytes.get(start..).unwrap_or_default()
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\x0c' | b'\r')
}

/// "Get an attribute": names and values in lower case.
struct Attributes<'b> {
    rest: &'b [u8],
}

impl Attributes<'_> {
    fn skip(&mut self, skipped: impl Fn(u8) -> bool) {
        let start = self.rest.iter().position(|byte| !skipped(*byte)).unwrap_or(self.rest.len());
        self.rest = self.rest.get(start..).unwrap_or_default();
    }

    /// Reads bytes up to a terminator; at the end of the bytes, the prescan ends.
    fn until(&mut self, ends: impl Fn(u8) -> bool) -> Option<Vec<u8>> {
        let end = self.rest.iter().position(|byte| ends(*byte)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at_checked(end)?;
        self.rest = rest;
        (!rest.is_empty()).then(|| taken.to_ascii_lowercase())
    }
}

impl Iterator for Attributes<'_> {
    type Item = (Vec<u8>, Vec<u8>);

    fn next(&mut self) -> Option<Self::Item> {
        self.skip(|byte| is_blank(byte) || byte == b'/');
        let first = *self.rest.first()?;
        if first == b'>' {
            return None;
        }
        // A leading `=` belongs to the name.
        let (head, rest) = self.rest.split_at_checked(1)?;
        self.rest = rest;
        let mut name = head.to_ascii_lowercase();
        name.extend(self.until(|byte| is_blank(byte) || matches!(byte, b'/' | b'>' | b'='))?);
        self.skip(is_blank);
        let Some(rest) = self.rest.strip_prefix(b"=") else { return Some((name, Vec::new())) };
        self.rest = rest;
        self.skip(is_blank);
        let quote = *self.rest.first()?;
        if !matches!(quote, b'"' | b'\'') {
            return Some((name, self.until(|byte| is_blank(byte) || byte == b'>')?));
        }
        self.rest = self.rest.get(1..)?;
        let value = self.until(|byte| byte == quote)?;
        self.rest = self.rest.get(1..)?;
        Some((name, value))
    }
}
