//! `[record]`: the data that later runs reuse, and its retention.

use crate::commands::OptionCommands;
use crate::kind::ValueKind;
use crate::section_macro::section;
use crate::values::Recrawl;
use std::time::Duration;

section! {
    /// The data that later runs reuse, and its retention.
    pub struct RecordSection in Record;

    /// Resume the interrupted run of this record; if there is none, begin a new run.
    resume: bool = "false", for OptionCommands::CRAWL_ONLY;

    /// The way in which pages known from earlier runs are requested.
    ///
    /// `full`: all of them, unconditionally; `conditional`: all of them, with conditional requests; `due`: only those
    /// that are due by their observed rate of change, with conditional requests.
    recrawl: Recrawl = "conditional", for OptionCommands::CRAWL;

    /// With `--recrawl due`, request each page again after this time at the latest.
    max_age: Duration = "7d", kind ValueKind::Duration { min: Duration::ZERO }, for OptionCommands::CRAWL;

    /// With `--recrawl due`, request all pages in every run of this number; with 1, in each run.
    full_every: u32 = "10", kind ValueKind::Count { min: 1, max: 1_000_000 }, for OptionCommands::CRAWL;

    /// Take only the parts of a page that match one of these CSS selectors as its content, by which changes are
    /// detected.
    ///
    /// Without it, the content is all text, except text that many pages share and text that differs at every fetch.
    content_selector: Vec<String> = "", kind ValueKind::Selector, for OptionCommands::CRAWL;

    /// Keep this much of the text of each page, for `mapwright diff` to show which text came and went; 0 keeps none.
    keep_text: u64 = "2KiB", kind ValueKind::Size { min: 0, max: 1 << 20 }, for OptionCommands::CRAWL;

    /// Keep a listed page in the sitemap for this many runs while it fails with 5xx, gives no answer or is throttled.
    keep_failing: u32 = "3", kind ValueKind::Count { min: 0, max: 1000 }, for OptionCommands::CRAWL;

    /// Keep this many runs, at least two, and the one whose sitemap is published; older runs are removed, but not what
    /// is known about pages.
    keep_runs: u32 = "30", kind ValueKind::Count { min: 2, max: 1_000_000 }, for OptionCommands::RETENTION;

    /// Remove runs older than this; the two newest always stay, and the one whose sitemap is published.
    keep_runs_for: Option<Duration> = "",
        kind ValueKind::Duration { min: Duration::ZERO }, for OptionCommands::RETENTION;

    /// Stop the crawl when less than this is free on the disk of the record; 0 turns the check off.
    min_free_disk: u64 = "256MiB", kind ValueKind::Size { min: 0, max: i64::MAX as u64 }, for OptionCommands::CRAWL;
}
