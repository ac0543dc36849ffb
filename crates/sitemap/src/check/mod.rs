//! Checking one document by the protocol, strictly.

mod decimal;
mod judge;
mod loc;
mod report;

use std::io::{BufReader, Read};

use jiff::Timestamp;
use url::Url;

pub use report::Report;

use crate::MAX_BYTES;
use crate::read::{Document, ReadLimits};
use judge::Judge;

/// Findings of each rule that a report holds.
const MAX_FINDINGS: usize = 1_000;

/// What is known of a document beside its bytes.
#[derive(Clone, Debug, Default)]
pub struct Subject {
    /// Where it was served from. Its entries must then be on the same host, scheme and port, and pages in the
    /// directory of the sitemap or below. Without it, the first entry tells which host all others must be on.
    pub url: Option<Url>,
    /// The `charset` of the `Content-Type` that it was served with. For XML it outranks the declaration, though not a
    /// byte-order mark (RFC 7303, 3.2).
    pub charset: Option<String>,
    /// Whether it may list the URLs of another host than its own; heeded where `url` is known.
    pub cross_submit: CrossSubmit,
}

/// Whether a sitemap may list the URLs of another host than its own: all of one, whose robots.txt names the sitemap
/// (sitemaps.org, "Sitemaps & Cross Submits").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CrossSubmit {
    /// No robots.txt is known to name it: entries on another host are faults.
    #[default]
    Unproven,
    /// No robots.txt could be asked: where all entries are on one other host, that is a remark.
    Unasked,
    /// The robots.txt of the host of the first entry names it: all entries must be on that host.
    Proven,
}

/// Judges a sitemap, sitemap index, feed or text sitemap by the protocol's own limits (50,000 entries and 52,428,800
/// bytes uncompressed), whatever stricter ones a writer may use. Only this document is judged, not what it names.
///
/// `now` tells which dates lie in the future.
///
/// ```
/// use mapwright_sitemap::{Rule, Subject, check};
///
/// let text = "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>\n\
///             <url><loc>/a</loc></url></urlset>";
/// let report = check(text.as_bytes(), &Subject::default(), jiff::Timestamp::now());
/// assert_eq!(report.faults.len(), 1);
/// assert_eq!((report.faults[0].line, report.faults[0].rule), (2, Rule::LocRelative));
/// ```
pub fn check(input: impl Read, about: &Subject, now: Timestamp) -> Report {
    let limits = ReadLimits { bytes: MAX_BYTES, entries: u64::MAX, faults: MAX_FINDINGS, ..ReadLimits::default() };
    let mut document = Document::new(BufReader::new(input), &limits, about);
    let mut judge = Judge::new(about, now, MAX_FINDINGS);
    while document.next() {
        judge.entry(&document.entry, document.kind(), document.entries(), &mut document.faults);
    }
    judge.whole(&mut document);
    Report::new(document, judge.remarks)
}
