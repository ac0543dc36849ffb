//! Queues, hands out and settles pages of one origin and of many, for `tests/bench/instructions`.

#[path = "../benches/work/mod.rs"]
mod work;

use work::queue::Queue;

fn main() {
    let pages = Queue::new(1, 5_000).crawl() + Queue::new(250, 5_000).crawl();
    println!("{pages} pages");
}
