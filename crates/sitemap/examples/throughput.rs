//! Measures the speed of writing and reading on this machine, in memory, on one core.
//!
//! `cargo run --release --example throughput`

use std::time::Instant;

use mapwright_sitemap::{Entry, Gzip, Lastmod, MemoryDestination, ReadLimits, Reader, Series, SeriesOptions};
use url::Url;

const URLS: usize = 1_000_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let lastmod: Lastmod = "2026-05-06T07:08:09Z".parse()?;
    let entries: Vec<Entry> = (0..URLS)
        .map(|number| Entry::new(format!("https://www.example.com/section/page-{number:07}")).with_lastmod(lastmod))
        .collect();
    for gzip in [Gzip::Always, Gzip::Never] {
        let options = SeriesOptions { gzip, ..SeriesOptions::new(Url::parse("https://www.example.com/")?) };
        let mut files = MemoryDestination::default();
        let begin = Instant::now();
        let mut series = Series::new(options, &mut files)?;
        for entry in &entries {
            series.push(entry)?;
        }
        let manifest = series.finish()?;
        let seconds = begin.elapsed().as_secs_f64();
        println!("write, gzip {gzip:?}: {:.2} million URLs/s", URLS as f64 / seconds / 1e6);
        read(&files, manifest.parts.iter().map(|part| part.name.as_str()))?;
    }
    Ok(())
}

/// Reads the parts, measured in MB of stored bytes, which is XML if nothing is compressed.
fn read<'n>(files: &MemoryDestination, names: impl Iterator<Item = &'n str>) -> Result<(), String> {
    let (begin, mut bytes, mut items) = (Instant::now(), 0, 0);
    for file in names.filter_map(|name| files.files.get(name)) {
        bytes += file.len();
        items += Reader::new(file.as_slice(), &ReadLimits::default()).count();
    }
    let seconds = begin.elapsed().as_secs_f64();
    println!("read: {:.0} MB/s, {:.2} million URLs/s", bytes as f64 / seconds / 1e6, items as f64 / seconds / 1e6);
    if items == URLS { Ok(()) } else { Err(format!("{items} URLs were read of {URLS} written")) }
}
