//! `[record]`: what is built on from run to run, and how much of it is kept.

use crate::definition::{Audience, section};
use crate::kind::Kind;
use crate::values::Recrawl;
use std::time::Duration;

section! {
    /// What is built on from run to run, and how much of it is kept.
    pub struct RecordSection in Record;

    /// Go on with the run of this record that was cut; without one, begin a new run.
    resume: bool = "false", Kind::Switch, Audience::CRAWL_ONLY;

    /// How pages known from earlier runs are asked for.
    ///
    /// `full`: all of them, whatever is known; `conditional`: all of them, on condition that they changed; `due`: those
    /// that are due by the rate at which they were seen to change, on condition.
    recrawl: Recrawl = "conditional", Kind::Choice(Recrawl::WORDS), Audience::CRAWL;

    /// With `--recrawl due`, leave no page unasked for longer than this.
    max_age: Duration = "7d", Kind::Duration { min: Duration::ZERO }, Audience::CRAWL;

    /// With `--recrawl due`, ask for all pages in every run of this number; 1 makes each run such a one.
    full_every: u32 = "10", Kind::Count { min: 1, max: 1_000_000 }, Audience::CRAWL;

    /// Only what matches one of these CSS selectors is a page's content, by which changes are told.
    ///
    /// Without it, content is all text but what is learned to be none: what many pages share, and what differs at every
    /// fetch.
    content_selector: Vec<String> = "", Kind::Selector, Audience::CRAWL;

    /// A page that was listed stays listed for this many runs while it fails with 5xx, gives no answer or is throttled.
    keep_failing: u32 = "3", Kind::Count { min: 0, max: 1000 }, Audience::CRAWL;

    /// Keep this many runs, two at least, and the one whose sitemap is published; older ones are removed, and what pages
    /// are known by stays.
    keep_runs: u32 = "30", Kind::Count { min: 2, max: 1_000_000 }, Audience::KEEPING;

    /// Remove runs older than this; the two newest always stay, and the one whose sitemap is published.
    keep_runs_for: Option<Duration> = "", Kind::Duration { min: Duration::ZERO }, Audience::KEEPING;

    /// Cut the crawl when less than this is free on the disk of the record; 0 does not watch.
    min_free_disk: u64 = "256MiB", Kind::Size { min: 0, max: i64::MAX as u64 }, Audience::CRAWL;
}
