//! Decodes the document into UTF-8, chunk by chunk.

use std::io::{self, BufRead};

use encoding_rs::{CoderResult, Decoder, UTF_8};

use super::charset::{self, Charset};
use super::faults::{Faults, quoted};
use super::line_ends::LineEnds;
use super::unpacked::{MAX_MEMBERS, Rest, Unpacked};
use crate::{CheckRule, MAX_BYTES};

/// The number of bytes that are read, sniffed and decoded at once.
const WINDOW: usize = 64 * 1024;

/// The replacement for bytes that are invalid in the encoding.
const REPLACEMENT: &[u8] = "\u{FFFD}".as_bytes();

/// Decodes into chunks of complete characters. An error of the layers below ends the document with a fault.
pub(super) struct Decoded<R> {
    bytes: Unpacked<R>,
    decoder: Decoder,
    charset: Charset,
    raw: Box<[u8]>,
    /// The number of bytes in `raw`, and of those already decoded.
    filled: usize,
    used: usize,
    text: Vec<u8>,
    /// The end of the previous chunk.
    ends_before: LineEnds,
    /// The number of bytes that may still be read.
    left: u64,
    limit: u64,
    input_ended: bool,
    decoder_ended: bool,
    /// The document ended early.
    pub(super) cut: bool,
    said_malformed: bool,
    said_forbidden: bool,
    said_foreign: bool,
}

impl<R: BufRead> Decoded<R> {
    /// Reads the first window and decides on the encoding.
    pub(super) fn new(input: R, limit: u64, served: Option<&str>, faults: &mut Faults) -> Self {
        let mut decoded = Self {
            bytes: Unpacked::new(input),
            decoder: UTF_8.new_decoder_with_bom_removal(),
            charset: charset::sniff(b"", None),
            raw: vec![0; WINDOW].into_boxed_slice(),
            filled: 0,
            used: 0,
            text: Vec::new(),
            ends_before: LineEnds::default(),
            left: limit,
            limit,
            input_ended: false,
            decoder_ended: false,
            cut: false,
            said_malformed: false,
            said_forbidden: false,
            said_foreign: false,
        };
        if let Err(error) = decoded.bytes.sniff() {
            decoded.fail(&error, 1, faults);
        }
        decoded.fill(1, faults);
        let charset = charset::sniff(decoded.raw.get(..decoded.filled).unwrap_or_default(), served);
        if charset.unknown {
            faults.add(1, CheckRule::Encoding, || format!("the declared encoding \"{}\" is unknown", charset.name()));
        }
        if let Some(declared) = &charset.misdeclared {
            faults.add(1, CheckRule::Encoding, || {
                format!("the declared encoding {} is not that of the bytes, {}", quoted(declared), charset.name())
            });
        }
        decoded.decoder = charset.encoding.new_decoder_with_bom_removal();
        decoded.charset = charset;
        let room = decoded.decoder.max_utf8_buffer_length(WINDOW).unwrap_or(WINDOW * 3);
        decoded.text.reserve_exact(room);
        decoded
    }

    pub(super) const fn charset(&self) -> &Charset {
        &self.charset
    }

    /// The current chunk.
    pub(super) fn chunk(&self) -> &[u8] {
        &self.text
    }

    /// Advances to the next chunk; `false` at the end. `line` is the line on which that chunk begins.
    pub(super) fn advance(&mut self, line: u64, faults: &mut Faults) -> bool {
        self.ends_before = LineEnds::after(&self.text);
        loop {
            self.text.clear();
            if self.decoder_ended {
                return false;
            }
            if self.used == self.filled && !self.input_ended {
                self.fill(line, faults);
            }
            self.decode(line, faults);
            if !self.text.is_empty() {
                self.scan(line, faults);
                return true;
            }
        }
    }

    fn decode(&mut self, line: u64, faults: &mut Faults) {
        self.text.resize(self.text.capacity(), 0);
        let raw = self.raw.get(self.used..self.filled).unwrap_or_default();
        let (result, read, written, malformed) = self.decoder.decode_to_utf8(raw, &mut self.text, self.input_ended);
        self.text.truncate(written);
        self.used += read;
        self.decoder_ended = self.input_ended && result == CoderResult::InputEmpty;
        if malformed && !self.said_malformed {
            self.said_malformed = true;
            let at = line + self.lines_before(memchr::memmem::find(&self.text, REPLACEMENT));
            let name = self.charset.name();
            faults.add(at, CheckRule::Encoding, || format!("there are bytes that are not {name}"));
        }
    }

    /// Reads until the window is full or the input ends.
    fn fill(&mut self, line: u64, faults: &mut Faults) {
        (self.filled, self.used) = (0, 0);
        while !self.input_ended {
            // One byte over the limit shows if there is more input.
            let room = usize::try_from(self.left.saturating_add(1)).unwrap_or(usize::MAX);
            let free = self.raw.get_mut(self.filled..).unwrap_or_default();
            let length = free.len().min(room);
            if length == 0 {
                return;
            }
            match self.bytes.read(free.get_mut(..length).unwrap_or_default()) {
                Ok(0) => self.end(line, faults),
                Ok(read) if read as u64 > self.left => {
                    self.filled += self.left as usize;
                    self.overflow(line, faults);
                }
                Ok(read) => {
                    self.filled += read;
                    self.left -= read as u64;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => self.fail(&error, line, faults),
            }
        }
    }

    fn end(&mut self, line: u64, faults: &mut Faults) {
        self.input_ended = true;
        match self.bytes.rest {
            Some(Rest::Junk) => {
                faults.add(line, CheckRule::Gzip, || "bytes that are not gzip follow the gzip data".to_owned());
            }
            Some(Rest::Members) => {
                self.cut = true;
                faults.add(line, CheckRule::ReaderLimit, || {
                    format!("the gzip data has more than {MAX_MEMBERS} members; the rest is not read")
                });
            }
            None => {}
        }
    }

    fn overflow(&mut self, line: u64, faults: &mut Faults) {
        (self.input_ended, self.cut, self.left) = (true, true, 0);
        let limit = self.limit;
        let rule = if limit >= MAX_BYTES { CheckRule::TooLarge } else { CheckRule::ReaderLimit };
        faults
            .add(line, rule, || format!("the document has more than {limit} bytes uncompressed; the rest is not read"));
    }

    fn fail(&mut self, error: &io::Error, line: u64, faults: &mut Faults) {
        (self.input_ended, self.cut) = (true, true);
        let of_gzip = matches!(
            error.kind(),
            io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput
        );
        match error.kind() {
            io::ErrorKind::UnexpectedEof if self.bytes.is_packed() => {
                faults.add(line, CheckRule::Gzip, || "the gzip data is truncated: it ends in the middle".to_owned());
            }
            _ if of_gzip && self.bytes.is_packed() => {
                faults.add(line, CheckRule::Gzip, || format!("the gzip data is corrupt: {error}"));
            }
            _ => faults.add(line, CheckRule::Unreadable, || format!("reading failed: {error}")),
        }
    }

    /// Finds characters that no document may contain, in one fast pass.
    fn scan(&mut self, line: u64, faults: &mut Faults) {
        self.scan_foreign(line, faults);
        if self.said_forbidden {
            return;
        }
        let at = if self.text.iter().fold(false, |found, byte| found | is_forbidden(*byte)) {
            self.text.iter().position(|byte| is_forbidden(*byte))
        } else {
            memchr::memchr_iter(0xEF, &self.text).find(|at| self.is_noncharacter(*at))
        };
        let Some(at) = at else { return };
        self.said_forbidden = true;
        let found = self.text.get(at..).map(String::from_utf8_lossy).and_then(|rest| rest.chars().next());
        let code = u32::from(found.unwrap_or_default());
        let line = line + self.lines_before(Some(at));
        faults.add(line, CheckRule::ForbiddenCharacter, || {
            format!("there is a control character or noncharacter, U+{code:04X}")
        });
    }

    /// The number of lines of the current chunk that end before this position.
    fn lines_before(&self, at: Option<usize>) -> u64 {
        let before = at.and_then(|at| self.text.get(..at)).unwrap_or_default();
        let mut ends = self.ends_before;
        ends.count(before)
    }

    /// U+FFFE and U+FFFF: together with control characters and surrogates, these are all that XML excludes (XML 1.0,
    /// 2.2).
    fn is_noncharacter(&self, at: usize) -> bool {
        matches!(self.text.get(at..at + 3), Some([0xEF, 0xBF, 0xBE | 0xBF]))
    }

    /// Reports the first non-ASCII character if the server states another encoding than UTF-8.
    fn scan_foreign(&mut self, line: u64, faults: &mut Faults) {
        let foreign = self.charset.served && self.charset.encoding != UTF_8;
        if self.said_foreign || !foreign || self.text.is_ascii() {
            return;
        }
        self.said_foreign = true;
        let at = self.text.iter().position(|byte| !byte.is_ascii());
        let name = self.charset.name();
        faults.add(line + self.lines_before(at), CheckRule::Encoding, || {
            format!("the encoding is {name} by its Content-Type, not UTF-8")
        });
    }
}

/// Without branches, so that the loop is vectorized.
const fn is_forbidden(byte: u8) -> bool {
    (byte < 0x20) & (byte != b'\t') & (byte != b'\n') & (byte != b'\r')
}
