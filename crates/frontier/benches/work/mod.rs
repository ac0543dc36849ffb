//! What the benchmarks and the counted programs work on: fixed, so that figures compare.

#![allow(dead_code, reason = "each program takes what it needs")]
#![allow(clippy::expect_used, clippy::panic, reason = "work that is fixed")]

pub(crate) mod queue;

use mapwright_frontier::{Known, Seen, Standing, UrlId};
use mapwright_web::UrlKey;

/// Keys as evenly spread as those of a record, which are keyed hashes. No two numbers share one.
pub(crate) fn key(number: u32) -> UrlKey {
    let mixed = (u64::from(number) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    UrlKey(mixed ^ (mixed >> 31))
}

/// So many known URLs.
pub(crate) fn seen(count: u32) -> Seen {
    let seen = Seen::new();
    for number in 0..count {
        seen.insert(key(number), Known { id: UrlId(number), standing: Standing::Decided });
    }
    seen
}

/// Asks about as many URLs as there are in `asked`, half of which are known; gives how many are.
pub(crate) fn ask(seen: &Seen, asked: &[UrlKey]) -> usize {
    asked.iter().filter(|key| seen.get(**key).is_some()).count()
}

/// So many keys to ask `known` URLs about, all over them, every other one not among them.
pub(crate) fn asked(known: u32, count: u32) -> Vec<UrlKey> {
    let scattered = |number: u32| number.wrapping_mul(0x9e37_79b1) % known;
    (0..count).map(|number| key(scattered(number) + if number % 2 == 0 { 0 } else { known })).collect()
}
