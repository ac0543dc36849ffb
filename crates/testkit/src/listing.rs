//! The URLs of a published sitemap, read independently of the product's own reader.

use std::collections::BTreeSet;
use std::io::{self, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;

/// The file that readers start with, and its compressed form.
const ENTRY_POINTS: [&str; 2] = ["sitemap.xml", "sitemap.xml.gz"];

/// The set of URLs listed by the sitemap in `directory`.
///
/// # Panics
/// When there is no sitemap, a part that the index names is missing, or a URL is listed twice.
#[track_caller]
#[must_use]
pub fn listed(directory: &Path) -> BTreeSet<String> {
    let all = read_listed(directory).unwrap_or_else(|error| panic!("no sitemap to read: {error}"));
    let mut set = BTreeSet::new();
    for url in all {
        assert!(set.insert(url.clone()), "{url} is listed twice in {}", directory.display());
    }
    set
}

/// Asserts that the sitemap in `directory` lists these URLs, each once, and no others.
///
/// # Panics
/// When it does not; the message names the missing and the unexpected URLs.
#[track_caller]
pub fn assert_listed<S: AsRef<str>>(directory: &Path, expected: &[S]) {
    let listed = listed(directory);
    let expected: BTreeSet<String> = expected.iter().map(|url| url.as_ref().to_owned()).collect();
    let missing: Vec<_> = expected.difference(&listed).collect();
    let unexpected: Vec<_> = listed.difference(&expected).collect();
    assert!(
        missing.is_empty() && unexpected.is_empty(),
        "the sitemap in {} lacks {missing:#?} and lists without reason {unexpected:#?}",
        directory.display()
    );
}

/// Asserts that the sitemap in `directory` does not list this URL.
///
/// # Panics
/// When it does.
#[track_caller]
pub fn assert_not_listed(directory: &Path, url: &str) {
    assert!(!listed(directory).contains(url), "the sitemap in {} lists {url}", directory.display());
}

/// Returns every URL that the sitemap in `directory` lists, in the order of the files, including the parts of an index
/// (each is read from the same directory, by the last segment of its URL).
///
/// # Errors
/// When a file is missing or cannot be decompressed; the message names it.
pub fn read_listed(directory: &Path) -> io::Result<Vec<String>> {
    let present = ENTRY_POINTS.iter().map(|name| directory.join(name)).find(|path| path.exists());
    let entry_point = present.unwrap_or_else(|| directory.join("sitemap.xml"));
    read_file(&entry_point, directory)
}

fn read_file(file: &Path, directory: &Path) -> io::Result<Vec<String>> {
    let text = unpacked(file).map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", file.display())))?;
    let locations = locations(&text);
    if !text.contains("<sitemapindex") {
        return Ok(locations);
    }
    let mut all = Vec::new();
    for part in locations {
        let name = part.rsplit('/').next().unwrap_or_default();
        all.extend(read_file(&directory.join(name), directory)?);
    }
    Ok(all)
}

fn unpacked(file: &Path) -> io::Result<String> {
    let bytes = std::fs::read(file)?;
    let mut text = String::new();
    if bytes.starts_with(&[0x1f, 0x8b]) {
        MultiGzDecoder::new(bytes.as_slice()).read_to_string(&mut text)?;
    } else {
        bytes.as_slice().read_to_string(&mut text)?;
    }
    Ok(text)
}

/// Returns the text of every `loc` element, in order, with character references decoded. It is for well-formed files
/// and checks nothing.
#[must_use]
pub fn locations(xml: &str) -> Vec<String> {
    xml.split("<loc>")
        .skip(1)
        .filter_map(|rest| rest.split_once("</loc>"))
        .map(|(location, _)| decode(location.trim()))
        .collect()
}

fn decode(text: &str) -> String {
    let mut decoded = String::with_capacity(text.len());
    let mut pieces = text.split('&');
    decoded.push_str(pieces.next().unwrap_or_default());
    for piece in pieces {
        match piece.split_once(';').and_then(|(name, rest)| Some((character(name)?, rest))) {
            Some((character, rest)) => {
                decoded.push(character);
                decoded.push_str(rest);
            }
            None => {
                decoded.push('&');
                decoded.push_str(piece);
            }
        }
    }
    decoded
}

fn character(name: &str) -> Option<char> {
    let number = match name {
        "amp" => return Some('&'),
        "lt" => return Some('<'),
        "gt" => return Some('>'),
        "apos" => return Some('\''),
        "quot" => return Some('"'),
        _ => name.strip_prefix('#')?,
    };
    let code = match number.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
        None => number.parse().ok()?,
    };
    char::from_u32(code)
}

#[cfg(test)]
mod tests;
