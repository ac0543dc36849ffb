//! `cargo bench -p mapwright-frontier`: the set of known URLs, and the scheduler.

mod work;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use mapwright_frontier::{DiscoveryState, Known, Seen};
use mapwright_model::UrlId;
use work::queue::Queue;

/// URLs of one batch of lookups.
const REQUESTED: u32 = 10_000;
/// Pages of one crawl.
const PAGES: u32 = 20_000;

fn main() {
    divan::main();
}

/// Fills an empty set.
#[divan::bench(args = [10_000, 1_000_000])]
fn seen_filled(bencher: Bencher<'_, '_>, count: u32) {
    let keys: Vec<_> = (0..count).map(work::key).collect();
    bencher.counter(ItemsCount::new(count)).bench_local(|| {
        let seen = Seen::new();
        for (number, key) in (0..).zip(&keys) {
            seen.insert(*key, Known { id: UrlId(number), discovery_state: DiscoveryState::Decided });
        }
        seen
    });
}

/// Looks up URLs as visits look up the links of their pages, one visit at a time and two at once.
#[divan::bench(args = [10_000, 1_000_000], threads = [1, 2])]
fn seen_requested(bencher: Bencher<'_, '_>, known: u32) {
    let (seen, requested) = (work::seen(known), work::requested(known, REQUESTED));
    bencher.counter(ItemsCount::new(REQUESTED)).bench(|| work::request(black_box(&seen), &requested));
}

/// Queues pages at `origins` origins, and hands out and settles each of them.
#[divan::bench(args = [1, 1_000])]
fn scheduler(bencher: Bencher<'_, '_>, origins: u32) {
    let queue = Queue::new(origins, PAGES);
    bencher.counter(ItemsCount::new(PAGES)).bench_local(|| black_box(&queue).crawl());
}
