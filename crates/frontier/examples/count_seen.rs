//! Fills a set of known URLs and looks up a fixed number of them, for `tests/bench/instructions`.

#[path = "../benches/work/mod.rs"]
mod work;

use std::hint::black_box;

/// URLs that are known.
const KNOWN: u32 = 100_000;

fn main() {
    let (seen, requested) = (work::seen(KNOWN), work::requested(KNOWN, KNOWN));
    let known: usize = (0..5).map(|_| work::request(black_box(&seen), &requested)).sum();
    println!("{known} known");
}
