//! The figures of the site, as reports show them.

use crate::check::Check;
use crate::severity::Severity;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The audited run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AuditedRun {
    /// Its number in the record.
    pub number: i64,
    /// The start URLs.
    pub starts: Vec<String>,
    /// The time at which it began.
    pub started: Timestamp,
    /// The crawl was complete; otherwise findings may be missing.
    pub complete: bool,
}

/// The funnel from all discovered URLs to those that search engines may list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Funnel {
    /// Discovered URLs in scope.
    pub discovered: u64,
    /// The discovered URLs that were fetched.
    pub fetched: u64,
    /// The fetched URLs that are indexable pages.
    pub indexable: u64,
    /// The indexable pages that are listed, without duplicates and others that the verdict leaves out.
    pub listed: u64,
    /// Indexable pages in the sitemaps that the site publishes; this is not a step of the others.
    pub in_sitemap: u64,
}

/// A bar of a histogram.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Bar {
    /// The label of the things that it counts.
    pub label: String,
    /// The count.
    pub count: u64,
}

/// A folder of the site, with the number of URLs that have findings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SiteFolder {
    /// Scheme, host and path, ending on a slash; the site's hosts are the topmost.
    pub path: String,
    /// URLs in it and below.
    pub urls: u64,
    /// The URLs with errors.
    pub errors: u64,
    /// The URLs with warnings and no errors.
    pub warnings: u64,
    /// Folders in it, the largest first; small ones are left out.
    pub folders: Vec<SiteFolder>,
}

/// An audit of the past.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PastAudit {
    /// The number of its run.
    pub run: i64,
    /// The time at which that run began.
    pub started: Timestamp,
    /// The number of its errors.
    pub errors: u64,
    /// The number of its warnings.
    pub warnings: u64,
    /// The number of its notices.
    pub notices: u64,
}

/// A finding that most pages share: its cause is their template, or a setting of the site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CommonFinding {
    /// Its kind.
    #[serde(rename = "code")]
    pub check: &'static Check,
    /// The pattern of the URLs of these pages, the one with the most of several; none for all pages of the site.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// The number of patterns whose pages share the finding; 0 for all pages of the site.
    pub patterns: u64,
    /// The number of pages with the finding.
    pub affected: u64,
    /// The number of indexable pages of the patterns.
    pub pages: u64,
    /// Some of the pages with the finding.
    pub examples: Vec<String>,
}

/// All figures of a report.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Figures {
    /// The funnel from all discovered URLs to those that may be listed.
    pub funnel: Funnel,
    /// Responses by status, `no answer` and `not requested` among them.
    pub statuses: Vec<Bar>,
    /// Pages by clicks from the start.
    pub depths: Vec<Bar>,
    /// Responses by response time.
    pub times: Vec<Bar>,
    /// The folders of the site.
    pub folders: Vec<SiteFolder>,
    /// The findings that most pages of a pattern share, each kind once.
    pub common: Vec<CommonFinding>,
    /// The earlier audits and this one, the oldest first.
    pub history: Vec<PastAudit>,
}

/// One kind of finding, with its counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tally {
    /// The kind.
    pub check: &'static Check,
    /// Its severity, by the settings.
    pub severity: Severity,
    /// The number of findings.
    pub count: u64,
    /// The findings in the baseline.
    pub accepted: u64,
    /// The number of pages with findings outside the baseline, and of pages that use or link the subjects of others.
    pub affected: u64,
    /// The findings that the previous audit did not report (new and regressed).
    pub new_or_regressed: u64,
    /// Those that an earlier audit than the previous one reported (regressed).
    pub regressed: u64,
    /// Fixed findings of the previous audit; of one about several URLs or elements, each counts.
    pub fixed: u64,
}
