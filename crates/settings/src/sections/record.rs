//! `[record]`: the data that later runs reuse, and its retention.

use crate::definition::{Audience, section};
use crate::kind::Kind;
use crate::values::Recrawl;
use std::time::Duration;

section! {
    /// The data that later runs reuse, and its retention.
    pub struct RecordSection in Record;

    /// Resume the interrupted run of this record; if there is none, begin a new run.
    resume: bool = "false", Kind::Switch, Audience::CRAWL_ONLY;

    /// The way in which pages known from earlier runs are requested.
    ///
    /// `full`: all of them, unconditionally; `conditional`: all of them, with conditional requests; `due`: only those
    /// that are due by their observed rate of change, with conditional requests.
    recrawl: Recrawl = "conditional", Kind::Choice(Recrawl::WORDS), Audience::CRAWL;

    /// With `--recrawl due`, request each page again after this time at the latest.
    max_age: Duration = "7d", Kind::Duration { min: Duration::ZERO }, Audience::CRAWL;

    /// With `--recrawl due`, request all pages in every run of this number; with 1, in each run.
    full_every: u32 = "10", Kind::Count { min: 1, max: 1_000_000 }, Audience::CRAWL;

    /// Take only the parts of a page that match one of these CSS selectors as its content, by which changes are
    /// detected.
    ///
    /// Without it, the content is all text, except text that many pages share and text that differs at every fetch.
    content_selector: Vec<String> = "", Kind::Selector, Audience::CRAWL;

    /// Keep a listed page in the sitemap for this many runs while it fails with 5xx, gives no answer or is throttled.
    keep_failing: u32 = "3", Kind::Count { min: 0, max: 1000 }, Audience::CRAWL;

    /// Keep this many runs, at least two, and the one whose sitemap is published; older runs are removed, but not what
    /// is known about pages.
    keep_runs: u32 = "30", Kind::Count { min: 2, max: 1_000_000 }, Audience::RETENTION;

    /// Remove runs older than this; the two newest always stay, and the one whose sitemap is published.
    keep_runs_for: Option<Duration> = "", Kind::Duration { min: Duration::ZERO }, Audience::RETENTION;

    /// Stop the crawl when less than this is free on the disk of the record; 0 turns the check off.
    min_free_disk: u64 = "256MiB", Kind::Size { min: 0, max: i64::MAX as u64 }, Audience::CRAWL;
}
