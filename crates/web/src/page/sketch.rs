//! A sketch of a page's text, which finds near-duplicate pages.

use super::facts::{Region, Sketch};
use wide::u8x16;

/// The fraction of the golden ratio as an odd number: the multiplier that mixes words.
const MIX: u64 = 0x9E37_79B9_7F4A_7C15;
/// The number of bytes searched for word ends at once: one bit each.
const STEP: usize = 64;
/// The number of bytes read for a word, also beyond the end of the text.
const READ: usize = 16;

/// Masks for the two halves of [`READ`] bytes, by the length of the word.
#[allow(clippy::indexing_slicing, reason = "evaluated when the program is built")]
static HALVES: [[u64; 2]; READ] = {
    let mut halves = [[0; 2]; READ];
    let mut bytes = 1;
    while bytes < READ {
        let all = u128::MAX >> (128 - 8 * bytes);
        halves[bytes] = [all as u64, (all >> 64) as u64];
        bytes += 1;
    }
    halves
};

/// Computes a sketch by one-permutation minhash over runs of three words (Li, Owen and Zhang 2012, with each value
/// truncated to a byte). Navigation, headers and footers are left out, because they are the same on all pages of a
/// site. The sketch never changes between versions, because records store it.
#[derive(Debug)]
pub(crate) struct Sketcher {
    least: [u32; Sketch::BINS],
    /// The hashes of the last two words.
    last: [u64; 2],
    words: u32,
}

impl Default for Sketcher {
    fn default() -> Self {
        Self { least: [u32::MAX; Sketch::BINS], last: [0; 2], words: 0 }
    }
}

impl Sketcher {
    /// Adds a block of text with words separated by single spaces. (This processes every word of every page. The text
    /// is temporarily padded with spaces, so that the last word needs no special case.)
    pub(crate) fn block(&mut self, text: &mut Vec<u8>, region: Region) {
        if !matches!(region, Region::Main | Region::Body) || text.is_empty() {
            return;
        }
        let length = text.len();
        text.resize((length + READ).next_multiple_of(STEP), b' ');
        let (mut start, mut words) = (0, 0_u32);
        let mut last = self.last;
        for (step, bytes) in text.as_chunks::<STEP>().0.iter().enumerate() {
            let base = step * STEP;
            let mut ends = spaces(bytes) & up_to(length, base);
            while ends != 0 {
                let end = base + ends.trailing_zeros() as usize;
                last = self.word(last, hash(text, start, end));
                words += 1;
                start = end + 1;
                ends &= ends - 1;
            }
        }
        self.last = last;
        self.words = self.words.saturating_add(words);
        text.truncate(length);
    }

    /// Adds the hash of the next word after these two, and returns the new last two.
    #[inline]
    fn word(&mut self, [first, second]: [u64; 2], word: u64) -> [u64; 2] {
        let run = (first.rotate_left(21) ^ second.rotate_left(42) ^ word).wrapping_mul(MIX);
        // The upper bits of a product are well mixed.
        let (bin, value) = ((run >> 57) as usize, (run >> 25) as u32);
        if let Some(least) = self.least.get_mut(bin) {
            *least = value.min(*least);
        }
        [second, word]
    }

    /// The sketch; `None` for a text that is too short to be distinctive.
    pub(crate) fn finish(&self) -> Option<Sketch> {
        if self.words < Sketch::FEWEST_WORDS {
            return None;
        }
        let byte = |value: u32| if value == u32::MAX { Sketch::EMPTY } else { (value % 255) as u8 + 1 };
        Some(Sketch(self.least.map(byte)))
    }
}

/// The hash of the word at this position of a text.
#[inline]
fn hash(text: &[u8], start: usize, end: usize) -> u64 {
    let read = text.get(start..).and_then(|text| text.first_chunk::<READ>());
    let bytes = end - start;
    let (Some(read), Some([low, high])) = (read, HALVES.get(bytes)) else {
        return hash_by_steps(text.get(start..end).unwrap_or_default());
    };
    let read = u128::from_le_bytes(*read);
    let first = mixed(0, read as u64 & low);
    let second = mixed(first, (read >> 64) as u64 & high);
    // Without a branch, because the length of the next word is unpredictable.
    let long = (bytes as u64 >> 3).wrapping_neg();
    first ^ (first ^ second) & long
}

/// The definition: eight bytes at a time, and then the rest, even if it is empty.
#[inline(never)]
fn hash_by_steps(word: &[u8]) -> u64 {
    let (eights, rest) = word.as_chunks();
    let hash = eights.iter().fold(0, |hash, eight| mixed(hash, u64::from_le_bytes(*eight)));
    mixed(hash, rest.iter().rev().fold(0, |bytes, byte| bytes << 8 | u64::from(*byte)))
}

/// The mask for the bits up to and including `at`, in a step that begins at `base`.
#[inline]
fn up_to(at: usize, base: usize) -> u64 {
    let beyond = (STEP - 1).saturating_sub(at.saturating_sub(base));
    if at < base { 0 } else { u64::MAX >> beyond }
}

/// One bit for each space.
fn spaces(text: &[u8; STEP]) -> u64 {
    let space = u8x16::splat(b' ');
    let sixteens = text.as_chunks().0.iter().rev();
    sixteens.fold(0, |bits, sixteen| bits << 16 | u64::from(u8x16::new(*sixteen).simd_eq(space).to_bitmask()))
}

/// Uses both halves of the product, because either alone leaves some bits unmixed.
fn mixed(hash: u64, bytes: u64) -> u64 {
    let product = u128::from(hash.rotate_left(5) ^ bytes) * u128::from(MIX);
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    fn sketch(words: impl Iterator<Item = u32>) -> Sketch {
        let text: Vec<String> = words.map(|word| format!("word{word}")).collect();
        let mut sketcher = Sketcher::default();
        text.chunks(40).for_each(|block| sketcher.block(&mut block.join(" ").into_bytes(), Region::Main));
        sketcher.finish().unwrap()
    }

    #[test]
    fn the_same_text_is_alike_and_another_is_not() {
        assert_eq!(sketch(0..400).likeness(&sketch(0..400)), 100);
        assert!(sketch(0..400).likeness(&sketch(1_000..1_400)) < 10);
    }

    #[test]
    fn a_word_changed_among_many_leaves_texts_alike() {
        let changed = (0..400).map(|word| if word == 200 { 9_999 } else { word });
        assert!(sketch(0..400).likeness(&sketch(changed)) >= 93);
        let half = sketch(0..400).likeness(&sketch(200..600));
        assert!((20..50).contains(&half), "a third of all runs is shared: {half}");
    }

    proptest! {
        #[test]
        fn words_are_hashed_by_the_definition_wherever_they_stand(words in proptest::collection::vec("[a-c]{1,4}|[a-zé]{1,40}", 0..60)) {
            let mut expected = Sketcher::default();
            for word in &words {
                expected.last = expected.word(expected.last, hash_by_steps(word.as_bytes()));
                expected.words += 1;
            }
            let (mut sketcher, mut text) = (Sketcher::default(), words.join(" ").into_bytes());
            sketcher.block(&mut text, Region::Body);
            prop_assert_eq!((sketcher.least, sketcher.last, sketcher.words), (expected.least, expected.last, expected.words));
            prop_assert_eq!(text, words.join(" ").into_bytes());
        }
    }

    #[test]
    fn words_are_distinguished() {
        let words =
            ["a", "seven77", "eight888", "nine99999", "exactly-sixteen!", "!\u{20ac}\u{e9}", "seventeen-letters"];
        let hashes: HashSet<u64> = words.iter().map(|word| hash_by_steps(word.as_bytes())).collect();
        assert_eq!(hashes.len(), words.len());
    }

    #[test]
    fn few_words_and_navigation_have_no_sketch() {
        let mut sketcher = Sketcher::default();
        sketcher.block(&mut b"only a few words".to_vec(), Region::Main);
        sketcher.block(&mut "word ".repeat(100).trim_end().as_bytes().to_vec(), Region::Nav);
        assert_eq!(sketcher.finish(), None);
    }
}
