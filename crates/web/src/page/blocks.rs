//! Hashes of the text between block-level tags: what a change of content is seen by.

use super::scan::is_blank;
use xxhash_rust::xxh3::xxh3_64;

/// Hashes runs of text as they come.
///
/// A block's hash is XXH3 (64 bits, no seed) over the UTF-8 text between two block-level tags, inline tags and comments
/// left out, references undecoded, each run of ASCII white space one space, none at the ends. It never changes between
/// versions, since records keep it.
#[derive(Debug)]
pub(crate) struct Blocks {
    hashes: Vec<u64>,
    limit: usize,
    /// The text of the current block; at most that of the document.
    text: Vec<u8>,
    /// White space came since its last word.
    blank: bool,
    /// A hash was dropped for the limit.
    pub(crate) cut: bool,
}

impl Blocks {
    pub(crate) fn new(limit: usize) -> Self {
        Blocks { hashes: Vec::new(), limit, text: Vec::new(), blank: false, cut: false }
    }

    /// Takes a piece of text; gives how many bytes of it count.
    pub(crate) fn text(&mut self, text: &str) -> u64 {
        let words = text.as_bytes();
        let Some(first) = words.iter().position(|byte| !is_blank(*byte)) else {
            self.blank |= !words.is_empty();
            return 0;
        };
        let end = words.iter().rposition(|byte| !is_blank(*byte)).map_or(words.len(), |last| last + 1);
        let before = self.text.len();
        if (self.blank || first > 0) && before > 0 {
            self.text.push(b' ');
        }
        self.blank = end < words.len();
        self.words(words.get(first..end).unwrap_or_default());
        (self.text.len() - before) as u64
    }

    /// Takes text that neither begins nor ends with white space.
    fn words(&mut self, words: &[u8]) {
        let mut rest = words;
        loop {
            let Some((plain, after)) = rest.split_at_checked(plain_length(rest)) else { return };
            self.text.extend_from_slice(plain);
            let Some(odd) = after.first() else { return };
            let run = after.iter().position(|byte| !is_blank(*byte)).unwrap_or(after.len());
            if run == 0 {
                self.text.push(*odd);
            } else if self.text.last() != Some(&b' ') {
                self.text.push(b' ');
            }
            rest = after.get(run.max(1)..).unwrap_or_default();
        }
    }

    /// Ends the current block; an empty one is none.
    pub(crate) fn end(&mut self) {
        self.blank = false;
        if self.text.is_empty() {
            return;
        }
        if self.hashes.len() < self.limit {
            self.hashes.push(xxh3_64(&self.text));
        } else {
            self.cut = true;
        }
        self.text.clear();
    }

    pub(crate) fn into_hashes(mut self) -> Vec<u64> {
        self.end();
        self.hashes
    }
}

/// Bytes that are looked at together.
const STEP: usize = 8;

/// How much of the beginning holds no control character, white space among them, and no two spaces in a row.
fn plain_length(text: &[u8]) -> usize {
    let mut length = 0;
    loop {
        let here = text.get(length..).unwrap_or_default();
        let next = here.get(1..).unwrap_or_default();
        let (Some(here), Some(next)) = (here.first_chunk(), next.first_chunk()) else { break };
        if may_be_odd(u64::from_le_bytes(*here), u64::from_le_bytes(*next)) {
            break;
        }
        length += STEP;
    }
    let rest = text.get(length..).unwrap_or_default();
    if let (Some(here), Some(next)) = (text.split_last().and_then(|(_, text)| text.last_chunk()), text.last_chunk())
        && rest.len() <= STEP
        && !may_be_odd(u64::from_le_bytes(*here), u64::from_le_bytes(*next))
    {
        return text.len();
    }
    let following = rest.iter().skip(1).chain(std::iter::once(&b'.'));
    length + rest.iter().zip(following).position(|(byte, next)| is_odd(*byte, *next)).unwrap_or(rest.len())
}

/// Whether any of eight bytes is odd, given also the eight that begin with the second: all at once, by the carries of
/// a subtraction (a byte below `n` borrows, one below 0x80 apart).
fn may_be_odd(here: u64, next: u64) -> bool {
    const ONES: u64 = u64::MAX / 0xff;
    const SPACES: u64 = b' ' as u64 * ONES;
    const TOPS: u64 = 0x80 * ONES;
    let controls = here.wrapping_sub(SPACES) & !here;
    let either_is_no_space = (here ^ SPACES) | (next ^ SPACES);
    let two_spaces = either_is_no_space.wrapping_sub(ONES) & !either_is_no_space;
    (controls | two_spaces) & TOPS != 0
}

/// A control character, or the first of two spaces.
fn is_odd(byte: u8, next: u8) -> bool {
    byte < b' ' || (byte == b' ' && next == b' ')
}
