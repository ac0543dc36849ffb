//! Writes a series of fixed entries, for `tests/bench/instructions`.

#[path = "../benches/entries/mod.rs"]
mod entries;

use entries::{FORMS, entries, write};

fn main() {
    let files: usize = FORMS.iter().map(|form| write(*form, &entries(*form, 20_000)).files.len()).sum();
    println!("{files} files");
}
