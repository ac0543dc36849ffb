//! What every visit works with.

use crate::options::{EngineOptions, Reading};
use mapwright_frontier::Seen;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Shared by all visits of a crawl, and changed by none of them.
#[derive(Debug)]
pub(crate) struct Desk<C> {
    pub(crate) fetcher: C,
    pub(crate) reading: Reading,
    pub(crate) retries: u8,
    pub(crate) max_retry_after: Duration,
    /// Errors are confirmed, and sitemaps judged.
    pub(crate) audits: bool,
    pub(crate) seen: Arc<Seen>,
    /// Whether pages tell of any names which they link again: see [`mapwright_frontier::Patterns::is_wary`].
    wary: AtomicBool,
}

impl<C> Desk<C> {
    pub(crate) fn new(fetcher: C, options: &EngineOptions, seen: Arc<Seen>) -> Self {
        Self {
            fetcher,
            reading: options.reading.clone(),
            retries: options.retries,
            max_retry_after: options.max_retry_after,
            audits: options.checks.audit,
            seen,
            wary: AtomicBool::new(false),
        }
    }

    /// Notes whether pages are to tell of any names which they link again.
    pub(crate) fn set_wary(&self, wary: bool) {
        self.wary.store(wary, Ordering::Relaxed);
    }

    pub(crate) fn is_wary(&self) -> bool {
        self.wary.load(Ordering::Relaxed)
    }
}
