//! Strict checks of one document by the protocol.

mod decimal;
mod entry_checker;
mod loc;
mod report;

use std::io::{BufReader, Read};

use jiff::Timestamp;
use url::Url;

pub use report::CheckReport;

use crate::MAX_BYTES;
use crate::read::{Document, ReadLimits};
use entry_checker::EntryChecker;

/// The maximum number of findings of each rule in a report.
const MAX_FINDINGS: usize = 1_000;

/// The context of a document: its URL and the way it was served.
#[derive(Clone, Debug, Default)]
pub struct DocumentContext {
    /// The URL that it was served from. Its entries must then be on the same host, scheme and port, and pages in the
    /// directory of the sitemap or below. Without it, the first entry determines the host of all others.
    pub url: Option<Url>,
    /// The `charset` of the `Content-Type` that it was served with. For XML it takes precedence over the declaration,
    /// but not over a byte-order mark (RFC 7303, 3.2).
    pub charset: Option<String>,
    /// The permission to list the URLs of another host; applied only if `url` is known.
    pub cross_submit: CrossSubmit,
}

/// The permission of a sitemap to list the URLs of one other host: that host's robots.txt must name the sitemap
/// (sitemaps.org, "Sitemaps & Cross Submits").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CrossSubmit {
    /// No robots.txt is known to name the sitemap: entries on another host are faults.
    #[default]
    Unproven,
    /// No robots.txt could be requested: if all entries are on one other host, that is a remark.
    NotRequested,
    /// The robots.txt of the first entry's host names the sitemap: all entries must be on that host.
    Proven,
}

/// Checks a sitemap, sitemap index, feed or text sitemap by the protocol's own limits (50,000 entries and 52,428,800
/// bytes uncompressed), whatever stricter limits a writer may use. Files that the document lists are not checked.
///
/// Dates after `now` lie in the future.
///
/// ```
/// use mapwright_sitemap::{CheckRule, DocumentContext, check};
///
/// let text = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>\n\
///             <url><loc>/a</loc></url></urlset>";
/// let report = check(text.as_bytes(), &DocumentContext::default(), jiff::Timestamp::now());
/// assert_eq!(report.faults.len(), 1);
/// assert_eq!((report.faults[0].line, report.faults[0].rule), (2, CheckRule::LocRelative));
/// ```
pub fn check(input: impl Read, context: &DocumentContext, now: Timestamp) -> CheckReport {
    let limits = ReadLimits { bytes: MAX_BYTES, entries: u64::MAX, faults: MAX_FINDINGS, ..ReadLimits::default() };
    let mut document = Document::new(BufReader::new(input), &limits, context);
    let mut checker = EntryChecker::new(context, now, MAX_FINDINGS);
    while document.next() {
        checker.entry(&document.entry, document.kind(), document.entries(), &mut document.faults);
    }
    checker.document(&mut document);
    CheckReport::new(document, checker.remarks)
}
