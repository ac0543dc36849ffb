//! `[audit]`: the checks of an audit, and the rules that make it fail.

use crate::commands::OptionCommands;
use crate::kind::ValueKind;
use crate::section_macro::section;
use crate::values::Input;
use std::path::PathBuf;
use std::time::Duration;

section! {
    /// The checks of an audit, and the rules that make it fail.
    pub struct AuditSection in Audit;

    /// Audit the last run in the record instead of crawling; the record is not changed.
    from_record: bool = "false", for OptionCommands::AUDIT_ONLY;

    /// Exit with code 10 if there are findings of this severity or a higher one (`error`, `warning`, `notice`), or of
    /// this check.
    fail_on: Vec<String> = "", kind ValueKind::Finding, for OptionCommands::AUDIT;

    /// Exit with code 10 if more than this many URLs are broken: they answer 4xx (except 401 and 403) or 5xx, give no
    /// complete response, or redirect in a loop, and are neither muted nor in the baseline. A redirect to a broken URL
    /// counts as that URL; URLs of other sites count with `--check-external`.
    max_broken: Option<u64> = "", kind ValueKind::Count { min: 0, max: i64::MAX as u64 }, for OptionCommands::AUDIT;

    /// Accept the findings in this file: they are reported as accepted and do not make the audit fail.
    baseline: Option<Input> = "", kind ValueKind::Input { example: "baseline.json" }, for OptionCommands::AUDIT;

    /// Write all findings to this file, as a baseline for later audits.
    write_baseline: Option<PathBuf> = "",
        kind ValueKind::Path { name: "FILE", example: "baseline.json" }, for OptionCommands::AUDIT;

    /// Change the severity of a check: `canonical-missing=off`, `slow=error`.
    severity: Vec<String> = "", kind ValueKind::Grade, for OptionCommands::AUDIT;

    /// Do not report the findings of this check.
    mute: Vec<String> = "", kind ValueKind::Finding, for OptionCommands::AUDIT;

    /// Report responses that take longer than this as slow.
    ///
    /// A page that takes longer while other requests are in flight is requested again alone, after everything else, and
    /// that response time counts. An audit requests at most 100 pages again, a crawl at most 20, so that an audit of its
    /// record says the same.
    slow: Duration = "3s", kind ValueKind::Duration { min: Duration::from_millis(1) }, for OptionCommands::AUDIT;

    /// Report pages with more bytes than this as too large.
    oversize: u64 = "2MiB", kind ValueKind::Size { min: 1, max: i64::MAX as u64 }, for OptionCommands::AUDIT;

    /// Report images, style sheets, scripts and fonts with more bytes than this as large.
    oversize_resource: u64 = "500KiB", kind ValueKind::Size { min: 1, max: i64::MAX as u64 }, for OptionCommands::AUDIT;

    /// Report pages that are more clicks away from the start as deep.
    deep: u32 = "5", kind ValueKind::Count { min: 1, max: 1_000_000 }, for OptionCommands::AUDIT;

    /// Report pages that have at least this percentage of their text in common as near duplicates.
    near: u8 = "90", kind ValueKind::Percent, for OptionCommands::AUDIT;

    /// Report titles with fewer characters than this as too short.
    min_title: u32 = "10", kind ValueKind::Count { min: 0, max: 10_000 }, for OptionCommands::AUDIT;

    /// Report titles with more characters than this as too long.
    max_title: u32 = "70", kind ValueKind::Count { min: 1, max: 10_000 }, for OptionCommands::AUDIT;

    /// Report titles that are wider than this many pixels as too long: search results show about 600, in Arial of 20
    /// pixels.
    max_title_width: u32 = "600", kind ValueKind::Count { min: 1, max: 100_000 }, for OptionCommands::AUDIT;

    /// Report descriptions with more characters than this as too long, if they are too wide as well.
    max_description: u32 = "160", kind ValueKind::Count { min: 1, max: 10_000 }, for OptionCommands::AUDIT;

    /// Report descriptions that are wider than this many pixels as too long, if they have too many characters as well:
    /// search results show about 990, in Arial of 14 pixels.
    max_description_width: u32 = "990", kind ValueKind::Count { min: 1, max: 100_000 }, for OptionCommands::AUDIT;

    /// Report pages as thin whose text, without links, headings, forms and navigation, has fewer bytes than this.
    thin: u32 = "200", kind ValueKind::Count { min: 0, max: 1_000_000 }, for OptionCommands::AUDIT;

    /// Report URLs with more characters than this as long.
    long_url: u32 = "115", kind ValueKind::Count { min: 1, max: 10_000 }, for OptionCommands::AUDIT;

    /// Do not request the images, style sheets, scripts and other resources of the crawled hosts.
    ///
    /// By default each is requested once, after all pages are read: with a HEAD request, and with GET if that fails.
    no_resources: bool = "false", for OptionCommands::AUDIT;

    /// Request at most this many resources of the crawled hosts.
    max_resources: u32 = "10000", kind ValueKind::Count { min: 1, max: 10_000_000 }, for OptionCommands::AUDIT;

    /// Check links to other sites: with a HEAD request, and with GET if that fails.
    ///
    /// Each host gets one request at a time, and its robots.txt is obeyed.
    check_external: bool = "false", for OptionCommands::AUDIT;

    /// With `--check-external`, check at most this many URLs of one host.
    max_external: u32 = "500", kind ValueKind::Count { min: 1, max: 1_000_000 }, for OptionCommands::AUDIT;

    /// Report which URLs this robots.txt, which is not deployed yet, would block or unblock. The live robots.txt
    /// decides what is fetched.
    robots_file: Option<Input> = "", kind ValueKind::Input { example: "robots.txt" }, for OptionCommands::AUDIT;
}
