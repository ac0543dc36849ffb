//! The log of the requests that a site received.

use std::collections::HashMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use crate::request::ReceivedRequest;

#[derive(Debug, Default)]
pub(crate) struct Entries {
    pub(crate) requests: Vec<ReceivedRequest>,
    pub(crate) connections: u64,
    pub(crate) in_flight: usize,
    pub(crate) max_in_flight: usize,
    pub(crate) bytes_sent: HashMap<String, u64>,
}

/// The log of a site, shared by its connections and the test.
#[derive(Debug, Default)]
pub(crate) struct Journal {
    entries: Mutex<Entries>,
    grown: Condvar,
    grown_async: Notify,
}

impl Journal {
    pub(crate) fn read(&self) -> MutexGuard<'_, Entries> {
        // The entries are consistent between any two statements, so a panic elsewhere does not corrupt them.
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn connected(&self) -> u64 {
        let mut entries = self.read();
        entries.connections += 1;
        entries.connections
    }

    /// Records a request and counts it as in flight until the guard is dropped.
    pub(crate) fn arrived(&self, request: &ReceivedRequest) -> InFlight<'_> {
        {
            let mut entries = self.read();
            entries.requests.push(request.clone());
            entries.in_flight += 1;
            entries.max_in_flight = entries.max_in_flight.max(entries.in_flight);
        }
        self.grown.notify_all();
        self.grown_async.notify_waiters();
        InFlight(self)
    }

    pub(crate) fn sent(&self, path: &str, bytes: usize) {
        let mut entries = self.read();
        match entries.bytes_sent.get_mut(path) {
            Some(sum) => *sum += bytes as u64,
            None => {
                entries.bytes_sent.insert(path.to_owned(), bytes as u64);
            }
        }
    }

    pub(crate) fn hits(&self, path: &str) -> usize {
        self.read().requests.iter().filter(|request| request.is_for(path)).count()
    }

    /// Blocks until `path` was requested `n` times; returns false when `limit` passes first.
    pub(crate) fn wait_for(&self, path: &str, n: usize, limit: Duration) -> bool {
        let deadline = Instant::now() + limit;
        let mut entries = self.read();
        loop {
            if entries.requests.iter().filter(|request| request.is_for(path)).count() >= n {
                return true;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            entries = self.grown.wait_timeout(entries, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Does the same as [`Journal::wait_for`], without blocking the runtime of the test.
    pub(crate) async fn wait_for_requests(&self, path: &str, n: usize, limit: Duration) -> bool {
        let waiting = async {
            loop {
                let grown = self.grown_async.notified();
                tokio::pin!(grown);
                // Registered before the count, so that no request slips in between.
                grown.as_mut().enable();
                if self.hits(path) >= n {
                    return;
                }
                grown.await;
            }
        };
        tokio::time::timeout(limit, waiting).await.is_ok()
    }
}

/// One request being answered.
#[derive(Debug)]
pub(crate) struct InFlight<'a>(&'a Journal);

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        self.0.read().in_flight -= 1;
    }
}
