//! The crawl that was not cut.

use std::time::{Duration, Instant};

use super::ledger::Ledger;
use super::map::BROKEN;
use super::{CutCrawl, Ground, Published};

/// An uninterrupted crawl of a ground: what it asked for, what it published, and how long it took to do so.
#[derive(Debug)]
pub struct Reference {
    /// What it published.
    pub published: Published,
    /// What it asked for, robots.txt apart.
    pub targets: usize,
    /// From its last request to its end: it judges and publishes.
    pub tail: Duration,
    /// The bytes of its record.
    pub record_size: u64,
    /// How often it tried the page that fails for ever.
    tries: usize,
}

impl Reference {
    /// Crawls a ground with these further arguments, without any cut.
    ///
    /// # Panics
    /// Where the crawl does not end well, or lists anything but what it should.
    #[track_caller]
    #[must_use]
    pub fn of(ground: &Ground, arguments: &[&str]) -> Reference {
        let mut crawl = CutCrawl::begin(ground, arguments);
        drop(crawl.run().exited(0));
        let (ended, latest) = (Instant::now(), ground.ledger().latest());
        let published = Published::in_folder(&crawl.workspace().out());
        assert_eq!(published.urls(), &ground.listed(), "an uninterrupted crawl lists the wrong URLs");
        let repeats = ground.ledger().repeats();
        assert!(repeats.within.is_empty(), "an uninterrupted crawl fetches again: {:?}", repeats.within);
        let record = crawl.record().metadata().expect("a record");
        Reference {
            published,
            targets: ground.ledger().progress(),
            tail: latest.map_or(Duration::ZERO, |latest| ended - latest),
            record_size: record.len(),
            tries: ground.ledger().hits(BROKEN),
        }
    }

    /// How often the page that fails for ever is tried.
    pub(crate) fn tries(&self) -> usize {
        self.tries
    }

    /// Whether all was asked for that there is to ask for.
    pub(crate) fn is_all_asked(&self, ledger: &Ledger) -> bool {
        ledger.progress() >= self.targets && ledger.hits(BROKEN) >= self.tries
    }
}
