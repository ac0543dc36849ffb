//! Decodes the same bodies again and again with one library, for counting instructions:
//!
//! `valgrind --tool=callgrind target/release/examples/count_decode libdeflate 100`
//!
//! The count of a single iteration is the difference of two runs, divided by the difference of their iterations.
//! Without arguments it does the fixed work of `tests/bench/instructions`.

use std::process::ExitCode;

#[path = "../benches/bodies/mod.rs"]
mod bodies;

use bodies::{Bodies, DECODERS};

/// The library and the number of iterations without arguments: gzip, by the library that the fetcher uses for it.
const FIXED: (&str, usize) = ("gzip-libdeflate", 150);

const USAGE: &str = "usage: count_decode [LIBRARY TURNS [FILE]]

Decodes pages of the benchmark's site, or one FILE, TURNS times; LIBRARY is one of:";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (name, turns) = match words.first() {
        Some(name) => (name.as_str(), words.get(1).and_then(|word| word.parse().ok())),
        None => (FIXED.0, Some(FIXED.1)),
    };
    let decoder = DECODERS.iter().find(|decoder| decoder.name == name);
    let (Some(decoder), Some(turns)) = (decoder, turns) else {
        let names: Vec<&str> = DECODERS.iter().map(|decoder| decoder.name).collect();
        eprintln!("{USAGE} {}", names.join(", "));
        return ExitCode::from(2);
    };
    let plain = match words.get(2) {
        Some(path) => match std::fs::read(path) {
            Ok(plain) => vec![plain],
            Err(error) => {
                eprintln!("count_decode: {path}: {error}");
                return ExitCode::FAILURE;
            }
        },
        None => bodies::pages(),
    };
    let bodies = Bodies::coded(plain, decoder);
    let mut made = 0;
    for _ in 0..turns {
        made += bodies.decode(decoder);
    }
    println!("{made} bytes in {turns} turns");
    ExitCode::SUCCESS
}
