//! The simulated year: 365 nights of a site of 300 pages. What truly changes in which night is written down before any
//! page is served; the nights are real seconds, some two each.
#![cfg(feature = "full")]

use mapwright_e2e::night::Nights;

/// By then the record holds as many runs as it ever keeps.
const SETTLED: u32 = 60;

#[test]
fn a_year() {
    let tally = Nights::of(365, 300, 365).run();
    println!("{tally}");
    tally.assert_good();
    let (settled, last) = (tally.size_after(SETTLED), tally.size_after(365));
    assert!(settled > 0 && last <= 2 * settled, "the record grew from {settled} to {last} bytes");
}
