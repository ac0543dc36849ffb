//! The visits that have ended and wait for their commit.

use mapwright_frontier::Finished;
use mapwright_model::Visit;
use std::time::Duration;
use tokio::time::Instant;

/// Number of waiting visits at which a commit is due at once.
const FULL: usize = 32;

/// Number of discovered URLs at which a commit takes no further visit: they are in memory until it has ended.
const MANY_FOUND: usize = 50_000;

/// Highest number of visits that have ended without a commit: a crash loses no more than these and the ones in flight.
pub(crate) const MAX_UNCOMMITTED: usize = 64;

/// The visits that wait for a commit, and the number in the current commit.
#[derive(Debug)]
pub(crate) struct Batch {
    waiting: Vec<Finished<Visit>>,
    since: Instant,
    in_commit: usize,
    longest_wait: Duration,
}

impl Batch {
    /// Returns a batch that waits at most `longest_wait`.
    pub(crate) fn new(longest_wait: Duration) -> Self {
        Self { waiting: Vec::new(), since: Instant::now(), in_commit: 0, longest_wait }
    }

    pub(crate) fn push(&mut self, finished: Finished<Visit>) {
        if self.waiting.is_empty() {
            self.since = Instant::now();
        }
        self.waiting.push(finished);
    }

    /// Reports whether no visit waits.
    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Returns the number of visits that have ended and are not in the record yet.
    pub(crate) fn uncommitted(&self) -> usize {
        self.waiting.len() + self.in_commit
    }

    /// Reports whether a commit is due: the batch is full or old, or the crawl is `starved` of the tasks that it may
    /// bring.
    pub(crate) fn is_due(&self, starved: bool) -> bool {
        let pressing = starved || self.waiting.len() >= FULL || self.since.elapsed() >= self.longest_wait;
        !self.is_empty() && pressing
    }

    /// Returns the latest time of the next commit, if any visit waits.
    pub(crate) fn due_at(&self) -> Option<Instant> {
        (!self.is_empty()).then(|| self.since + self.longest_wait)
    }

    /// Takes the visits for the next commit: all that wait, or as many as their discoveries fit into one commit.
    pub(crate) fn take(&mut self) -> Vec<Finished<Visit>> {
        let mut found = 0;
        let fits = |finished: &&Finished<Visit>| {
            found += finished.found.len();
            found < MANY_FOUND
        };
        let count = self.waiting.iter().take_while(fits).count() + 1;
        let rest = self.waiting.split_off(count.min(self.waiting.len()));
        let taken = std::mem::replace(&mut self.waiting, rest);
        self.in_commit = taken.len();
        taken
    }

    /// Notes that the commit has ended.
    pub(crate) fn committed(&mut self) {
        self.in_commit = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::start::Start;
    use mapwright_web::{KeyMaker, PageUrl, UrlIdentity};

    /// Returns discoveries without a task, with `count` URLs.
    fn found(count: usize) -> Finished<Visit> {
        let url = PageUrl::parse("http://a.example/", &UrlIdentity::default()).unwrap();
        let start = Start { list: vec![url; count], ..Start::default() };
        Finished { settles: None, found: start.listed(&KeyMaker::new(1, 2)), visit: None }
    }

    #[test]
    fn a_commit_takes_all_that_waits_unless_it_found_too_much() {
        let mut batch = Batch::new(Duration::from_secs(1));
        [1, 49_000, 30_000, 60_000, 2, 3].into_iter().for_each(|count| batch.push(found(count)));
        let mut taken = || batch.take().iter().map(|finished| finished.found.len()).collect::<Vec<usize>>();
        assert_eq!(taken(), [1, 49_000, 30_000]);
        assert_eq!(taken(), [60_000]);
        assert_eq!(taken(), [2, 3]);
        assert_eq!(taken(), [0_usize; 0]);
    }

    #[test]
    fn what_waits_and_what_is_taken_is_not_committed() {
        let mut batch = Batch::new(Duration::from_secs(1));
        (0..3).for_each(|_| batch.push(found(40_000)));
        assert_eq!((batch.take().len(), batch.uncommitted(), batch.is_empty()), (2, 3, false));
        batch.committed();
        assert_eq!((batch.take().len(), batch.uncommitted(), batch.is_empty()), (1, 1, true));
    }
}
