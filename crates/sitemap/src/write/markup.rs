//! The text of sitemaps: head, one line per entry, closing tag.

use super::error::EntryError;
use super::format::Format;
use crate::limits::{after_web_scheme, is_xml_char};
use crate::{Entry, Lastmod, MAX_LOC_CHARS};
use std::io::Write as _;

const URLSET_HEAD: &str = concat!(
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n",
    "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n"
);
const URLSET_TAIL: &str = "</urlset>\n";
const INDEX_HEAD: &str = concat!(
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n",
    "<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n"
);
const INDEX_TAIL: &str = "</sitemapindex>\n";

/// The text before the first entry.
pub(super) const fn head(format: Format) -> &'static str {
    match format {
        Format::Xml => URLSET_HEAD,
        Format::Text => "",
    }
}

/// The text after the last entry.
pub(super) const fn tail(format: Format) -> &'static str {
    match format {
        Format::Xml => URLSET_TAIL,
        Format::Text => "",
    }
}

pub(super) const fn index_head() -> &'static str {
    INDEX_HEAD
}

pub(super) const fn index_tail() -> &'static str {
    INDEX_TAIL
}

/// Bytes of head and tail together.
pub(super) const fn frame_bytes(format: Format) -> u64 {
    (head(format).len() + tail(format).len()) as u64
}

/// Bytes of an index's head and tail together.
pub(super) const fn index_frame_bytes() -> u64 {
    (INDEX_HEAD.len() + INDEX_TAIL.len()) as u64
}

/// Checks that a sitemap may contain this location.
pub(super) fn check_loc(loc: &str) -> Result<(), EntryError> {
    if after_web_scheme(loc).is_none() {
        return Err(EntryError::Relative);
    }
    if loc.len() > MAX_LOC_CHARS {
        let chars = loc.chars().count();
        if chars > MAX_LOC_CHARS {
            return Err(EntryError::TooLong { chars });
        }
    }
    if loc.bytes().all(|b| b.is_ascii_graphic()) {
        return Ok(());
    }
    match loc.chars().find(|&c| c.is_control() || c.is_whitespace() || !is_xml_char(c)) {
        Some(found) => Err(EntryError::Character { found }),
        None => Ok(()),
    }
}

/// Renders the line of an entry into `out`, which is cleared first.
pub(super) fn render(out: &mut Vec<u8>, entry: &Entry, format: Format) -> Result<(), EntryError> {
    check_loc(&entry.loc)?;
    out.clear();
    match format {
        Format::Xml => render_url(out, entry),
        Format::Text => out.extend_from_slice(entry.loc.as_bytes()),
    }
    out.push(b'\n');
    Ok(())
}

fn render_url(out: &mut Vec<u8>, entry: &Entry) {
    out.extend_from_slice(b"<url><loc>");
    escape(out, &entry.loc);
    out.extend_from_slice(b"</loc>");
    render_lastmod(out, entry.lastmod.as_ref());
    if let Some(freq) = entry.changefreq {
        out.extend_from_slice(b"<changefreq>");
        out.extend_from_slice(freq.as_str().as_bytes());
        out.extend_from_slice(b"</changefreq>");
    }
    if let Some(hundredths) = entry.priority_hundredths() {
        render_priority(out, hundredths);
    }
    out.extend_from_slice(b"</url>");
}

/// Renders the line of an index for one sitemap.
pub(super) fn render_sitemap(out: &mut Vec<u8>, loc: &str, lastmod: Option<&Lastmod>) {
    out.clear();
    out.extend_from_slice(b"<sitemap><loc>");
    escape(out, loc);
    out.extend_from_slice(b"</loc>");
    render_lastmod(out, lastmod);
    out.extend_from_slice(b"</sitemap>\n");
}

fn render_lastmod(out: &mut Vec<u8>, lastmod: Option<&Lastmod>) {
    if let Some(lastmod) = lastmod {
        out.extend_from_slice(b"<lastmod>");
        put(out, format_args!("{lastmod}"));
        out.extend_from_slice(b"</lastmod>");
    }
}

fn render_priority(out: &mut Vec<u8>, hundredths: u8) {
    out.extend_from_slice(b"<priority>");
    let (ones, rest) = (hundredths / 100, hundredths % 100);
    if rest % 10 == 0 {
        put(out, format_args!("{ones}.{}", rest / 10));
    } else {
        put(out, format_args!("{ones}.{rest:02}"));
    }
    out.extend_from_slice(b"</priority>");
}

fn put(out: &mut Vec<u8>, text: std::fmt::Arguments<'_>) {
    // Writing into a vector cannot fail.
    let _ = out.write_fmt(text);
}

/// Appends text with the five characters of the protocol's "Entity escaping" replaced.
pub(super) fn escape(out: &mut Vec<u8>, text: &str) {
    let mut rest = text.as_bytes();
    while let Some((plain, special, after)) = next_special(rest) {
        out.extend_from_slice(plain);
        out.extend_from_slice(special);
        rest = after;
    }
    out.extend_from_slice(rest);
}

/// The text before the first special character, its replacement, and the text after it.
fn next_special(text: &[u8]) -> Option<(&[u8], &'static [u8], &[u8])> {
    let (at, replacement) = text.iter().enumerate().find_map(|(at, byte)| Some((at, replacement(*byte)?)))?;
    let (plain, rest) = text.split_at_checked(at)?;
    Some((plain, replacement, rest.split_first()?.1))
}

const fn replacement(byte: u8) -> Option<&'static [u8]> {
    match byte {
        b'&' => Some(b"&amp;"),
        b'\'' => Some(b"&apos;"),
        b'"' => Some(b"&quot;"),
        b'<' => Some(b"&lt;"),
        b'>' => Some(b"&gt;"),
        _ => None,
    }
}
