//! The uninterrupted crawl.

use std::time::{Duration, Instant};

use super::map::BROKEN;
use super::request_log::RequestLog;
use super::{CutCrawl, InterruptionSite, Published};

/// An uninterrupted crawl of a ground: its requests, its published files, and the time it took to publish them.
#[derive(Debug)]
pub struct Reference {
    /// The published files.
    pub published: Published,
    /// The number of distinct URLs requested, except robots.txt.
    pub targets: usize,
    /// The time from its last request to its end, in which it judges and publishes.
    pub tail: Duration,
    /// The size of its record in bytes.
    pub record_size: u64,
    /// The number of requests for the page that always fails.
    tries: usize,
}

impl Reference {
    /// Crawls a ground with these further arguments, uninterrupted.
    #[track_caller]
    pub fn of(ground: &InterruptionSite, arguments: &[&str]) -> Reference {
        let mut crawl = CutCrawl::begin(ground, arguments);
        drop(crawl.run().exited(0));
        let (ended, latest) = (Instant::now(), ground.request_log().latest());
        let published = Published::in_folder(&crawl.workspace().out());
        assert_eq!(published.urls(), &ground.listed(), "an uninterrupted crawl lists the wrong URLs");
        let repeats = ground.request_log().repeats();
        assert!(repeats.within.is_empty(), "an uninterrupted crawl fetches again: {:?}", repeats.within);
        let record = crawl.record().metadata().expect("a record");
        Reference {
            published,
            targets: ground.request_log().progress(),
            tail: latest.map_or(Duration::ZERO, |latest| ended - latest),
            record_size: record.len(),
            tries: ground.request_log().hits(BROKEN),
        }
    }

    /// The number of requests for the page that always fails.
    pub(crate) fn tries(&self) -> usize {
        self.tries
    }

    /// Returns true if a crawl has requested all URLs, and the failing page as often as this one did.
    pub(crate) fn has_requested_all(&self, request_log: &RequestLog) -> bool {
        request_log.progress() >= self.targets && request_log.hits(BROKEN) >= self.tries
    }
}
