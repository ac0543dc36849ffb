//! Resolves fixed references a fixed number of times, for `tests/bench/instructions`.

#[path = "../benches/input/mod.rs"]
mod input;

use mapwright_web::{KeyMaker, PageUrl, UrlIdentity};
use std::hint::black_box;

fn main() {
    let (page, identity, keys) = (input::page(), UrlIdentity::default(), KeyMaker::new(1, 2));
    let mut sum = 0_u64;
    for href in input::REFERENCES.iter().cycle().take(5_000) {
        if let Ok(url) = PageUrl::join(page.as_url(), black_box(href), encoding_rs::UTF_8, &identity) {
            sum = sum.wrapping_add(keys.key(&url).0);
        }
    }
    println!("{sum:x}");
}
