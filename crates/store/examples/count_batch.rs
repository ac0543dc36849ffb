//! Records fixed pages in batches, for `tests/bench/instructions`. Making and reading the pages is counted with it.

#[path = "../benches/pages/mod.rs"]
mod pages;

use pages::{BATCH, Fixture};

fn main() {
    let mut fixture = Fixture::new();
    for _ in 0..20 {
        let batch = fixture.batch();
        fixture.commit(batch);
    }
    println!("{} pages recorded, {} URLs known", 20 * BATCH, fixture.known());
}
