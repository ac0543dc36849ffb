//! Strict checks of one document by the protocol.

mod context;
mod decimal;
mod entry_checker;
mod loc;
mod report;

use std::io::{BufReader, Read};

use jiff::Timestamp;

pub use context::{CrossSubmit, DocumentContext};
pub use report::CheckReport;

use crate::MAX_BYTES;
use crate::read::{Document, ReadLimits};
use entry_checker::EntryChecker;

/// The maximum number of findings of each rule in a report.
const MAX_FINDINGS: usize = 1_000;

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
