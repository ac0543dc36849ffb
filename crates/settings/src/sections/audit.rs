//! `[audit]`: what an audit looks at, and what it fails on.

use crate::definition::{Audience, section};
use crate::kind::Kind;
use crate::values::Input;
use std::path::PathBuf;
use std::time::Duration;

section! {
    /// What an audit looks at, and what it fails on.
    pub struct AuditSection in Audit;

    /// Read the last run of the record; nothing is crawled, and the record stays as it is.
    from_record: bool = "false", Kind::Switch, Audience::AUDIT_ONLY;

    /// End with code 10 where there are findings of this severity or a graver one (`error`, `warning`, `notice`), or of
    /// this kind.
    fail_on: Vec<String> = "", Kind::Finding, Audience::AUDIT;

    /// End with code 10 where more than this many URLs are broken: they answer 4xx (but 401 and 403) or 5xx, give no
    /// whole answer, or redirect in a loop, and are neither muted nor in the baseline. Of a redirect to such a URL the
    /// target counts; URLs of other sites do with `--check-external`.
    max_broken: Option<u64> = "", Kind::Count { min: 0, max: i64::MAX as u64 }, Audience::AUDIT;

    /// Accept the findings of this file: they are told as accepted, and break no rule.
    baseline: Option<Input> = "", Kind::Input { example: "baseline.json" }, Audience::AUDIT;

    /// Write everything that is found into this file, as a baseline for later audits.
    write_baseline: Option<PathBuf> = "", Kind::Path { name: "FILE", example: "baseline.json" }, Audience::AUDIT;

    /// Make findings of a kind more or less grave: `canonical-missing=off`, `slow=error`.
    severity: Vec<String> = "", Kind::Grade, Audience::AUDIT;

    /// Leave out findings of this kind.
    mute: Vec<String> = "", Kind::Finding, Audience::AUDIT;

    /// Answers that take longer are slow.
    ///
    /// A page that takes longer while other requests are in flight is requested again alone, after everything else, and
    /// that time counts; at most 100 pages are.
    slow: Duration = "3s", Kind::Duration { min: Duration::from_millis(1) }, Audience::AUDIT;

    /// Pages with more bytes are too large.
    oversize: u64 = "2MiB", Kind::Size { min: 1, max: i64::MAX as u64 }, Audience::AUDIT;

    /// Pages more clicks away from the start are deep.
    deep: u32 = "5", Kind::Count { min: 1, max: 1_000_000 }, Audience::AUDIT;

    /// Pages with this percentage of their text in common, or more, are near duplicates.
    near: u8 = "90", Kind::Percent, Audience::AUDIT;

    /// Ask for the URLs of other sites that pages link to, and for images and media of this site: the head, and the whole
    /// where that fails.
    ///
    /// One at a time for each host, and as its robots.txt allows. What pages show is asked for when all pages are read.
    check_external: bool = "false", Kind::Switch, Audience::AUDIT;

    /// With `--check-external`, ask for at most this many URLs of one host, and as many images and media of this site.
    max_external: u32 = "500", Kind::Count { min: 1, max: 1_000_000 }, Audience::AUDIT;

    /// Tell what this robots.txt, which is not deployed yet, would block or free. What is fetched is decided by the live
    /// file.
    robots_file: Option<Input> = "", Kind::Input { example: "robots.txt" }, Audience::AUDIT;
}
