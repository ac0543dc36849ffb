//! The sitemaps on disk, read independently of the product's own reader.

use std::io::Read;
use std::path::Path;

use flate2::read::MultiGzDecoder;

/// One `url` or `sitemap` element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The location, character references decoded.
    pub loc: String,
    /// The `lastmod`, as written.
    pub lastmod: Option<String>,
    /// The `changefreq`, as written.
    pub changefreq: Option<String>,
    /// The `priority`, as written.
    pub priority: Option<String>,
}

/// Every page of the sitemap in `directory`, in the order of the files, parts of an index included.
///
/// # Panics
/// If a file is missing or cannot be decompressed.
#[must_use]
pub fn entries(directory: &Path) -> Vec<Entry> {
    let text = read(&directory.join("sitemap.xml"));
    if !text.contains("<sitemapindex") {
        return entries_of(&text);
    }
    let parts = entries_of(&text).into_iter();
    parts.flat_map(|part| entries_of(&read(&directory.join(file_name(&part.loc))))).collect()
}

/// The text of a sitemap file, decompressed if necessary.
///
/// # Panics
/// If it is missing, cannot be decompressed, or is not UTF-8.
#[must_use]
pub fn read(file: &Path) -> String {
    let name = file.display();
    let bytes = std::fs::read(file).unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut text = String::new();
    let read = if bytes.starts_with(&[0x1f, 0x8b]) {
        MultiGzDecoder::new(bytes.as_slice()).read_to_string(&mut text)
    } else {
        bytes.as_slice().read_to_string(&mut text)
    };
    read.unwrap_or_else(|error| panic!("{name}: {error}"));
    text
}

/// Every entry of a urlset or an index, in order. The document must be well-formed.
#[must_use]
pub fn entries_of(xml: &str) -> Vec<Entry> {
    let tag = if xml.contains("<sitemapindex") { "sitemap" } else { "url" };
    let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
    let blocks = xml.split(&open).skip(1).filter_map(|rest| rest.split_once(&close));
    let entry = |(block, _): (&str, &str)| Entry {
        loc: mapwright_testkit::locations(block).pop().unwrap_or_default(),
        lastmod: element(block, "lastmod"),
        changefreq: element(block, "changefreq"),
        priority: element(block, "priority"),
    };
    blocks.map(entry).collect()
}

/// The last segment of a part's URL: its name on disk.
#[must_use]
pub fn file_name(url: &str) -> &str {
    url.rsplit('/').next().unwrap_or_default()
}

fn element(block: &str, tag: &str) -> Option<String> {
    let (_, rest) = block.split_once(&format!("<{tag}>"))?;
    let (text, _) = rest.split_once(&format!("</{tag}>"))?;
    Some(text.trim().to_owned())
}
