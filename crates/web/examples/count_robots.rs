//! Compiles a long robots.txt and checks URLs against it a fixed number of times, for `tests/bench/instructions`.

#[path = "../benches/input/mod.rs"]
mod input;

use mapwright_web::Robots;
use std::hint::black_box;

fn main() {
    let robots = Robots::compile(black_box(input::robots().as_bytes()));
    let rules = robots.agent("mapwright");
    let urls = input::requested();
    let allowed =
        urls.iter().cycle().take(10_000).filter(|url| rules.rule(black_box(url).path_and_query()).allowed).count();
    println!("{allowed} allowed");
}
