//! Fourteen nights of a site on which most of what differs is no change: what is told as changed did change, and what
//! changed is told. The year of such nights is in `year.rs`.

use mapwright_e2e::night::Nights;

#[test]
fn a_fortnight() {
    let tally = Nights::of(2_026, 120, 14).run();
    println!("{tally}");
    tally.assert_good();
}
