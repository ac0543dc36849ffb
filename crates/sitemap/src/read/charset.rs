//! The detection of a document's encoding (XML 1.0, 4.3.3 and appendix F).

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

use super::faults::shortened;

/// The number of bytes at the start that are searched for an XML declaration.
const DECLARATION_BYTES: usize = 1024;

/// The encoding of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Charset {
    pub(super) encoding: &'static Encoding,
    /// The declared or served name, if that decided; an encoding has several names.
    label: Option<String>,
    /// The name is unknown to every standard.
    pub(super) unknown: bool,
    /// The declared name if the bytes are in another encoding: a fatal error unless the server states the encoding (XML
    /// 1.0, 4.3.3).
    pub(super) misdeclared: Option<String>,
    /// The server stated the encoding, and the document does not contradict: its declaration, if it has one, names
    /// UTF-8.
    pub(super) served: bool,
}

impl Charset {
    /// The name for messages.
    pub(super) fn name(&self) -> String {
        self.label.as_deref().map_or_else(|| self.encoding.name().to_owned(), shortened)
    }

    const fn known(encoding: &'static Encoding) -> Self {
        Self { encoding, label: None, unknown: false, misdeclared: None, served: false }
    }
}

/// Decides by the byte-order mark, then by the `charset` that XML was served with (RFC 7303, 3.2), then by the pattern
/// of ASCII in UTF-16, then by the declaration; otherwise UTF-8.
pub(super) fn sniff(head: &[u8], served: Option<&str>) -> Charset {
    if let Some((encoding, mark)) = Encoding::for_bom(head) {
        return seen(encoding, head.get(mark..).unwrap_or_default(), served);
    }
    let of_server = served.filter(|_| head.trim_ascii_start().starts_with(b"<")).and_then(|label| {
        let encoding = Encoding::for_label(label.as_bytes()).filter(|encoding| !is_utf_16(encoding))?;
        Some(Charset { label: Some(label.to_owned()), served: !declares_another(head), ..Charset::known(encoding) })
    });
    if let Some(charset) = of_server {
        return charset;
    }
    match head {
        [0, second, ..] if *second != 0 => return seen(UTF_16BE, head, served),
        [first, 0, ..] if *first != 0 => return seen(UTF_16LE, head, served),
        _ => {}
    }
    let Some(label) = declared(head) else { return Charset::known(UTF_8) };
    match Encoding::for_label(label.as_bytes()) {
        // A declaration that is readable as ASCII is not in UTF-16.
        Some(encoding) if is_utf_16(encoding) => Charset { misdeclared: Some(label), ..Charset::known(UTF_8) },
        Some(encoding) => Charset { label: Some(label), ..Charset::known(encoding) },
        None => Charset { label: Some(label), unknown: true, ..Charset::known(UTF_8) },
    }
}

/// The encoding that the bytes show, with a contradicting declaration in `text`, unless the server agrees with the
/// bytes.
fn seen(encoding: &'static Encoding, text: &[u8], served: Option<&str>) -> Charset {
    // The label `utf-16` stands for both byte orders.
    let is_it = |label: &str| {
        let named = Encoding::for_label(label.as_bytes());
        named.is_some_and(|named| named == encoding || is_utf_16(named) && is_utf_16(encoding))
    };
    let misdeclared = if is_utf_16(encoding) { declared(&as_ascii(text)) } else { declared(text) };
    let misdeclared = misdeclared.filter(|label| !is_it(label) && !served.is_some_and(is_it));
    Charset { misdeclared, ..Charset::known(encoding) }
}

/// The ASCII characters at the beginning of a UTF-16 text.
fn as_ascii(text: &[u8]) -> Vec<u8> {
    text.iter().copied().filter(|byte| *byte != 0).take(DECLARATION_BYTES).collect()
}

fn is_utf_16(encoding: &'static Encoding) -> bool {
    encoding == UTF_16LE || encoding == UTF_16BE
}

/// Returns true if the document declares another encoding than UTF-8. UTF-16 is excluded, because it could not be read
/// as ASCII.
fn declares_another(head: &[u8]) -> bool {
    let is_utf_8 = |label: String| {
        Encoding::for_label(label.as_bytes()).is_some_and(|encoding| encoding == UTF_8 || is_utf_16(encoding))
    };
    declared(head).is_some_and(|label| !is_utf_8(label))
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

    fn sniff(head: &[u8]) -> Charset {
        super::sniff(head, None)
    }

    fn sniff_served(head: &[u8], label: &str) -> &'static Encoding {
        super::sniff(head, Some(label)).encoding
    }

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
    fn a_declaration_that_the_bytes_belie_is_noted() {
        let belied = |head: &[u8]| sniff(head).misdeclared;
        let declaring = |label: &str| format!("<?xml version='1.0' encoding='{label}'?>");
        let marked = |label: &str| format!("\u{FEFF}{}", declaring(label));
        let wide = |label: &str| declaring(label).encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
        for label in ["UTF-16", "utf-16be", "UTF-16LE", "ISO-10646-UCS-2"] {
            assert_eq!(belied(declaring(label).as_bytes()).as_deref(), Some(label));
            assert_eq!(belied(marked(label).as_bytes()).as_deref(), Some(label));
            assert_eq!(belied(&wide(label)), None, "{label}");
        }
        for label in ["ISO-8859-1", "US-ASCII", "klingon"] {
            assert_eq!(belied(marked(label).as_bytes()).as_deref(), Some(label));
            assert_eq!(belied(&wide(label)).as_deref(), Some(label));
        }
        for label in ["UTF-8", "utf-8", "Utf8"] {
            assert_eq!(belied(marked(label).as_bytes()), None, "{label}");
            assert_eq!(belied(declaring(label).as_bytes()), None, "{label}");
        }
        assert_eq!(
            super::sniff(marked("US-ASCII").as_bytes(), Some("utf-8")).misdeclared,
            None,
            "the server says so too"
        );
    }

    #[test]
    fn an_unknown_name_is_reported_and_read_as_utf_8() {
        let charset = sniff(b"<?xml version='1.0' encoding='klingon'?>");
        assert_eq!((charset.encoding, charset.unknown, charset.name()), (UTF_8, true, "klingon".to_owned()));
    }

    #[test]
    fn an_encoding_is_called_as_it_was_declared() {
        assert_eq!(sniff(b"<?xml version='1.0' encoding='US-ASCII'?>").name(), "US-ASCII");
        assert_eq!(sniff(b"<\0?\0x\0").name(), "UTF-16LE");
    }

    #[test]
    fn what_xml_is_served_as_outranks_the_declaration_and_not_the_mark() {
        assert_eq!(sniff_served(b"<urlset>", "iso-8859-1"), WINDOWS_1252);
        assert_eq!(sniff_served(b"<?xml version='1.0' encoding='UTF-8'?>", "Shift_JIS"), SHIFT_JIS);
        assert_eq!(sniff_served(b"\xEF\xBB\xBF<urlset>", "iso-8859-1"), UTF_8);
        assert_eq!(sniff_served(b"<?xml version='1.0' encoding='Shift_JIS'?>", "klingon"), SHIFT_JIS);
        assert_eq!(sniff_served(b"<urlset>", "utf-16"), UTF_8);
        assert_eq!(sniff_served(b"http://a.example/", "iso-8859-1"), UTF_8, "text is in UTF-8");
    }
}
