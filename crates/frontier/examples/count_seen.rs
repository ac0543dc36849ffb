//! Fills a set of known URLs and asks it a fixed number of times, for `tests/bench/instructions`.

#[path = "../benches/work/mod.rs"]
mod work;

use std::hint::black_box;

/// URLs that are known.
const KNOWN: u32 = 100_000;

fn main() {
    let (seen, asked) = (work::seen(KNOWN), work::asked(KNOWN, KNOWN));
    let known: usize = (0..5).map(|_| work::ask(black_box(&seen), &asked)).sum();
    println!("{known} known");
}
