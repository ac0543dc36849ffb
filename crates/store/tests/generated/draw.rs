//! Numbers drawn from a seed: the same seed gives the same site, on any machine.

/// A generator of random numbers (splitmix64).
#[derive(Debug, Clone)]
pub(crate) struct Draw(u64);

impl Draw {
    pub(crate) fn new(seed: u64) -> Self {
        Self(mix(seed))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix(self.0)
    }

    /// A number from `least` to `most`.
    pub(crate) fn range(&mut self, least: usize, most: usize) -> usize {
        least + usize::try_from(self.next() % (most - least + 1) as u64).unwrap()
    }

    /// Returns true with this probability in percent.
    pub(crate) fn percent(&mut self, percent: usize) -> bool {
        self.range(0, 99) < percent
    }

    /// One of these.
    pub(crate) fn one<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.range(0, of.len() - 1)]
    }

    /// From `least` to `most` of these, in their order.
    pub(crate) fn some<T: Copy>(&mut self, of: &[T], least: usize, most: usize) -> Vec<T> {
        let mut left: Vec<usize> = (0..of.len()).collect();
        let count = self.range(least.min(of.len()), most.min(of.len()));
        let mut taken: Vec<usize> = (0..count).map(|_| left.remove(self.range(0, left.len() - 1))).collect();
        taken.sort_unstable();
        taken.into_iter().map(|at| of[at]).collect()
    }
}

fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}

/// A hash of a text and a seed.
pub(crate) fn hash(seed: u64, text: &str) -> u64 {
    text.bytes().fold(mix(seed), |hash, byte| mix(hash ^ u64::from(byte)))
}
