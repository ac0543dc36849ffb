//! Decoded text with line numbers, which limits the bytes of one event.

use std::io::{self, BufRead, Read};

use super::charset::Charset;
use super::decoded::Decoded;
use super::faults::Faults;
use super::limits::ReadLimits;
use super::line_ends::LineEnds;
use super::markup_split::{MarkupPrefix, Split};
use crate::Fault;

/// The input of the parsers.
///
/// quick-xml collects each event before it yields it, so a text of 100 MB would be held in memory. Here each event may
/// have [`ReadLimits::markup_bytes`]. After that, markup that can be split is yielded as two events; for other markup
/// the text up to the next `<` is skipped, once, and after the same number of bytes again the document ends.
pub(super) struct Source<R> {
    decoded: Decoded<R>,
    faults: Faults,
    at: usize,
    /// The number of bytes of the chunk whose line ends are included in `line`.
    counted: usize,
    line: u64,
    line_ends: LineEnds,
    event_bytes: usize,
    event_left: usize,
    /// The number of times that the current event was cut.
    cuts: u8,
    passed: MarkupPrefix,
    /// The text to be yielded before the document continues.
    markup_split: &'static [u8],
    /// The number of times that the split of the current event was deferred.
    put_off: usize,
}

/// The number of bytes by which an event may exceed its limit if it cannot be split at once.
const MAX_PUT_OFF: usize = 64;

/// The number of faults that the layers below can report: one of each kind.
const LOW_FAULTS: usize = 16;

impl<R: BufRead> Source<R> {
    pub(super) fn new(input: R, limits: &ReadLimits, served: Option<&str>) -> Self {
        let mut faults = Faults::new(LOW_FAULTS);
        let mut decoded = Decoded::new(input, limits.bytes, served, &mut faults);
        decoded.advance(1, &mut faults);
        let event_bytes = limits.markup_bytes.max(1);
        Self {
            decoded,
            faults,
            at: 0,
            counted: 0,
            line: 1,
            line_ends: LineEnds::default(),
            event_bytes,
            event_left: event_bytes,
            cuts: 0,
            passed: MarkupPrefix::default(),
            markup_split: &[],
            put_off: 0,
        }
    }

    /// The available part of the document: at the beginning, its first window.
    pub(super) fn head(&self) -> &[u8] {
        self.available()
    }

    pub(super) const fn charset(&self) -> &Charset {
        self.decoded.charset()
    }

    /// Returns true if the document ended early, in the input or by a limit.
    pub(super) const fn is_cut(&self) -> bool {
        self.decoded.cut || self.cuts > 1
    }

    /// Returns true if the current event lost a part of its text.
    pub(super) const fn event_was_cut(&self) -> bool {
        self.cuts > 0
    }

    /// The faults of the layers below since the last call.
    pub(super) fn take_faults(&mut self) -> Vec<Fault> {
        if self.faults.as_slice().is_empty() {
            return Vec::new();
        }
        std::mem::replace(&mut self.faults, Faults::new(LOW_FAULTS)).into_sorted().0
    }

    /// Starts an event with its full byte limit.
    pub(super) fn begin_event(&mut self) {
        self.event_left = self.event_bytes;
        (self.passed, self.put_off) = (MarkupPrefix::default(), 0);
        self.cuts = if self.cuts > 1 { 2 } else { 0 };
    }

    /// The line of the next byte. Each byte is counted once, however often this is called.
    pub(super) fn line(&mut self) -> u64 {
        let passed = self.decoded.chunk().get(self.counted..self.at).unwrap_or_default();
        self.line += self.line_ends.count(passed);
        self.counted = self.at;
        self.line
    }

    /// Advances past bytes of `head` that end on this line, but not with its line end.
    pub(super) fn pass(&mut self, length: usize, line: u64) {
        self.at += length;
        (self.counted, self.line, self.line_ends) = (self.at, line, LineEnds::default());
    }

    /// Loads the next chunk if the current one is consumed, unless the document has ended.
    fn refill(&mut self) {
        if self.at >= self.decoded.chunk().len() {
            let line = self.line();
            (self.at, self.counted) = (0, 0);
            self.decoded.advance(line, &mut self.faults);
        }
    }

    /// The rest of the current chunk.
    fn available(&self) -> &[u8] {
        self.decoded.chunk().get(self.at..).unwrap_or_default()
    }

    /// Ends the current event, which has reached its byte limit.
    fn end_allowance(&mut self) {
        match self.passed.parting() {
            Split::With(markup_split) => self.markup_split = markup_split,
            Split::Later if self.put_off < MAX_PUT_OFF => {
                self.put_off += 1;
                self.event_left = 1;
            }
            Split::Later | Split::Never => self.cut(),
        }
    }

    fn cut(&mut self) {
        self.cuts = self.cuts.saturating_add(1);
        if self.cuts == 1 {
            self.skip_text();
        }
        self.event_left = self.event_bytes;
    }

    /// Skips everything up to the next `<`.
    fn skip_text(&mut self) {
        loop {
            self.refill();
            let available = self.available();
            if available.is_empty() {
                return;
            }
            match memchr::memchr(b'<', available) {
                Some(length) => {
                    self.at += length;
                    return;
                }
                None => self.at += available.len(),
            }
        }
    }
}

impl<R: BufRead> BufRead for Source<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.event_left == 0 && self.markup_split.is_empty() {
            self.end_allowance();
        }
        if !self.markup_split.is_empty() {
            return Ok(self.markup_split);
        }
        if self.cuts > 1 {
            return Ok(&[]);
        }
        self.refill();
        let left = self.event_left;
        let available = self.available();
        if available.len() <= left {
            return Ok(available);
        }
        // Cut between characters: the parser expects complete ones.
        let length = (left..).find(|&at| available.get(at).is_none_or(|byte| byte & 0xC0 != 0x80)).unwrap_or(left);
        Ok(available.get(..length).unwrap_or_default())
    }

    fn consume(&mut self, amount: usize) {
        if let Some((markup_split, rest)) =
            self.markup_split.split_at_checked(amount).filter(|(markup_split, _)| !markup_split.is_empty())
        {
            self.passed.note(markup_split);
            self.markup_split = rest;
            return;
        }
        let taken = self.decoded.chunk().get(self.at..self.at + amount).unwrap_or_default();
        self.passed.note(taken);
        self.at += amount;
        self.event_left = self.event_left.saturating_sub(amount);
    }
}

impl<R: BufRead> Read for Source<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.fill_buf()?.read(buffer)?;
        self.consume(length);
        Ok(length)
    }
}
