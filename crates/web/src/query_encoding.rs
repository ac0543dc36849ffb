//! The query in the encoding of the document that contains it (URL standard, percent-encode after encoding).

use encoding_rs::{EncoderResult, Encoding, UTF_8};
use std::borrow::Cow;
use std::fmt::Write as _;

/// The buffer space for each step of the encoder, in octets.
const STEP: usize = 1024;

/// The octets of `query`. A character that the encoding lacks becomes an escaped numeric reference, `%26%2326085%3B`:
/// the URL parser keeps `%` and escapes all other octets that need it.
pub(crate) fn encode<'q>(query: &'q str, encoding: &'static Encoding) -> Cow<'q, [u8]> {
    let encoding = encoding.output_encoding();
    if encoding == UTF_8 || query.is_ascii() && encoding.is_ascii_compatible() {
        return Cow::Borrowed(query.as_bytes());
    }
    let mut encoder = encoding.new_encoder();
    let mut out = Vec::with_capacity(query.len() * 2);
    let mut rest = query;
    loop {
        let mut step = Vec::with_capacity(STEP);
        let (result, read) = encoder.encode_from_utf8_to_vec_without_replacement(rest, &mut step, true);
        out.extend_from_slice(&step);
        rest = rest.get(read..).unwrap_or("");
        match result {
            EncoderResult::InputEmpty => return Cow::Owned(out),
            EncoderResult::OutputFull => {}
            EncoderResult::Unmappable(lacking) => {
                let mut reference = String::new();
                // Writing to a String cannot fail.
                let _ = write!(reference, "%26%23{}%3B", u32::from(lacking));
                out.extend_from_slice(reference.as_bytes());
            }
        }
    }
}
