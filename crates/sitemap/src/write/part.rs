//! One sitemap during writing.

use std::io::{self, BufWriter, Write};

use flate2::Compression;
use flate2::write::GzEncoder;

use super::format::Format;
use super::hash::{ContentHash, IncrementalHash};
use super::markup;
use super::options::SeriesLimits;

/// The number of bytes buffered before they are written to the file.
const WRITE_BUFFER: usize = 64 * 1024;

/// The zlib level. Level 6 takes 50 % longer and saves 10 % of the bytes.
const GZIP_LEVEL: u32 = 5;

/// A file with optional compression.
pub(super) enum Sink<W: Write> {
    Plain(BufWriter<W>),
    /// Buffered before the compression, because each call of it is expensive.
    Packed(Box<BufWriter<GzEncoder<W>>>),
}

impl<W: Write> Sink<W> {
    pub(super) fn plain(file: W) -> Self {
        Self::Plain(BufWriter::with_capacity(WRITE_BUFFER, file))
    }

    /// gzip without time stamp and file name: the same entries produce the same bytes.
    pub(super) fn packed(file: W) -> Self {
        let packed = GzEncoder::new(file, Compression::new(GZIP_LEVEL));
        Self::Packed(Box::new(BufWriter::with_capacity(WRITE_BUFFER, packed)))
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Plain(file) => file.write_all(bytes),
            Self::Packed(file) => file.write_all(bytes),
        }
    }

    /// Ends the compression and returns the file.
    pub(super) fn finish(self) -> io::Result<W> {
        match self {
            Self::Plain(file) => file.into_inner().map_err(io::IntoInnerError::into_error),
            Self::Packed(file) => file.into_inner().map_err(io::IntoInnerError::into_error)?.finish(),
        }
    }
}

/// Counts and hash of a sitemap's content during writing.
pub(super) struct PartCounts {
    pub(super) urls: u64,
    /// The size so far, including the head but not the closing tag.
    bytes: u64,
    hash: IncrementalHash,
    pub(super) first_loc: String,
    pub(super) last_loc: String,
    format: Format,
}

impl PartCounts {
    /// The counts of a sitemap that consists of its head.
    pub(super) fn new(format: Format) -> Self {
        let head = markup::head(format).as_bytes();
        let mut hash = IncrementalHash::default();
        hash.update(head);
        Self { urls: 0, bytes: head.len() as u64, hash, first_loc: String::new(), last_loc: String::new(), format }
    }

    /// Returns true if a line of this length still fits, with the closing tag after it.
    pub(super) fn takes(&self, line: usize, limits: &SeriesLimits) -> bool {
        let tail = markup::tail(self.format).len() as u64;
        self.urls < limits.urls as u64 && self.bytes + line as u64 + tail <= limits.bytes
    }

    pub(super) fn count(&mut self, line: &[u8], loc: &str) {
        if self.urls == 0 {
            self.first_loc.push_str(loc);
        }
        self.last_loc.clear();
        self.last_loc.push_str(loc);
        self.urls += 1;
        self.bytes += line.len() as u64;
        self.hash.update(line);
    }

    /// The size and hash of the complete sitemap, including the closing tag.
    pub(super) fn close(&mut self) -> (u64, ContentHash) {
        let tail = markup::tail(self.format).as_bytes();
        self.hash.update(tail);
        (self.bytes + tail.len() as u64, self.hash.finish())
    }
}
