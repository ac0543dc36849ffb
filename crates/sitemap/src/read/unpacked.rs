//! gzip, recognized by its first bytes under any file name.

use std::io::{self, BufRead, Read};
use std::mem;

use flate2::bufread::GzDecoder;

const MAGIC: [u8; 2] = [0x1F, 0x8B];

/// The maximum number of members of one gzip file; some writers create one for each flush, but none creates this many.
pub(super) const MAX_MEMBERS: usize = 10_000;

/// The bytes of a document, decompressed if they are compressed.
pub(super) struct Unpacked<R> {
    state: State<R>,
    members: usize,
    /// The unread data after the last member.
    pub(super) rest: Option<Rest>,
}

/// The kind of data after the gzip members that were read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rest {
    /// Bytes that are neither gzip nor padding.
    Junk,
    /// More members than the limit.
    Members,
}

enum State<R> {
    Plain(Peeked<R>),
    Packed(Box<GzDecoder<Peeked<R>>>),
    Ended,
}

impl<R: BufRead> Unpacked<R> {
    pub(super) fn new(input: R) -> Self {
        Self { state: State::Plain(Peeked { head: Vec::new(), at: 0, input }), members: 0, rest: None }
    }

    /// Returns true if the document is compressed; known after the first read.
    pub(super) const fn is_packed(&self) -> bool {
        self.members > 0
    }

    /// Checks the first bytes; call it once, before reading.
    pub(super) fn sniff(&mut self) -> io::Result<()> {
        if let State::Plain(input) = &mut self.state
            && input.peek()? == MAGIC
        {
            self.begin_member()?;
        }
        Ok(())
    }

    pub(super) fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match &mut self.state {
                State::Plain(input) => return input.read(buffer),
                State::Ended => return Ok(0),
                State::Packed(member) => {
                    let length = member.read(buffer)?;
                    if length > 0 || buffer.is_empty() {
                        return Ok(length);
                    }
                }
            }
            self.begin_member()?;
        }
    }

    /// Starts the next member, or ends the document if there is none.
    fn begin_member(&mut self) -> io::Result<()> {
        let mut input = match mem::replace(&mut self.state, State::Ended) {
            State::Plain(input) => input,
            State::Packed(member) => member.into_inner(),
            State::Ended => return Ok(()),
        };
        match input.peek()? {
            head if head == MAGIC && self.members >= MAX_MEMBERS => self.rest = Some(Rest::Members),
            head if head == MAGIC => {
                self.members += 1;
                self.state = State::Packed(Box::new(GzDecoder::new(input)));
            }
            // tar and tapes pad with zeros, which gzip itself skips.
            [] | [0, ..] => {}
            _ => self.rest = Some(Rest::Junk),
        }
        Ok(())
    }
}

/// A reader with lookahead.
struct Peeked<R> {
    head: Vec<u8>,
    at: usize,
    input: R,
}

impl<R: BufRead> Peeked<R> {
    /// The next two bytes, fewer only at the end.
    fn peek(&mut self) -> io::Result<&[u8]> {
        self.head.drain(..self.at.min(self.head.len()));
        self.at = 0;
        while self.head.len() < MAGIC.len() {
            let byte = match self.input.fill_buf() {
                Ok(bytes) => bytes.first().copied(),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let Some(byte) = byte else { break };
            self.input.consume(1);
            self.head.push(byte);
        }
        Ok(&self.head)
    }
}

impl<R: BufRead> Read for Peeked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.fill_buf()?.read(buffer)?;
        self.consume(length);
        Ok(length)
    }
}

impl<R: BufRead> BufRead for Peeked<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        match self.head.get(self.at..) {
            Some(head) if !head.is_empty() => Ok(head),
            _ => self.input.fill_buf(),
        }
    }

    fn consume(&mut self, amount: usize) {
        if self.at < self.head.len() {
            self.at += amount;
        } else {
            self.input.consume(amount);
        }
    }
}
