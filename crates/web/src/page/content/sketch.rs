//! A sketch of a page's text, which finds near-duplicate pages.

use crate::page::facts::{Region, Sketch};
use memchr::memchr;
use wide::u8x16;

/// The fraction of the golden ratio as an odd number, and the fraction of the square root of two: the hash's constants.
const MIX: [u64; 2] = [0x9E37_79B9_7F4A_7C15, 0x6A09_E667_F3BC_C908];
/// The number of bytes searched for words at once: one bit each.
const STEP: usize = 64;
/// The number of bytes of a run: a word of usual length and the two after it.
const RUN: usize = 16;
/// The number of words whose runs all count. Of later words, those count that begin with a byte of which these bits are
/// zero, about a third: more runs would hardly make the estimate better.
const ALL_WORDS: u32 = 512;
const SAMPLED: u8 = 3;

/// Computes a sketch by one-permutation minhash (Li, Owen and Zhang 2012, with each value truncated to a byte) over the
/// runs of a text: for each word its first [`RUN`] bytes together with what follows it in its block, or the entire word
/// if it is longer. Navigation, headers and footers are left out, because they are the same on all pages of a site. The
/// sketch never changes between versions, because records store it.
#[derive(Debug)]
pub(crate) struct Sketcher {
    least: [u32; Sketch::BINS],
    /// The first run of the block before, which makes the order of blocks count.
    before: u64,
    words: u32,
}

impl Default for Sketcher {
    fn default() -> Self {
        Self { least: [u32::MAX; Sketch::BINS], before: 0, words: 0 }
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
        text.resize((length + RUN).next_multiple_of(STEP), b' ');
        let (mut before, mut after_space) = (self.before, 1);
        let [low, high] = run_at(text, 0, 0);
        self.before = low.rotate_left(21) ^ high;
        for (step, bytes) in text.as_chunks::<STEP>().0.iter().enumerate() {
            let base = step * STEP;
            let spaces = bits(bytes, |bytes| bytes.simd_eq(u8x16::splat(b' ')));
            let mut starts = (spaces << 1 | after_space) & !spaces;
            after_space = spaces >> (STEP - 1);
            let words = starts.count_ones();
            if self.words >= ALL_WORDS {
                starts &= bits(bytes, |bytes| (bytes & u8x16::splat(SAMPLED)).simd_eq(u8x16::splat(0)));
            }
            self.words = self.words.saturating_add(words);
            while starts != 0 {
                let at = starts.trailing_zeros();
                let start = base + at as usize;
                let end = match spaces >> at {
                    0 => end_of_word(text, base + STEP),
                    rest => start + rest.trailing_zeros() as usize,
                };
                self.run(std::mem::take(&mut before), run_at(text, start, end));
                starts &= starts - 1;
            }
        }
        text.truncate(length);
    }

    /// Adds a run, with the block before if it is the first of its block.
    #[inline]
    fn run(&mut self, before: u64, [low, high]: [u64; 2]) {
        let hash = mixed(low ^ before, high);
        // The upper bits of a product are well mixed.
        let (bin, value) = ((hash >> 57) as usize, (hash >> 25) as u32);
        if let Some(least) = self.least.get_mut(bin) {
            *least = value.min(*least);
        }
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

/// The run of the word at this position of a text that is padded with spaces.
#[inline]
fn run_at(text: &[u8], start: usize, end: usize) -> [u64; 2] {
    let from = text.get(start..).unwrap_or_default();
    match from.first_chunk::<RUN>() {
        Some(run) if end - start <= RUN => {
            let run = u128::from_le_bytes(*run);
            [run as u64, (run >> 64) as u64]
        }
        _ => long_run(text.get(start..end).unwrap_or_default()),
    }
}

/// The run of a word that is longer than one: its sixteens, the last filled with zeros, mixed one after the other.
#[inline(never)]
fn long_run(word: &[u8]) -> [u64; 2] {
    word.chunks(RUN).fold([0; 2], |[low, high], part| {
        let part = part.iter().rev().fold(0_u128, |bytes, byte| bytes << 8 | u128::from(*byte));
        [low.rotate_left(5) ^ mixed(part as u64, (part >> 64) as u64), high.wrapping_add(low)]
    })
}

/// The end of a word that goes on at this position.
#[inline(never)]
fn end_of_word(text: &[u8], from: usize) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    from + memchr(b' ', rest).unwrap_or(rest.len())
}

/// One bit for each byte that a test marks.
#[inline]
fn bits(text: &[u8; STEP], test: impl Fn(u8x16) -> u8x16) -> u64 {
    let sixteens = text.as_chunks().0.iter().rev();
    sixteens.fold(0, |bits, sixteen| bits << 16 | u64::from(test(u8x16::new(*sixteen)).to_bitmask()))
}

/// Uses both halves of the product, because either alone leaves some bits unmixed.
#[inline]
fn mixed(low: u64, high: u64) -> u64 {
    let product = u128::from(low ^ MIX[0]) * u128::from(high ^ MIX[1]);
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

    /// The definition, word by word.
    fn plainly(sketcher: &mut Sketcher, words: &[String]) {
        let text = words.join(" ") + &" ".repeat(RUN);
        let first = <[u8; RUN]>::try_from(&text.as_bytes()[..RUN]).unwrap();
        let mut start = 0;
        for (nth, word) in words.iter().enumerate() {
            let run = match word.len() {
                ..=RUN => {
                    let run = u128::from_le_bytes(text.as_bytes()[start..start + RUN].try_into().unwrap());
                    [run as u64, (run >> 64) as u64]
                }
                _ => long_run(word.as_bytes()),
            };
            sketcher.run(if nth == 0 { sketcher.before } else { 0 }, run);
            sketcher.words += 1;
            start += word.len() + 1;
        }
        let first = u128::from_le_bytes(first);
        sketcher.before = (first as u64).rotate_left(21) ^ (first >> 64) as u64;
    }

    proptest! {
        #[test]
        fn runs_are_those_of_the_definition_wherever_they_stand(
            blocks in proptest::collection::vec(proptest::collection::vec("[a-c]{1,4}|[a-zé]{1,40}", 1..40), 1..4),
        ) {
            let (mut sketcher, mut expected) = (Sketcher::default(), Sketcher::default());
            for words in &blocks {
                let mut text = words.join(" ").into_bytes();
                sketcher.block(&mut text, Region::Body);
                plainly(&mut expected, words);
                prop_assert_eq!(text, words.join(" ").into_bytes());
            }
            prop_assert_eq!((sketcher.least, sketcher.before, sketcher.words), (expected.least, expected.before, expected.words));
        }

        #[test]
        fn an_estimate_is_near_the_share_of_common_runs(shared in 0_u32..400, total in 400_u32..401) {
            let (one, other) = (sketch(0..total), sketch((0..shared).chain(5_000..5_000 + total - shared)));
            // Each of the two texts has `total` runs, of which some `shared` are in both.
            let exact = f64::from(shared) / f64::from(2 * total - shared) * 100.0;
            let estimate = f64::from(one.likeness(&other));
            prop_assert!((estimate - exact).abs() < 20.0, "{estimate}, and {exact} exactly");
        }
    }

    #[test]
    fn a_sample_of_a_long_text_is_as_good_as_all_of_it() {
        let changed = |each: u32| (0..20_000).map(move |word| if word % each == 0 { 100_000 + word } else { word });
        let likeness = |each| sketch(0..20_000).likeness(&sketch(changed(each)));
        assert!((75..=95).contains(&likeness(20)), "a twentieth of all words: {}", likeness(20));
        assert!(likeness(1_000) >= 97 && likeness(2) < 30);
    }

    #[test]
    fn long_words_are_distinguished() {
        let words = [
            "seventeen-symbols",
            "seventeen-symbolz",
            "seventeen-symbols-and-more",
            "sixteen-symbols!sixteen-symbols!",
        ];
        let runs: HashSet<[u64; 2]> = words.iter().map(|word| long_run(word.as_bytes())).collect();
        assert_eq!(runs.len(), words.len());
    }

    #[test]
    fn the_order_of_blocks_counts() {
        let sketch = |order: &mut dyn Iterator<Item = u32>| {
            let mut sketcher = Sketcher::default();
            order.for_each(|cell| sketcher.block(&mut format!("cell{cell}").into_bytes(), Region::Main));
            sketcher.finish().unwrap()
        };
        assert!(sketch(&mut (0..400)).likeness(&sketch(&mut (0..400).rev())) < 10);
    }

    #[test]
    fn few_words_and_navigation_have_no_sketch() {
        let mut sketcher = Sketcher::default();
        sketcher.block(&mut b"only a few words".to_vec(), Region::Main);
        sketcher.block(&mut "word ".repeat(100).trim_end().as_bytes().to_vec(), Region::Nav);
        assert_eq!(sketcher.finish(), None);
    }
}
