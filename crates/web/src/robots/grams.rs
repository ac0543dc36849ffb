//! An index of rules by a few octets that every matching path contains.

use super::pattern::Pattern;
use std::cmp::Reverse;
use std::collections::HashMap;

/// The length of a gram in octets; shorter ones are used for rules without a literal text of that length.
const MAX_BYTES: usize = 4;
/// The number of bits of the filter for each gram.
const FILTER_BITS: usize = 16;

/// Up to [`MAX_BYTES`] octets and their number, in one word.
type Gram = u64;

fn gram(octets: &[u8]) -> Gram {
    octets.iter().fold(octets.len() as Gram, |word, &octet| word << 8 | Gram::from(octet))
}

/// Rules by their rarest gram, so that a path is compared with few rules that do not match it.
#[derive(Debug, Default)]
pub(super) struct GramTable {
    /// Sorted by gram.
    entries: Vec<(Gram, u32)>,
    filter: Filter,
    /// The lengths of the grams in use.
    lengths: Vec<usize>,
}

impl GramTable {
    /// Stores each `(rank, pattern)` under one gram of its literal texts after the first wildcard.
    pub(super) fn build(ranked: &[(u32, Pattern)]) -> Self {
        let mut counts: HashMap<Gram, u32> = HashMap::new();
        for word in ranked.iter().flat_map(|(_, pattern)| grams_of(pattern)) {
            *counts.entry(word).or_default() += 1;
        }
        // Equally rare grams: the longer one is the greater word.
        let rarest = |pattern: &Pattern| grams_of(pattern).min_by_key(|word| (counts.get(word), Reverse(*word)));
        let mut entries: Vec<(Gram, u32)> =
            ranked.iter().filter_map(|(rank, pattern)| Some((rarest(pattern)?, *rank))).collect();
        entries.sort_unstable();
        let used = |len: &usize| entries.iter().any(|(word, _)| len_of(*word) == *len);
        let lengths = (1..=MAX_BYTES).filter(used).collect();
        GramTable { filter: Filter::of(&entries), entries, lengths }
    }

    /// The rules stored under any gram of `path`, gram by gram, ranks ascending within each.
    pub(super) fn of(&self, path: &[u8]) -> impl Iterator<Item = &[(Gram, u32)]> {
        let windows = self.lengths.iter().flat_map(|&len| path.windows(len));
        let mut met: Vec<Gram> = windows.map(gram).filter(|&word| self.filter.may_hold(word)).collect();
        met.sort_unstable();
        met.dedup();
        met.into_iter().filter_map(|word| {
            let from = self.entries.partition_point(|(filed, _)| *filed < word);
            self.entries
                .get(from..)?
                .chunk_by(|(a, _), (b, _)| a == b)
                .next()
                .filter(|group| group.first().is_some_and(|(filed, _)| *filed == word))
        })
    }
}

/// The number of octets of a gram, which is stored above them.
fn len_of(word: Gram) -> usize {
    (1..=MAX_BYTES).find(|len| word >> (8 * len) == *len as Gram).unwrap_or(MAX_BYTES)
}

fn grams_of(pattern: &Pattern) -> impl Iterator<Item = Gram> {
    let pieces = pattern.tail_pieces().filter(|piece| !piece.is_empty());
    pieces.flat_map(|piece| piece.windows(piece.len().min(MAX_BYTES))).map(gram)
}

/// A set with false positives but no false negatives.
#[derive(Debug, Default)]
struct Filter {
    words: Vec<u64>,
    shift: u32,
}

impl Filter {
    fn of(entries: &[(Gram, u32)]) -> Self {
        let bits = (entries.len() * FILTER_BITS).next_power_of_two().max(64);
        let mut filter = Filter { words: vec![0; bits / 64], shift: 64 - bits.trailing_zeros() };
        for (word, _) in entries {
            let (at, bit) = filter.place(*word);
            if let Some(place) = filter.words.get_mut(at) {
                *place |= bit;
            }
        }
        filter
    }

    /// Fibonacci hashing: the highest bits of a product by the golden ratio.
    fn place(&self, word: Gram) -> (usize, u64) {
        let hash = word.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift;
        (usize::try_from(hash / 64).unwrap_or(usize::MAX), 1 << (hash % 64))
    }

    fn may_hold(&self, word: Gram) -> bool {
        let (at, bit) = self.place(word);
        self.words.get(at).is_some_and(|place| place & bit != 0)
    }
}
