//! The simulated year: 365 runs on a site of 300 pages. The true changes before each run are computed before any page
//! is served. Each simulated day takes about two real seconds.
#![cfg(feature = "full")]

use crate::daily::DailyRuns;

/// The run from which on the record contains its maximum number of runs.
const SETTLED: u32 = 60;

#[test]
fn a_year() {
    let tally = DailyRuns::of(365, 300, 365).run();
    println!("{tally}");
    tally.assert_good();
    let size_after = |day: u32| tally.sizes.iter().find(|(number, _)| *number == day).map_or(0, |(_, bytes)| *bytes);
    let (settled, last) = (size_after(SETTLED), size_after(365));
    assert!(settled > 0 && last <= 2 * settled, "the record grew from {settled} to {last} bytes");
}
