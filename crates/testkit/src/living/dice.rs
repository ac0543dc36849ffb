//! Random choices that a seed determines.

/// A generator of numbers from a few keys, always the same for the same keys: the only source of variety here.
#[derive(Debug, Clone)]
pub struct Dice {
    state: u64,
}

impl Dice {
    /// Creates the generator of these keys, such as a seed, a run and a page.
    #[must_use]
    pub fn of(keys: &[u64]) -> Dice {
        Dice { state: keys.iter().fold(0x5eed, |state, key| scramble(state ^ scramble(*key))) }
    }

    /// The next number of 64 bits.
    pub fn roll(&mut self) -> u64 {
        self.state = self.state.wrapping_add(1);
        scramble(self.state)
    }

    /// A number below `bound`, which is not zero.
    pub fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.roll() % bound as u64).unwrap_or(0)
    }

    /// Returns `true` in this many of a hundred cases.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.roll() % 100 < percent
    }

    /// Returns one of these values.
    ///
    /// # Panics
    /// When there is none.
    pub fn pick<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        all.get(self.below(all.len().max(1))).expect("something to choose from")
    }

    /// Returns the same values in another order.
    #[must_use]
    pub fn shuffled<T>(&mut self, mut all: Vec<T>) -> Vec<T> {
        for end in (1..all.len()).rev() {
            all.swap(end, self.below(end + 1));
        }
        all
    }
}

/// Scrambles a number (the finaliser of SplitMix64).
pub(super) fn scramble(number: u64) -> u64 {
    let mut x = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
