//! A sketch of a page's text, by which pages with nearly the same text are found.

use super::facts::{Region, Sketch};
use xxhash_rust::xxh3::xxh3_64;

/// Mixes three words into one number (the golden ratio's fraction, as an odd number).
const MIX: u64 = 0x9E37_79B9_7F4A_7C15;

/// Draws a sketch by one-permutation minhash over runs of three words (Li, Owen and Zhang 2012, with the values cut to
/// a byte each). Navigation, headers and footers are left out: they make all pages of a site alike. The sketch never
/// changes between versions, since records keep it.
#[derive(Debug)]
pub(crate) struct Sketcher {
    least: [u32; Sketch::BINS],
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
        for word in text.split(|byte| *byte == b' ') {
            self.word(xxh3_64(word));
        }
    }

    fn word(&mut self, word: u64) {
        let [first, second] = self.before;
        self.before = [second, word];
        self.words = self.words.saturating_add(1);
        if self.words < 3 {
            return;
        }
        let run = (first.rotate_left(21) ^ second.rotate_left(42) ^ word).wrapping_mul(MIX);
        // The upper bits of a product are the well-mixed ones.
        let (bin, value) = ((run >> 57) as usize, (run >> 25) as u32);
        if let Some(least) = self.least.get_mut(bin) {
            *least = value.min(*least);
        }
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
    fn few_words_and_navigation_have_no_sketch() {
        let mut sketcher = Sketcher::default();
        sketcher.block(b"only a few words", Region::Main);
        sketcher.block("word ".repeat(100).trim_end().as_bytes(), Region::Nav);
        assert_eq!(sketcher.finish(), None);
    }
}
