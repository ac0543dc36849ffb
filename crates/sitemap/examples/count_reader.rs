//! Reads the files of a fixed series many times, so that writing them counts little, for `tests/bench/instructions`.

#[path = "../benches/entries/mod.rs"]
mod entries;

use entries::{FORMS, parts, read};

fn main() {
    let files: Vec<_> = FORMS.iter().map(|form| parts(*form, 2_000)).collect();
    let entries: usize = (0..20).flat_map(|_| &files).map(|parts| read(parts)).sum();
    println!("{entries} entries");
}
