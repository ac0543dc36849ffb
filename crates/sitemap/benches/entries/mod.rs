//! The fixed input of the benchmarks and the counted programs, so that figures compare.

#![allow(dead_code, reason = "each program takes what it needs")]
#![allow(clippy::expect_used, reason = "entries that are fixed")]

use mapwright_sitemap::{Entry, Gzip, Lastmod, MemoryDestination, ReadLimits, Reader, Series, SeriesOptions};
use url::Url;

/// The forms of a series.
pub(crate) const FORMS: [Form; 3] = [Form::Xml, Form::XmlGzip, Form::Referenced];

/// The form of the files of a series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Plain XML.
    Xml,
    /// Gzipped XML.
    XmlGzip,
    /// Plain XML in which every URL contains `&amp;` three times.
    Referenced,
}

/// Typical entries of a site, as many as `count`.
pub(crate) fn entries(form: Form, count: usize) -> Vec<Entry> {
    let lastmod: Lastmod = "2026-05-06T07:08:09Z".parse().expect("a fixed date");
    let query = if form == Form::Referenced { "?id=1&lang=en&view=full&page=2" } else { "" };
    (0..count)
        .map(|number| format!("https://www.example.com/section-{}/page-{number:07}.html{query}", number % 97))
        .map(|loc| Entry::new(loc).with_lastmod(lastmod))
        .collect()
}

/// Writes the entries as a series into memory.
pub(crate) fn write(form: Form, entries: &[Entry]) -> MemoryDestination {
    let base = Url::parse("https://www.example.com/").expect("a fixed URL");
    let gzip = if form == Form::XmlGzip { Gzip::Always } else { Gzip::Never };
    let mut files = MemoryDestination::default();
    let mut series =
        Series::new(SeriesOptions { gzip, ..SeriesOptions::new(base) }, &mut files).expect("fixed options");
    for entry in entries {
        series.push(entry).expect("an entry that any sitemap may hold");
    }
    series.finish().expect("memory does not fail");
    files
}

/// The stored bytes of a series' parts, without the index.
pub(crate) fn parts(form: Form, count: usize) -> Vec<Vec<u8>> {
    let MemoryDestination { files, published } = write(form, &entries(form, count));
    let names = published.iter().flat_map(|manifest| &manifest.parts).map(|part| &part.name);
    names.filter_map(|name| files.get(name).cloned()).collect()
}

/// Reads the parts and returns the number of their entries.
pub(crate) fn read(parts: &[Vec<u8>]) -> usize {
    parts.iter().map(|part| Reader::new(part.as_slice(), &ReadLimits::default()).count()).sum()
}
