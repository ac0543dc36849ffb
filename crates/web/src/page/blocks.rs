//! Hashes of the text between block-level tags: what a change of content is seen by.

use super::scan::is_blank;
use siphasher::sip::SipHasher13;
use std::hash::Hasher;

/// Hashes runs of text as they come.
///
/// A block's hash is SipHash-1-3 with a key of zeros over the UTF-8 text between two block-level tags, inline tags and
/// comments left out, references undecoded, each run of ASCII white space one space, none at the ends. It never changes
/// between versions, since records keep it.
#[derive(Debug)]
pub(crate) struct Blocks {
    hashes: Vec<u64>,
    limit: usize,
    hasher: SipHasher13,
    /// Bytes hashed of the current block.
    length: u64,
    blank: bool,
    /// A hash was dropped for the limit.
    pub(crate) cut: bool,
}

impl Blocks {
    pub(crate) fn new(limit: usize) -> Self {
        Blocks { hashes: Vec::new(), limit, hasher: SipHasher13::new(), length: 0, blank: false, cut: false }
    }

    /// Takes a piece of text; gives how many bytes of it count.
    pub(crate) fn text(&mut self, text: &str) -> u64 {
        let before = self.length;
        let mut rest = text.as_bytes();
        while let Some(byte) = rest.first() {
            let blank = is_blank(*byte);
            let run = rest.iter().position(|byte| is_blank(*byte) != blank).unwrap_or(rest.len());
            let Some((run, after)) = rest.split_at_checked(run) else { break };
            if blank {
                self.blank = true;
            } else {
                self.word(run);
            }
            rest = after;
        }
        self.length - before
    }

    fn word(&mut self, word: &[u8]) {
        if self.blank && self.length > 0 {
            self.hasher.write(b" ");
            self.length += 1;
        }
        self.blank = false;
        self.hasher.write(word);
        self.length += word.len() as u64;
    }

    /// Ends the current block; an empty one is none.
    pub(crate) fn end(&mut self) {
        self.blank = false;
        if self.length == 0 {
            return;
        }
        if self.hashes.len() < self.limit {
            self.hashes.push(self.hasher.finish());
        } else {
            self.cut = true;
        }
        self.hasher = SipHasher13::new();
        self.length = 0;
    }

    pub(crate) fn into_hashes(mut self) -> Vec<u64> {
        self.end();
        self.hashes
    }
}
