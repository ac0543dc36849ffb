//! The request log of a ground: the requests of each process.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::map::BROKEN;

/// Each process requests it again.
const ROBOTS: &str = "/robots.txt";

/// The requests of a crawl since its start, by process.
#[derive(Debug, Default)]
pub struct RequestLog {
    entries: Mutex<Entries>,
    grown: Condvar,
}

#[derive(Debug, Default)]
struct Entries {
    /// Serial number of the process, from 0.
    process: usize,
    requested: Vec<(usize, String)>,
    /// The number of requests of this process.
    of_process: usize,
    /// The URLs that all processes requested, without robots.txt.
    targets: BTreeSet<String>,
    latest: Option<Instant>,
}

impl RequestLog {
    /// Clears the log for a new crawl.
    pub fn begin(&self) {
        *self.entries() = Entries::default();
    }

    /// Assigns further requests to the next process.
    pub fn next_process(&self) {
        let mut entries = self.entries();
        entries.process += 1;
        entries.of_process = 0;
    }

    pub(crate) fn note(&self, target: &str) {
        {
            let mut entries = self.entries();
            let process = entries.process;
            entries.requested.push((process, target.to_owned()));
            entries.of_process += 1;
            entries.latest = Some(Instant::now());
            if target != ROBOTS {
                entries.targets.insert(target.to_owned());
            }
        }
        self.grown.notify_all();
    }

    /// The number of distinct URLs requested, except robots.txt: the progress of the crawl.
    pub fn progress(&self) -> usize {
        self.entries().targets.len()
    }

    /// The URLs requested, except robots.txt.
    pub fn targets(&self) -> BTreeSet<String> {
        self.entries().targets.clone()
    }

    /// The number of requests of the current process, robots.txt included.
    pub fn of_process(&self) -> usize {
        self.entries().of_process
    }

    /// The number of requests for this target.
    pub fn hits(&self, target: &str) -> usize {
        self.entries().requested.iter().filter(|(_, requested)| requested == target).count()
    }

    /// The time of the last request.
    pub fn latest(&self) -> Option<Instant> {
        self.entries().latest
    }

    /// Blocks until a request comes, or until the limit has passed.
    pub fn wait(&self, limit: Duration) {
        drop(self.grown.wait_timeout(self.entries(), limit).unwrap_or_else(PoisonError::into_inner));
    }

    /// The targets requested more than once.
    pub fn repeats(&self) -> Repeats {
        let entries = self.entries();
        let mut repeats = Repeats { lost: vec![0; entries.process + 1], within: Vec::new() };
        let mut last: HashMap<&str, usize> = HashMap::new();
        for (process, target) in entries.requested.iter().filter(|(_, target)| target != ROBOTS && target != BROKEN) {
            match last.insert(target, *process) {
                Some(before) if before == *process => repeats.within.push(target.clone()),
                Some(before) => repeats.lost.iter_mut().skip(before).take(1).for_each(|lost| *lost += 1),
                None => {}
            }
        }
        repeats
    }

    fn entries(&self) -> MutexGuard<'_, Entries> {
        // The entries are consistent after every statement, so a poisoned lock is safe to use.
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The targets requested more than once, except robots.txt and the page that always fails.
#[derive(Debug)]
pub struct Repeats {
    /// For each process, in order: the number of its fetches that a later process repeated.
    pub lost: Vec<usize>,
    /// The targets that one process requested twice.
    pub within: Vec<String>,
}
