//! `cargo bench -p mapwright-store`: one transaction for a batch of visits, with their facts, links and discoveries.

mod pages;

use divan::Bencher;
use divan::counter::ItemsCount;
use pages::{BATCH, Fixture};
use std::cell::RefCell;

fn main() {
    divan::main();
}

/// The record grows from batch to batch; each batch is generated before the timing starts.
#[divan::bench(sample_count = 200, sample_size = 1)]
fn batch(bencher: Bencher<'_, '_>) {
    let fixture = RefCell::new(Fixture::new());
    bencher
        .counter(ItemsCount::new(BATCH))
        .with_inputs(|| fixture.borrow_mut().batch())
        .bench_local_values(|batch| fixture.borrow().commit(batch));
}
