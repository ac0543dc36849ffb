//! Fourteen runs on a site where most differences are no content change: pages reported as changed did change, and
//! changed pages are reported. `year.rs` has a year of such runs.

use crate::daily::DailyRuns;

#[test]
fn a_fortnight() {
    let tally = DailyRuns::of(2_026, 120, 14).run();
    println!("{tally}");
    tally.assert_good();
}
