//! Compares the libraries that decode content codings: complete bodies, a page of the benchmark's site and, where this
//! machine has them, pages of documentation.

#![allow(missing_docs)]

use std::path::Path;

use divan::Bencher;
use divan::counter::BytesCount;

mod bodies;

use bodies::{Bodies, DECODERS};

/// Real pages: a short one, a common one, a long one.
const DOCUMENTS: [&str; 3] = [
    "/usr/share/doc/libffi8/html/Primitive-Types.html",
    "/usr/share/doc/debian-policy/policy.html/ch-source.html",
    "/usr/share/doc/qemu-utils/qemu-img.html",
];

fn main() {
    divan::main();
}

#[divan::bench(args = DECODERS.iter().map(|decoder| decoder.name))]
fn pages(bencher: Bencher<'_, '_>, name: &str) {
    measure(bencher, name, bodies::pages());
}

#[divan::bench(args = DECODERS.iter().map(|decoder| decoder.name))]
fn documents(bencher: Bencher<'_, '_>, name: &str) {
    let present = DOCUMENTS.iter().filter(|path| Path::new(path).exists());
    measure(bencher, name, present.filter_map(|path| std::fs::read(path).ok()).collect());
}

fn measure(bencher: Bencher<'_, '_>, name: &str, plain: Vec<Vec<u8>>) {
    let Some(decoder) = DECODERS.iter().find(|decoder| decoder.name == name) else { return };
    let bytes: usize = plain.iter().map(Vec::len).sum();
    let bodies = Bodies::coded(plain, decoder);
    bencher.counter(BytesCount::new(bytes)).bench_local(|| bodies.decode(decoder));
}
