//! Decoded text with a line number, handed out so that nobody above can take too much at once.

use std::io::{self, BufRead, Read};

use super::charset::Charset;
use super::decoded::Decoded;
use super::faults::Faults;
use super::limits::ReadLimits;
use super::line_ends::LineEnds;
use super::seam::{Parting, Passed};
use crate::Fault;

/// What the parsers read from.
///
/// quick-xml gathers each event whole before it hands it over, so a text of 100 MB would be held as 100 MB. Here each
/// event may take [`ReadLimits::markup_bytes`]. Then what can be parted is handed out as two events; of anything else
/// everything up to the next `<` is skipped, once, and after as many bytes again the document ends.
pub(super) struct Source<R> {
    decoded: Decoded<R>,
    faults: Faults,
    at: usize,
    /// Bytes of the chunk whose line ends are counted in `line`.
    counted: usize,
    line: u64,
    line_ends: LineEnds,
    event_bytes: usize,
    event_left: usize,
    /// How often the present event was cut.
    cuts: u8,
    passed: Passed,
    /// What is handed out before the document goes on.
    seam: &'static [u8],
    /// How often parting the present event was put off.
    put_off: usize,
}

/// Bytes that an event may have beyond its allowance where it cannot be parted at once.
const MOST_PUT_OFF: usize = 64;

/// Faults that the layers below can raise: one of each kind.
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
            passed: Passed::default(),
            seam: &[],
            put_off: 0,
        }
    }

    /// What is at hand of the document: at the beginning its first window.
    pub(super) fn head(&self) -> &[u8] {
        self.available()
    }

    pub(super) const fn charset(&self) -> &Charset {
        self.decoded.charset()
    }

    /// Whether the document ended before its time, in the input or by a limit.
    pub(super) const fn is_cut(&self) -> bool {
        self.decoded.cut || self.cuts > 1
    }

    /// Whether the present event lost some of its text.
    pub(super) const fn event_was_cut(&self) -> bool {
        self.cuts > 0
    }

    /// What the layers below found since the last call.
    pub(super) fn take_faults(&mut self) -> Vec<Fault> {
        if self.faults.as_slice().is_empty() {
            return Vec::new();
        }
        std::mem::replace(&mut self.faults, Faults::new(LOW_FAULTS)).into_sorted().0
    }

    /// A new event begins: its allowance is whole again.
    pub(super) fn begin_event(&mut self) {
        self.event_left = self.event_bytes;
        (self.passed, self.put_off) = (Passed::default(), 0);
        self.cuts = if self.cuts > 1 { 2 } else { 0 };
    }

    /// The line of the next byte. Each byte is looked at once, however often this is asked.
    pub(super) fn line(&mut self) -> u64 {
        let passed = self.decoded.chunk().get(self.counted..self.at).unwrap_or_default();
        self.line += self.line_ends.count(passed);
        self.counted = self.at;
        self.line
    }

    /// Goes on past bytes of `head` that end on this line, not with the line itself.
    pub(super) fn pass(&mut self, length: usize, line: u64) {
        self.at += length;
        (self.counted, self.line, self.line_ends) = (self.at, line, LineEnds::default());
    }

    /// Sees to it that something of the document is at hand, unless it is over.
    fn refill(&mut self) {
        if self.at >= self.decoded.chunk().len() {
            let line = self.line();
            (self.at, self.counted) = (0, 0);
            self.decoded.advance(line, &mut self.faults);
        }
    }

    /// The rest of the present chunk.
    fn available(&self) -> &[u8] {
        self.decoded.chunk().get(self.at..).unwrap_or_default()
    }

    /// The present event has taken all it may.
    fn end_allowance(&mut self) {
        match self.passed.parting() {
            Parting::With(seam) => self.seam = seam,
            Parting::Later if self.put_off < MOST_PUT_OFF => {
                self.put_off += 1;
                self.event_left = 1;
            }
            Parting::Later | Parting::Never => self.cut(),
        }
    }

    fn cut(&mut self) {
        self.cuts = self.cuts.saturating_add(1);
        if self.cuts == 1 {
            self.skip_text();
        }
        self.event_left = self.event_bytes;
    }

    /// Passes over everything up to the next `<`.
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
        if self.event_left == 0 && self.seam.is_empty() {
            self.end_allowance();
        }
        if !self.seam.is_empty() {
            return Ok(self.seam);
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
        // Cut between characters: the parser takes what it gets for whole ones.
        let length = (left..).find(|&at| available.get(at).is_none_or(|byte| byte & 0xC0 != 0x80)).unwrap_or(left);
        Ok(available.get(..length).unwrap_or_default())
    }

    fn consume(&mut self, amount: usize) {
        if let Some((seam, rest)) = self.seam.split_at_checked(amount).filter(|(seam, _)| !seam.is_empty()) {
            self.passed.note(seam);
            self.seam = rest;
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
