//! The workload of the benchmarks and the counted programs: fixed, so that figures compare.

#![allow(dead_code, reason = "each program takes what it needs")]
#![allow(clippy::expect_used, clippy::panic, reason = "work that is fixed")]

pub(crate) mod queue;

use mapwright_frontier::{DiscoveryState, Known, Seen};
use mapwright_model::UrlId;
use mapwright_web::UrlKey;

/// Keys as evenly spread as those of a record, which are keyed hashes. No two numbers share one.
pub(crate) fn key(number: u32) -> UrlKey {
    let mixed = (u64::from(number) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    UrlKey(mixed ^ (mixed >> 31))
}

/// Returns a set of `count` known URLs.
pub(crate) fn seen(count: u32) -> Seen {
    let seen = Seen::new();
    for number in 0..count {
        seen.insert(key(number), Known { id: UrlId(number), discovery_state: DiscoveryState::Decided });
    }
    seen
}

/// Looks up the URLs in `requested`, half of which are known; returns how many are.
pub(crate) fn request(seen: &Seen, requested: &[UrlKey]) -> usize {
    requested.iter().filter(|key| seen.get(**key).is_some()).count()
}

/// Returns `count` keys to look up among `known` URLs, spread over all of them; every second one is unknown.
pub(crate) fn requested(known: u32, count: u32) -> Vec<UrlKey> {
    let scattered = |number: u32| number.wrapping_mul(0x9e37_79b1) % known;
    (0..count).map(|number| key(scattered(number) + if number % 2 == 0 { 0 } else { known })).collect()
}
