//! Lists every URL of a sitemap file of any form and reports its faults.
//!
//! `cargo run --example read -- sitemap.xml.gz`

use std::fs::File;
use std::io::{self, BufReader, Write as _};

use mapwright_sitemap::{ReadLimits, Reader};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("name a sitemap file")?;
    let mut reader = Reader::new(BufReader::new(File::open(path)?), &ReadLimits::default());
    let mut out = io::BufWriter::new(io::stdout().lock());
    for item in reader.by_ref() {
        writeln!(out, "{}", item.loc())?;
    }
    out.flush()?;
    for fault in reader.faults() {
        eprintln!("{fault}");
    }
    eprintln!("{:?}, read to the end: {}", reader.kind(), !reader.truncated());
    Ok(())
}
