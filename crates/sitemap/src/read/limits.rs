//! The limits of a reader.

use crate::MAX_BYTES;

/// The maximum cost of one document. Memory stays within a few times `markup_bytes` for any document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadLimits {
    /// Bytes after decompression and before decoding; reading stops there. 52,428,800 by default.
    pub bytes: u64,
    /// Entries; reading stops at this number. 1,000,000 by default, far beyond the protocol's 50,000.
    pub entries: u64,
    /// Open elements; reading stops at a deeper one. 65,536 by default: each costs only its name, and all names
    /// together are limited by [`markup_bytes`](Self::markup_bytes).
    pub depth: usize,
    /// Bytes of one text, such as a `loc` or a line of a text sitemap; an entry whose text is longer is dropped.
    /// 8 KiB by default.
    pub text_bytes: usize,
    /// Bytes of one piece of markup or text that are held at once. Longer comments, processing instructions and CDATA
    /// sections are read in parts, longer text is skipped up to the next tag, and other longer markup ends the reading.
    /// 1 MiB by default.
    pub markup_bytes: usize,
    /// Bytes of one start tag with its attributes; reading stops at a longer one. 64 KiB by default.
    pub attribute_bytes: usize,
    /// Namespace prefixes in scope at once; further ones are unknown. 256 by default.
    pub prefixes: usize,
    /// Faults of each rule that are kept; further ones are only counted. 1,000 by default.
    pub faults: usize,
}

impl Default for ReadLimits {
    fn default() -> Self {
        Self {
            bytes: MAX_BYTES,
            entries: 1_000_000,
            depth: 64 * 1024,
            text_bytes: 8 * 1024,
            markup_bytes: 1024 * 1024,
            attribute_bytes: 64 * 1024,
            prefixes: 256,
            faults: 1_000,
        }
    }
}
