//! `cargo bench -p mapwright-sitemap`: writing a series, in entries, and reading one, in bytes of its XML.

#![allow(missing_docs)]

mod entries;

use divan::counter::{BytesCount, ItemsCount};
use divan::{Bencher, black_box};
use entries::{FORMS, Form};

/// The number of entries of a series: more than one file holds.
const COUNT: usize = 120_000;

fn main() {
    divan::main();
}

#[divan::bench(args = FORMS, sample_count = 20, sample_size = 1)]
fn written(bencher: Bencher<'_, '_>, form: Form) {
    let entries = entries::entries(form, COUNT);
    bencher.counter(ItemsCount::new(COUNT)).bench_local(|| entries::write(form, black_box(&entries)));
}

/// Compressed parts count by their uncompressed size.
#[divan::bench(args = FORMS, sample_count = 20, sample_size = 1)]
fn read(bencher: Bencher<'_, '_>, form: Form) {
    let parts = entries::parts(form, COUNT);
    let plain = if form == Form::XmlGzip { Form::Xml } else { form };
    let bytes: usize = entries::parts(plain, COUNT).iter().map(Vec::len).sum();
    bencher.counter(BytesCount::new(bytes)).counter(ItemsCount::new(COUNT)).bench_local(|| entries::read(&parts));
}
