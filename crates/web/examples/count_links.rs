//! Reads a fixed page a fixed number of times as a crawl does, its links recognized by their texts, for
//! `tests/bench/instructions`.

#[path = "../benches/input/mod.rs"]
mod input;

use mapwright_web::KeyMaker;
use mapwright_web::page::{Document, Limits};
use std::hint::black_box;

fn main() {
    let (url, head, limits, keys) = (input::page(), input::head(), Limits::default(), KeyMaker::new(1, 2));
    let (mut sum, mut text) = (0_u64, String::new());
    for _ in 0..200 {
        let document = Document::decode(black_box(input::SITE.as_bytes()), &head);
        let (facts, links) = document.read(&head, &url, &limits);
        for link in &links.written {
            if links.joiner.write_canonical_candidate(link.href(), &mut text) {
                sum = sum.wrapping_add(keys.key_text(&text).0);
            }
        }
        black_box(facts);
    }
    println!("{sum:x}");
}
