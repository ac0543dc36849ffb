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
const STEP: usize = size_of::<u64>();

/// How much of the beginning holds no control character, white space among them, and no two spaces in a row.
fn plain_length(text: &[u8]) -> usize {
    let Some(last) = text.len().checked_sub(STEP + 1) else {
        let following = text.iter().skip(1).chain(std::iter::once(&b'.'));
        return text.iter().zip(following).position(|(byte, next)| is_odd(*byte, *next)).unwrap_or(text.len());
    };
    let mut at = 0;
    loop {
        if let Some(odd) = word(text, at).zip(word(text, at + 1)).and_then(|(here, next)| first_odd(here, next)) {
            return at + odd;
        }
        if at == last {
            break;
        }
        // The last step may overlap the one before, in which nothing is odd.
        at = last.min(at + STEP);
    }
    // Of the last byte alone nothing is known yet.
    text.len() - usize::from(text.last().is_some_and(|byte| is_odd(*byte, b'.')))
}

/// The eight bytes from `at`.
fn word(text: &[u8], at: usize) -> Option<u64> {
    text.get(at..)?.first_chunk().map(|bytes| u64::from_le_bytes(*bytes))
}

/// The first odd one of eight bytes, given also the eight that begin with the second: all looked at at once, by the
/// borrows of a subtraction. A borrow may mark later bytes falsely, never the first.
fn first_odd(here: u64, next: u64) -> Option<usize> {
    const ONES: u64 = u64::MAX / 0xff;
    const SPACES: u64 = b' ' as u64 * ONES;
    const TOPS: u64 = 0x80 * ONES;
    let controls = here.wrapping_sub(SPACES) & !here;
    let no_spaces = (here ^ SPACES) | (next ^ SPACES);
    let two_spaces = no_spaces.wrapping_sub(ONES) & !no_spaces;
    let odd = (controls | two_spaces) & TOPS;
    (odd != 0).then(|| odd.trailing_zeros() as usize / 8)
}

/// A control character, or the first of two spaces.
fn is_odd(byte: u8, next: u8) -> bool {
    byte < b' ' || (byte == b' ' && next == b' ')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The definition, byte by byte.
    fn plainly(text: &[u8]) -> usize {
        let next = |at: usize| text.get(at + 1).copied().unwrap_or(b'.');
        (0..text.len()).find(|at| is_odd(text[*at], next(*at))).unwrap_or(text.len())
    }

    /// Text as blocks hold it: blanks collapsed.
    fn collapsed(text: &str) -> String {
        text.split(|char: char| char.is_ascii() && is_blank(char as u8))
            .filter(|word| !word.is_empty())
            .collect::<Vec<_>>()
            .join(" ")
    }

    proptest! {
        #[test]
        fn the_first_odd_byte_is_found(text in "[ab \u{1}\u{1f}\u{7f}é\u{80}]{0,40}") {
            prop_assert_eq!(plain_length(text.as_bytes()), plainly(text.as_bytes()));
        }

        #[test]
        fn pieces_hash_as_their_collapsed_text(pieces in proptest::collection::vec("[ab é\n\t\u{1}]{0,20}", 0..5)) {
            let mut blocks = Blocks::new(10);
            let counted: u64 = pieces.iter().map(|piece| blocks.text(piece)).sum();
            let whole = collapsed(&pieces.concat());
            prop_assert_eq!(counted, whole.len() as u64);
            let expected: Vec<u64> = if whole.is_empty() { vec![] } else { vec![xxh3_64(whole.as_bytes())] };
            prop_assert_eq!(blocks.into_hashes(), expected);
        }
    }
}
