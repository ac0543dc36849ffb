//! The encoding of a document (HTML 13.2.3.2, "determining the character encoding") and its text.

pub(crate) mod prescan;

use crate::media;
use crate::page::facts::EncodingFrom;
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use std::borrow::Cow;

/// The maximum number of bytes used for detection.
const DETECTED: usize = 1 << 20;

/// The number of ASCII bytes before the first non-ASCII byte that are used for detection too.
const CONTEXT: usize = 1 << 10;

/// A document's bytes as text.
#[derive(Debug, Clone)]
pub struct Decoded<'a> {
    /// The text, without its byte-order mark.
    pub text: Cow<'a, str>,
    /// The encoding that the bytes were decoded in.
    pub encoding: &'static Encoding,
    /// The source of the encoding. An XML declaration counts as `meta`.
    pub from: EncodingFrom,
    /// Some bytes were malformed in that encoding and became U+FFFD.
    pub had_errors: bool,
}

/// Decodes a document by its byte-order mark, else the charset of its `Content-Type`, else a `meta` (of HTML) or an XML
/// declaration in its first 1,024 bytes, else by detection; XML without any of these is UTF-8.
#[must_use]
pub fn decode<'a>(bytes: &'a [u8], content_type: Option<&str>) -> Decoded<'a> {
    let (encoding, from) = determine(bytes, content_type);
    decode_as(bytes, encoding, from)
}

/// Decodes a document whose encoding is known.
pub(crate) fn decode_as<'a>(bytes: &'a [u8], encoding: &'static Encoding, from: EncodingFrom) -> Decoded<'a> {
    let (text, had_errors) = encoding.decode_with_bom_removal(bytes);
    Decoded { text, encoding, from, had_errors }
}

fn determine(bytes: &[u8], content_type: Option<&str>) -> (&'static Encoding, EncodingFrom) {
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return (encoding, EncodingFrom::Bom);
    }
    let label = content_type.and_then(media::charset);
    if let Some(encoding) = label.and_then(|label| Encoding::for_label(label.as_bytes())) {
        return (encoding, EncodingFrom::Header);
    }
    let is_xml = content_type.and_then(media::essence).is_some_and(|essence| essence.ends_with("+xml"));
    if let Some(encoding) = prescan::encoding(bytes, !is_xml) {
        return (encoding, EncodingFrom::Meta);
    }
    (if is_xml { UTF_8 } else { detect(bytes) }, EncodingFrom::Detected)
}

/// Guesses from the bytes. Valid UTF-8 beyond ASCII is UTF-8; without any evidence the result is windows-1252, as in
/// browsers.
fn detect(bytes: &[u8]) -> &'static Encoding {
    let ascii = Encoding::ascii_valid_up_to(bytes);
    if ascii < bytes.len() && Encoding::utf8_valid_up_to(bytes) == bytes.len() {
        return UTF_8;
    }
    let rest = bytes.get(ascii.saturating_sub(CONTEXT)..).unwrap_or(bytes);
    // ISO-2022-JP is ASCII with escapes: in pure ASCII, the escapes may be anywhere.
    let rest = if ascii == bytes.len() { bytes } else { rest };
    let looked_at = rest.get(..DETECTED).unwrap_or(rest);
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(looked_at, looked_at.len() == rest.len());
    let guess = detector.guess(None, Utf8Detection::Allow);
    if guess == UTF_8 && ascii == bytes.len() { WINDOWS_1252 } else { guess }
}
