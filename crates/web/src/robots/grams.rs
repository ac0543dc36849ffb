//! Rules by a few octets that every path they match must hold somewhere.

use super::pattern::Pattern;
use std::cmp::Reverse;
use std::collections::HashMap;

/// Length of a gram, octets; shorter ones are used where a rule has no text that long.
const LONGEST: usize = 4;
/// Bits of the filter for each gram.
const FILTER_BITS: usize = 16;

/// Up to [`LONGEST`] octets and their number, in one word.
type Gram = u64;

fn gram(octets: &[u8]) -> Gram {
    octets.iter().fold(octets.len() as Gram, |word, &octet| word << 8 | Gram::from(octet))
}

/// Rules by their rarest gram, so that a path meets few rules besides those that match it.
#[derive(Debug, Default)]
pub(super) struct GramTable {
    /// Sorted.
    entries: Vec<(Gram, u32)>,
    filter: Filter,
    /// The lengths of grams in use.
    lengths: Vec<usize>,
}

impl GramTable {
    /// Files each `(rank, pattern)` under one gram of its literal texts behind the first wildcard.
    pub(super) fn build(ranked: &[(u32, Pattern)]) -> Self {
        let mut counts: HashMap<Gram, u32> = HashMap::new();
        for word in ranked.iter().flat_map(|(_, pattern)| grams_of(pattern)) {
            *counts.entry(word).or_default() += 1;
        }
        // Of grams as rare the longer one: a longer gram is the greater word.
        let rarest = |pattern: &Pattern| grams_of(pattern).min_by_key(|word| (counts.get(word), Reverse(*word)));
        let mut entries: Vec<(Gram, u32)> =
            ranked.iter().filter_map(|(rank, pattern)| Some((rarest(pattern)?, *rank))).collect();
        entries.sort_unstable();
        let used = |len: &usize| entries.iter().any(|(word, _)| len_of(*word) == *len);
        let lengths = (1..=LONGEST).filter(used).collect();
        GramTable { filter: Filter::of(&entries), entries, lengths }
    }

    /// The rules filed under any gram of `path`, gram by gram, ranks ascending within each.
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

/// How many octets a gram has: their number stands above them.
fn len_of(word: Gram) -> usize {
    (1..=LONGEST).find(|len| word >> (8 * len) == *len as Gram).unwrap_or(LONGEST)
}

fn grams_of(pattern: &Pattern) -> impl Iterator<Item = Gram> {
    let pieces = pattern.tail_pieces().filter(|piece| !piece.is_empty());
    pieces.flat_map(|piece| piece.windows(piece.len().min(LONGEST))).map(gram)
}

/// A set that may say yes to what it does not hold, never no to what it does.
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
