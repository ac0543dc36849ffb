//! Records fixed pages in batches, for `tests/bench/instructions`. Making and reading the pages is counted with it.

#[path = "../benches/pages/mod.rs"]
mod pages;

use pages::{BATCH, Desk};

fn main() {
    let mut desk = Desk::new();
    for _ in 0..20 {
        let batch = desk.batch();
        desk.commit(batch);
    }
    println!("{} pages recorded, {} URLs known", 20 * BATCH, desk.known());
}
