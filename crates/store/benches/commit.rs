//! `cargo bench -p mapwright-store`: one transaction for a batch of visits, with their facts, links and discoveries.

mod pages;

use divan::Bencher;
use divan::counter::ItemsCount;
use pages::{BATCH, Desk};
use std::cell::RefCell;

fn main() {
    divan::main();
}

/// The record grows from batch to batch; what each batch holds is made before it is timed.
#[divan::bench(sample_count = 200, sample_size = 1)]
fn batch(bencher: Bencher<'_, '_>) {
    let desk = RefCell::new(Desk::new());
    bencher
        .counter(ItemsCount::new(BATCH))
        .with_inputs(|| desk.borrow_mut().batch())
        .bench_local_values(|batch| desk.borrow().commit(batch));
}
