//! A sketch of a page's text, by which pages with nearly the same text are found.

use super::facts::{Region, Sketch};

/// The golden ratio's fraction, as an odd number: what words are mixed by.
const MIX: u64 = 0x9E37_79B9_7F4A_7C15;
/// The lowest bit of each byte of eight; the highest; a space in each.
const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;
const SPACES: u64 = 0x2020_2020_2020_2020;

/// Draws a sketch by one-permutation minhash over runs of three words (Li, Owen and Zhang 2012, with the values cut to
/// a byte each). Navigation, headers and footers are left out: they make all pages of a site alike. The sketch never
/// changes between versions, since records keep it.
#[derive(Debug)]
pub(crate) struct Sketcher {
    least: [u32; Sketch::BINS],
    /// The hashes of the last two words.
    before: [u64; 2],
    words: u32,
}

impl Default for Sketcher {
    fn default() -> Self {
        Self { least: [u32::MAX; Sketch::BINS], before: [0; 2], words: 0 }
    }
}

impl Sketcher {
    /// Takes a block of text, its words parted by single spaces.
    pub(crate) fn block(&mut self, text: &[u8], region: Region) {
        if !matches!(region, Region::Main | Region::Body) {
            return;
        }
        let [mut first, mut second] = self.before;
        let mut rest = text;
        while !rest.is_empty() {
            let word;
            (word, rest) = next_word(rest);
            let run = (first.rotate_left(21) ^ second.rotate_left(42) ^ word).wrapping_mul(MIX);
            // The upper bits of a product are the well-mixed ones.
            let (bin, value) = ((run >> 57) as usize, (run >> 25) as u32);
            if let Some(least) = self.least.get_mut(bin) {
                *least = value.min(*least);
            }
            (first, second) = (second, word);
            self.words = self.words.saturating_add(1);
        }
        self.before = [first, second];
    }

    /// The sketch; nothing for a text too short to be told from others.
    pub(crate) fn finish(&self) -> Option<Sketch> {
        if self.words < Sketch::FEWEST_WORDS {
            return None;
        }
        let byte = |value: u32| if value == u32::MAX { Sketch::EMPTY } else { (value % 255) as u8 + 1 };
        Some(Sketch(self.least.map(byte)))
    }
}

/// The hash of the word that `text` begins with, and what stands behind the space after it. Eight bytes at a time: every
/// word of every page comes through here.
fn next_word(text: &[u8]) -> (u64, &[u8]) {
    let (mut hash, mut rest) = (0, text);
    while let Some((eight, after)) = rest.split_first_chunk() {
        let bytes = u64::from_le_bytes(*eight);
        let ends = spaces(bytes);
        if ends != 0 {
            // Of the marks in the highest bits of bytes, the lowest is the first space; what is below it is the word's.
            let bits = ends.trailing_zeros() & !7;
            let behind = rest.get(bits as usize / 8 + 1..).unwrap_or_default();
            return (mixed(hash, bytes & !(u64::MAX << bits)), behind);
        }
        (hash, rest) = (mixed(hash, bytes), after);
    }
    let end = rest.iter().position(|byte| *byte == b' ').unwrap_or(rest.len());
    let (word, behind) = rest.split_at_checked(end).unwrap_or((rest, &[]));
    let bytes = word.iter().rev().fold(0, |bytes, byte| bytes << 8 | u64::from(*byte));
    (mixed(hash, bytes), behind.get(1..).unwrap_or_default())
}

/// The highest bit of each byte that is a space; those above the first may be marked by mistake.
fn spaces(bytes: u64) -> u64 {
    let zero = bytes ^ SPACES;
    zero.wrapping_sub(LOW) & !zero & HIGH
}

/// Both halves of the product, since either alone leaves some bits unmixed.
fn mixed(hash: u64, bytes: u64) -> u64 {
    let product = u128::from(hash.rotate_left(5) ^ bytes) * u128::from(MIX);
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sketch(words: impl Iterator<Item = u32>) -> Sketch {
        let text: Vec<String> = words.map(|word| format!("word{word}")).collect();
        let mut sketcher = Sketcher::default();
        text.chunks(40).for_each(|block| sketcher.block(block.join(" ").as_bytes(), Region::Main));
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

    #[test]
    fn words_are_told_apart_wherever_they_stand() {
        let hashes = |text: &str| {
            let (mut hashes, mut rest) = (Vec::new(), text.as_bytes());
            while !rest.is_empty() {
                let hash;
                (hash, rest) = next_word(rest);
                hashes.push(hash);
            }
            hashes
        };
        let words =
            ["a", "seven77", "eight888", "nine99999", "exactly-sixteen!", "!\u{20ac}\u{e9}", "seventeen-letters"];
        let alone: Vec<u64> = words.iter().flat_map(|word| hashes(word)).collect();
        assert_eq!(alone.len(), words.len());
        assert_eq!(alone.iter().collect::<std::collections::HashSet<_>>().len(), words.len());
        assert_eq!(hashes(&words.join(" ")), alone);
        let backwards: Vec<&str> = words.iter().rev().copied().collect();
        assert_eq!(hashes(&backwards.join(" ")), alone.iter().rev().copied().collect::<Vec<_>>());
    }

    #[test]
    fn few_words_and_navigation_have_no_sketch() {
        let mut sketcher = Sketcher::default();
        sketcher.block(b"only a few words", Region::Main);
        sketcher.block("word ".repeat(100).trim_end().as_bytes(), Region::Nav);
        assert_eq!(sketcher.finish(), None);
    }
}
