//! Which encoding a document is in (XML 1.0, 4.3.3 and appendix F).

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// Bytes at the start in which an XML declaration is looked for.
const DECLARATION_BYTES: usize = 1024;

/// The encoding of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Charset {
    pub(super) encoding: &'static Encoding,
    /// A declared name that no standard knows.
    pub(super) unknown: Option<String>,
}

/// Decides by the byte-order mark, then by how ASCII would look in UTF-16, then by the declaration; UTF-8 otherwise.
pub(super) fn sniff(head: &[u8]) -> Charset {
    let known = |encoding| Charset { encoding, unknown: None };
    if let Some((encoding, _)) = Encoding::for_bom(head) {
        return known(encoding);
    }
    match head {
        [0, second, ..] if *second != 0 => return known(UTF_16BE),
        [first, 0, ..] if *first != 0 => return known(UTF_16LE),
        _ => {}
    }
    let Some(label) = declared(head) else { return known(UTF_8) };
    match Encoding::for_label(label.as_bytes()) {
        // Whoever could read the declaration as ASCII is not looking at UTF-16.
        Some(encoding) if encoding == UTF_16LE || encoding == UTF_16BE => known(UTF_8),
        Some(encoding) => known(encoding),
        None => Charset { encoding: UTF_8, unknown: Some(label) },
    }
}

/// The name in `<?xml … encoding="…"?>`.
fn declared(head: &[u8]) -> Option<String> {
    let head = head.get(..DECLARATION_BYTES).unwrap_or(head);
    let blanks = head.iter().take_while(|b| b.is_ascii_whitespace()).count();
    let declaration = head.get(blanks..)?.strip_prefix(b"<?xml")?;
    let end = memchr::memmem::find(declaration, b"?>")?;
    let declaration = declaration.get(..end)?;
    let at = memchr::memmem::find(declaration, b"encoding")?;
    let rest = declaration.get(at + b"encoding".len()..)?.trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let (quote, rest) = rest.split_first()?;
    if !matches!(quote, b'"' | b'\'') {
        return None;
    }
    let name = rest.split(|byte| byte == quote).next()?;
    Some(String::from_utf8_lossy(name).into_owned())
}

#[cfg(test)]
mod tests {
    use encoding_rs::{SHIFT_JIS, WINDOWS_1252};

    use super::*;

    #[test]
    fn a_mark_outranks_the_declaration() {
        assert_eq!(sniff(b"\xEF\xBB\xBF<?xml version='1.0' encoding='Shift_JIS'?>").encoding, UTF_8);
        assert_eq!(sniff(b"\xFF\xFE<\0?\0").encoding, UTF_16LE);
    }

    #[test]
    fn utf_16_is_known_without_a_mark() {
        assert_eq!(sniff(b"<\0?\0x\0").encoding, UTF_16LE);
        assert_eq!(sniff(b"\0<\0?\0x").encoding, UTF_16BE);
    }

    #[test]
    fn the_declaration_is_read_with_either_quote_and_blanks() {
        assert_eq!(sniff(b"<?xml version=\"1.0\" encoding = 'iso-8859-1' ?>").encoding, WINDOWS_1252);
        assert_eq!(sniff(b"\n <?xml version='1.0' encoding=\"Shift_JIS\"?>").encoding, SHIFT_JIS);
        assert_eq!(sniff(b"<urlset encoding='Shift_JIS'>").encoding, UTF_8);
    }

    #[test]
    fn a_declaration_in_ascii_cannot_mean_utf_16() {
        assert_eq!(sniff(b"<?xml version='1.0' encoding='UTF-16'?>").encoding, UTF_8);
    }

    #[test]
    fn an_unknown_name_is_told_and_read_as_utf_8() {
        let charset = sniff(b"<?xml version='1.0' encoding='klingon'?>");
        assert_eq!((charset.encoding, charset.unknown.as_deref()), (UTF_8, Some("klingon")));
    }
}
