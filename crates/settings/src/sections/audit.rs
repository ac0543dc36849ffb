//! `[audit]`: the checks of an audit, and the rules that make it fail.

use crate::definition::{Audience, section};
use crate::kind::Kind;
use crate::values::Input;
use std::path::PathBuf;
use std::time::Duration;

section! {
    /// The checks of an audit, and the rules that make it fail.
    pub struct AuditSection in Audit;

    /// Audit the last run in the record instead of crawling; the record is not changed.
    from_record: bool = "false", Kind::Switch, Audience::AUDIT_ONLY;

    /// Exit with code 10 if there are findings of this severity or a higher one (`error`, `warning`, `notice`), or of
    /// this check.
    fail_on: Vec<String> = "", Kind::Finding, Audience::AUDIT;

    /// Exit with code 10 if more than this many URLs are broken: they answer 4xx (except 401 and 403) or 5xx, give no
    /// complete response, or redirect in a loop, and are neither muted nor in the baseline. A redirect to a broken URL
    /// counts as that URL; URLs of other sites count with `--check-external`.
    max_broken: Option<u64> = "", Kind::Count { min: 0, max: i64::MAX as u64 }, Audience::AUDIT;

    /// Accept the findings in this file: they are reported as accepted and do not make the audit fail.
    baseline: Option<Input> = "", Kind::Input { example: "baseline.json" }, Audience::AUDIT;

    /// Write all findings to this file, as a baseline for later audits.
    write_baseline: Option<PathBuf> = "", Kind::Path { name: "FILE", example: "baseline.json" }, Audience::AUDIT;

    /// Change the severity of a check: `canonical-missing=off`, `slow=error`.
    severity: Vec<String> = "", Kind::Grade, Audience::AUDIT;

    /// Do not report the findings of this check.
    mute: Vec<String> = "", Kind::Finding, Audience::AUDIT;

    /// Report responses that take longer than this as slow.
    ///
    /// A page that takes longer while other requests are in flight is requested again alone, after everything else, and
    /// that response time counts; at most 100 pages are requested again.
    slow: Duration = "3s", Kind::Duration { min: Duration::from_millis(1) }, Audience::AUDIT;

    /// Report pages with more bytes than this as too large.
    oversize: u64 = "2MiB", Kind::Size { min: 1, max: i64::MAX as u64 }, Audience::AUDIT;

    /// Report pages that are more clicks away from the start as deep.
    deep: u32 = "5", Kind::Count { min: 1, max: 1_000_000 }, Audience::AUDIT;

    /// Report pages that have at least this percentage of their text in common as near duplicates.
    near: u8 = "90", Kind::Percent, Audience::AUDIT;

    /// Check links to other sites, and images and media of this site: with a HEAD request, and with GET if that fails.
    ///
    /// Each host gets one request at a time, and its robots.txt is obeyed. Images and media are requested after all
    /// pages are read.
    check_external: bool = "false", Kind::Switch, Audience::AUDIT;

    /// With `--check-external`, check at most this many URLs of one host, and as many images and media of this site.
    max_external: u32 = "500", Kind::Count { min: 1, max: 1_000_000 }, Audience::AUDIT;

    /// Report which URLs this robots.txt, which is not deployed yet, would block or unblock. The live robots.txt
    /// decides what is fetched.
    robots_file: Option<Input> = "", Kind::Input { example: "robots.txt" }, Audience::AUDIT;
}
