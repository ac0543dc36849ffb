//! Random choices that can be made again.

use std::time::SystemTime;

/// The variable that gives the seed of a run that failed.
const VARIABLE: &str = "MAPWRIGHT_TEST_SEED";

/// Random numbers (SplitMix64) from a seed that is printed.
#[derive(Debug)]
pub struct Lot {
    state: u64,
}

impl Lot {
    /// Takes the seed from `MAPWRIGHT_TEST_SEED`, else from the clock, and prints it.
    #[must_use]
    pub fn drawn() -> Lot {
        let given = std::env::var(VARIABLE).ok().and_then(|seed| seed.parse().ok());
        let clock = || SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let state = given.unwrap_or_else(|| u64::from(clock().subsec_nanos()));
        eprintln!("{VARIABLE}={state}");
        Lot { state }
    }

    /// A number below this bound, which is not zero.
    pub fn below(&mut self, bound: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((x ^ (x >> 31)) % bound.max(1) as u64).unwrap_or(0)
    }
}
