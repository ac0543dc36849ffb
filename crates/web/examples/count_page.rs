//! Reads fixed pages a fixed number of times, for `tests/bench/instructions`.

#[path = "../benches/input/mod.rs"]
mod input;

use mapwright_web::page::{Limits, read};
use std::hint::black_box;

fn main() {
    let (url, head, limits) = (input::page(), input::head(), Limits::default());
    let mut links = 0;
    for _ in 0..100 {
        links += read(black_box(input::SITE.as_bytes()), &head, &url, &limits).links.len();
    }
    for page in input::DOCS.iter().cycle().take(12) {
        links += read(black_box(page.as_bytes()), &head, &url, &limits).links.len();
    }
    println!("{links} links");
}
