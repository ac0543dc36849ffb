//! Sitemaps: for any bytes, the reader terminates and yields absolute URLs, pages survive a round trip of writing and
//! reading, and the checker terminates.

#![no_main]

use jiff::Timestamp;
use libfuzzer_sys::fuzz_target;
use mapwright_sitemap::{
    Entry, Item, MemoryDestination, PageEntry, ReadLimits, Reader, Series, SeriesLimits, SeriesOptions, DocumentContext, check,
};
use std::collections::BTreeMap;

fuzz_target!(|data: &[u8]| {
    let url = url::Url::parse("https://www.example.com/maps/sitemap.xml").unwrap();
    let limits = ReadLimits::default();
    let items: Vec<Item> = Reader::of_url(data, &limits, &url).collect();
    for item in &items {
        absolute(item.loc());
    }
    bounded(data);
    again(&items);
    for subject in [DocumentContext::default(), DocumentContext { url: Some(url), charset: Some("iso-8859-1".to_owned()), ..DocumentContext::default() }] {
        let report = check(data, &subject, Timestamp::UNIX_EPOCH);
        assert!(report.faults.iter().all(|fault| fault.line >= 1), "lines count from 1");
    }
});

fn absolute(loc: &str) {
    let lower = loc.get(..8).unwrap_or(loc).to_ascii_lowercase();
    assert!(lower.starts_with("http://") || lower.starts_with("https://"), "{loc:?}");
    // White space means that of XML (section 2.3) and of the URL standard; other blanks are ordinary characters.
    assert!(!loc.contains(['\t', '\n', '\r']) && loc.trim_matches(' ') == loc, "{loc:?}");
}

/// Asserts that tight limits hold.
fn bounded(data: &[u8]) {
    let tight = ReadLimits { entries: 2, depth: 4, text_bytes: 64, faults: 3, ..ReadLimits::default() };
    let mut reader = Reader::new(data, &tight);
    let items: Vec<Item> = reader.by_ref().collect();
    assert!(items.len() <= 2, "{}", items.len());
    let mut of_rule = BTreeMap::new();
    reader.faults().iter().for_each(|fault| *of_rule.entry(fault.rule).or_insert(0) += 1);
    assert!(of_rule.values().all(|count| *count <= 3), "{of_rule:?}");
    assert!(items.iter().all(|item| item.loc().len() <= 64));
}

/// Writes the pages and reads them back, and asserts that they are equal and in the same order.
fn again(items: &[Item]) {
    let mut files = MemoryDestination::default();
    let limits = SeriesLimits { urls: 3, bytes: 4_000, ..SeriesLimits::default() };
    let base = url::Url::parse("https://www.example.com/").unwrap();
    let options = SeriesOptions { limits, ..SeriesOptions::new(base) };
    let mut series = Series::new(options, &mut files).unwrap();
    let mut written = Vec::new();
    for item in items {
        let Item::Page(page) = item else { continue };
        match series.push(&entry(page)) {
            Ok(_) => written.push(reported(page)),
            Err(error) => assert!(error.is_entry(), "{error}"),
        }
    }
    let Ok(manifest) = series.finish() else {
        assert!(written.is_empty(), "nothing was published of {} pages", written.len());
        return;
    };
    let mut read = Vec::new();
    for part in &manifest.parts {
        assert!(part.urls <= 3 && part.bytes <= 4_000);
        let mut reader = Reader::new(files.files[&part.name].as_slice(), &ReadLimits::default());
        for item in reader.by_ref() {
            let Item::Page(page) = item else { panic!("a part lists pages") };
            read.push(reported(&page));
        }
        assert!(!reader.truncated(), "{:?}", reader.faults());
    }
    assert_eq!(written, read);
    assert_eq!(manifest.urls as usize, read.len());
}

fn entry(page: &PageEntry) -> Entry {
    Entry { lastmod: page.lastmod, changefreq: page.changefreq, priority: page.priority, ..Entry::new(&page.loc) }
}

/// The fields of a page that a sitemap can contain, with the priority in hundredths.
fn reported(page: &PageEntry) -> (String, Option<String>, Option<&'static str>, Option<u32>) {
    let hundredths = page.priority.map(|priority| (priority * 100.0).round() as u32);
    (page.loc.clone(), page.lastmod.map(|date| date.to_string()), page.changefreq.map(|freq| freq.as_str()), hundredths)
}
