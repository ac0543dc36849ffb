//! Reproducible random choices.

use std::time::SystemTime;

/// The environment variable with the seed, to reproduce a failed run.
const VARIABLE: &str = "MAPWRIGHT_TEST_SEED";

/// A random number generator (SplitMix64) whose seed is printed.
#[derive(Debug)]
pub struct SeededRng {
    state: u64,
}

impl SeededRng {
    /// Takes the seed from `MAPWRIGHT_TEST_SEED`, else from the clock, and prints it.
    pub fn drawn() -> SeededRng {
        let given = std::env::var(VARIABLE).ok().and_then(|seed| seed.parse().ok());
        let clock = || SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let state = given.unwrap_or_else(|| u64::from(clock().subsec_nanos()));
        eprintln!("{VARIABLE}={state}");
        SeededRng { state }
    }

    /// Returns a number below this bound, which must not be zero.
    pub fn below(&mut self, bound: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((x ^ (x >> 31)) % bound.max(1) as u64).unwrap_or(0)
    }
}
