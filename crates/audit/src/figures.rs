//! What reports draw: the site in figures.

use crate::code::Code;
use crate::severity::Severity;
use jiff::Timestamp;
use serde::Serialize;

/// The audited run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RunFacts {
    /// Its number in the record.
    pub number: i64,
    /// The start URLs.
    pub starts: Vec<String>,
    /// When it began.
    pub started: Timestamp,
    /// Everything that was asked for was fetched; otherwise findings may be missing.
    pub whole: bool,
}

/// From all URLs that were met to those that search engines may list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Funnel {
    /// URLs that were met, in scope.
    pub discovered: u64,
    /// Of these, fetched.
    pub fetched: u64,
    /// Of these, pages that may be indexed.
    pub indexable: u64,
    /// Of these, such as are listed: duplicates and what judgement leaves out are not.
    pub listed: u64,
    /// Indexable pages that stand in the sitemaps that the site publishes: no step of the others.
    pub in_sitemap: u64,
}

/// A bar of a histogram.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Bar {
    /// What it counts.
    pub label: String,
    /// How many.
    pub count: u64,
}

/// A folder of the site and its health.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Folder {
    /// Scheme, host and path, ending on a slash; the site's hosts are the topmost.
    pub path: String,
    /// URLs in it and below.
    pub urls: u64,
    /// Of these, such as have errors.
    pub errors: u64,
    /// Of these, such as have warnings and no errors.
    pub warnings: u64,
    /// Folders in it, the largest first; small ones are left out.
    pub folders: Vec<Folder>,
}

/// An audit of the past.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Past {
    /// The number of its run.
    pub run: i64,
    /// When that began.
    pub started: Timestamp,
    /// Its errors.
    pub errors: u64,
    /// Its warnings.
    pub warnings: u64,
    /// Its notices.
    pub notices: u64,
}

/// Everything that is counted and drawn.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Figures {
    /// From all URLs to those that may be listed.
    pub funnel: Funnel,
    /// Answers by status, `no answer` and `not fetched` among them.
    pub statuses: Vec<Bar>,
    /// Pages by clicks from the start.
    pub depths: Vec<Bar>,
    /// Answers by the time they took.
    pub times: Vec<Bar>,
    /// The folders of the site.
    pub folders: Vec<Folder>,
    /// The audits before and this one, the oldest first.
    pub history: Vec<Past>,
}

/// One kind of finding, and how often it was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tally {
    /// Its kind.
    pub code: Code,
    /// How grave it is, by the settings.
    pub severity: Severity,
    /// How many findings.
    pub count: u64,
    /// Of these, in the baseline.
    pub accepted: u64,
    /// Of these, not in the audit before (new and regressed).
    pub fresh: u64,
    /// Of the fresh, found by an audit before that one (regressed).
    pub regressed: u64,
    /// Findings of the audit before that are gone; of one about several URLs or elements each of these counts.
    pub fixed: u64,
}
