//! The log of a ground: which process asked for what.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::map::BROKEN;

/// Each process asks for it anew.
const ROBOTS: &str = "/robots.txt";

/// What was asked for since the crawl began, by the processes that worked on it one after another.
#[derive(Debug, Default)]
pub struct Ledger {
    entries: Mutex<Entries>,
    grown: Condvar,
}

#[derive(Debug, Default)]
struct Entries {
    /// Serial number of the process, from 0.
    process: usize,
    asked: Vec<(usize, String)>,
    /// How many requests came from this process.
    of_process: usize,
    /// Of all processes, without robots.txt.
    targets: BTreeSet<String>,
    latest: Option<Instant>,
}

impl Ledger {
    /// A new crawl begins: nothing was asked for yet.
    pub fn begin(&self) {
        *self.entries() = Entries::default();
    }

    /// What comes from now on is asked for by another process.
    pub fn next_process(&self) {
        let mut entries = self.entries();
        entries.process += 1;
        entries.of_process = 0;
    }

    pub(crate) fn note(&self, target: &str) {
        {
            let mut entries = self.entries();
            let process = entries.process;
            entries.asked.push((process, target.to_owned()));
            entries.of_process += 1;
            entries.latest = Some(Instant::now());
            if target != ROBOTS {
                entries.targets.insert(target.to_owned());
            }
        }
        self.grown.notify_all();
    }

    /// How many different URLs were asked for, robots.txt apart: the progress of the crawl.
    #[must_use]
    pub fn progress(&self) -> usize {
        self.entries().targets.len()
    }

    /// What was asked for, robots.txt apart.
    #[must_use]
    pub fn targets(&self) -> BTreeSet<String> {
        self.entries().targets.clone()
    }

    /// How many requests came from the process at work, robots.txt included.
    #[must_use]
    pub fn of_process(&self) -> usize {
        self.entries().of_process
    }

    /// How often this was asked for.
    #[must_use]
    pub fn hits(&self, target: &str) -> usize {
        self.entries().asked.iter().filter(|(_, asked)| asked == target).count()
    }

    /// When the last request came.
    #[must_use]
    pub fn latest(&self) -> Option<Instant> {
        self.entries().latest
    }

    /// Blocks until a request comes, or for so long.
    pub fn wait(&self, limit: Duration) {
        drop(self.grown.wait_timeout(self.entries(), limit).unwrap_or_else(PoisonError::into_inner));
    }

    /// What was asked for more than once.
    #[must_use]
    pub fn repeats(&self) -> Repeats {
        let entries = self.entries();
        let mut repeats = Repeats { lost: vec![0; entries.process + 1], within: Vec::new() };
        let mut last: HashMap<&str, usize> = HashMap::new();
        for (process, target) in entries.asked.iter().filter(|(_, target)| target != ROBOTS && target != BROKEN) {
            match last.insert(target, *process) {
                Some(before) if before == *process => repeats.within.push(target.clone()),
                Some(before) => repeats.lost.iter_mut().skip(before).take(1).for_each(|lost| *lost += 1),
                None => {}
            }
        }
        repeats
    }

    fn entries(&self) -> MutexGuard<'_, Entries> {
        // The entries are whole between any two statements, so a panic elsewhere does not spoil them.
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What was asked for more than once, robots.txt and the page that fails for ever apart.
#[derive(Debug)]
pub struct Repeats {
    /// For each process, in order: how many of its fetches a later one had to make again.
    pub lost: Vec<usize>,
    /// What one process asked for twice.
    pub within: Vec<String>,
}
