//! The bytes of the pages.
//!
//! A page consists of its own part (head, heading, links of its own: about 5 KB) and one of a few stock parts (prose,
//! navigation, footer). The stock is compressed once, the own part quickly while it is served, and the two are joined
//! to one gzip member with a combined checksum, so that no page is compressed completely. The compressed own part,
//! about 2 KB, is cached, so that serving a page again costs little more than sending it.

use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::OnceLock;

use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};

use super::deflate;
use super::plan::{PageKind, SitePlan};
use super::words::{phrase, scramble};

/// Approximate size of a page's text, in bytes, which varies with the length of its titles.
const PAGE_SIZE: usize = 24_500;
/// Approximate size of a page's own part, in bytes.
const OWN_SIZE: usize = 5_100;
/// Number of stock parts.
const STOCK: u64 = 64;
/// Compression level of stock parts.
const THOROUGH: u32 = 6;
/// Maximum number of pages with a cached own part.
const KEPT: u64 = 1 << 20;
/// Size of the trailer of a gzip member, in bytes: checksum and length (RFC 1952, section 2.3).
const GZIP_TRAILER: usize = 8;
/// A gzip header without name or time (RFC 1952, section 2.3).
const GZIP_HEADER: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];

/// A page as text or as gzip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Body {
    /// Uncompressed.
    Plain,
    /// One gzip member.
    Gzip,
}

/// The end of a page, as text and compressed.
struct StockPart {
    text: String,
    packed: Vec<u8>,
    sum: Crc,
}

/// Generates pages.
pub struct PageGenerator {
    plan: SitePlan,
    stock: Vec<StockPart>,
    /// The cached bytes around the stock part in the gzip form of a page: header and own part, then the trailer.
    kept: Vec<OnceLock<Box<[u8]>>>,
}

impl std::fmt::Debug for PageGenerator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PageGenerator").field("plan", &self.plan).finish_non_exhaustive()
    }
}

impl PageGenerator {
    /// Prepares the stock for the pages of this plan.
    #[must_use]
    pub fn new(plan: SitePlan) -> PageGenerator {
        let stock = (0..STOCK).map(|variant| stock_part(&plan, variant)).collect();
        let kept = (0..plan.pages().min(KEPT)).map(|_| OnceLock::new()).collect();
        PageGenerator { plan, stock, kept }
    }

    /// Compresses all cached pages, so that the first request is served as fast as the second.
    pub fn warm(&self) {
        let mut out = Vec::new();
        for number in 0..self.kept.len() as u64 {
            out.clear();
            self.print(number, Body::Gzip, &mut out);
        }
    }

    /// The plan of its pages.
    #[must_use]
    pub fn plan(&self) -> &SitePlan {
        &self.plan
    }

    /// Writes the page of this number to the end of `out`.
    pub fn print(&self, number: u64, body: Body, out: &mut Vec<u8>) {
        let variant = usize::try_from(number % STOCK).unwrap_or(0);
        let Some(stock) = self.stock.get(variant) else { return };
        let fresh = || pack_own(&own_part(&self.plan, number), stock);
        match (body, usize::try_from(number).ok().and_then(|index| self.kept.get(index))) {
            (Body::Plain, _) => {
                out.extend_from_slice(own_part(&self.plan, number).as_bytes());
                out.extend_from_slice(stock.text.as_bytes());
            }
            (Body::Gzip, Some(kept)) => join(kept.get_or_init(fresh), stock, out),
            (Body::Gzip, None) => join(&fresh(), stock, out),
        }
    }
}

/// Compresses the own part; returns the bytes around the stock part in one gzip member of both (RFC 1952). The own part
/// ends on a byte boundary, where the stock part follows; neither refers back into the other.
fn pack_own(own: &str, stock: &StockPart) -> Box<[u8]> {
    let mut packed = GZIP_HEADER.to_vec();
    deflate::pack(own.as_bytes(), &mut packed);
    let mut sum = Crc::new();
    sum.update(own.as_bytes());
    sum.combine(&stock.sum);
    packed.extend_from_slice(&sum.sum().to_le_bytes());
    let length = u32::try_from(own.len() + stock.text.len()).unwrap_or(u32::MAX);
    packed.extend_from_slice(&length.to_le_bytes());
    packed.into_boxed_slice()
}

fn join(own: &[u8], stock: &StockPart, out: &mut Vec<u8>) {
    let (before, after) = own.split_at(own.len() - GZIP_TRAILER);
    out.extend_from_slice(before);
    out.extend_from_slice(&stock.packed);
    out.extend_from_slice(after);
}

fn own_part(plan: &SitePlan, number: u64) -> String {
    let title = plan.title(number);
    let canonical = plan.path(plan.canonical(number));
    let robots = match plan.kind(number) {
        PageKind::NoIndex => "<meta name=\"robots\" content=\"noindex\">\n",
        _ => "",
    };
    let mut page = String::with_capacity(OWN_SIZE + OWN_SIZE / 4);
    let _ = write!(
        page,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n{robots}\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"description\" content=\"{}.\">\n<link rel=\"canonical\" href=\"{canonical}\">\n\
         <link rel=\"stylesheet\" href=\"/static/site.css\">\n<script src=\"/static/site.js\" defer></script>\n\
         </head>\n<body>\n<main>\n<h1>{title}</h1>\n<ul class=\"related\">\n",
        phrase(scramble(number), 14, " "),
    );
    for link in plan.links(number) {
        let href = plan.href(link);
        let text = plan.title(link);
        let _ = writeln!(page, "<li class=\"related-item\"><a href=\"{href}\">{text}</a></li>");
    }
    page.push_str("</ul>\n");
    page
}

fn stock_part(plan: &SitePlan, variant: u64) -> StockPart {
    let closing = closing(plan);
    let mut text = String::new();
    let mut key = variant << 32;
    while text.len() + closing.len() + OWN_SIZE < PAGE_SIZE {
        key += 1;
        paragraph(key, &mut text);
    }
    text.push_str(&closing);
    let packed = packed_last(text.as_bytes());
    let mut sum = Crc::new();
    sum.update(text.as_bytes());
    StockPart { text, packed, sum }
}

/// Compresses the last part of a stream.
fn packed_last(text: &[u8]) -> Vec<u8> {
    let mut packer = DeflateEncoder::new(Vec::new(), Compression::new(THOROUGH));
    packer.write_all(text).expect("writing into memory does not fail");
    packer.finish().expect("writing into memory does not fail")
}

fn paragraph(key: u64, text: &mut String) {
    if key.is_multiple_of(8) {
        let _ = writeln!(text, "<h2 id=\"part-{}\">{}</h2>", key & 0xffff, phrase(scramble(key), 4, " "));
    }
    text.push_str("<p>");
    for sentence in 0..4 {
        let words = phrase(scramble(key * 16 + sentence), 11, " ");
        let _ = write!(text, "{words}, <em>{}</em>. ", phrase(scramble(key * 16 + sentence + 8), 3, " "));
    }
    text.push_str("</p>\n");
}

/// The end of every page: the navigation and the footer.
fn closing(plan: &SitePlan) -> String {
    let mut text = String::from("</main>\n<nav aria-label=\"Site\">\n<ul>\n");
    for link in plan.navigation() {
        let _ = writeln!(text, "<li><a href=\"{}\">{}</a></li>", plan.href(link), plan.title(link));
    }
    text.push_str("</ul>\n</nav>\n<footer><p>A generated site.</p></footer>\n</body>\n</html>\n");
    text
}

#[cfg(test)]
mod tests;
