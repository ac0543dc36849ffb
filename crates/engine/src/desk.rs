//! What every visit works with.

use crate::options::{EngineOptions, Reading};
use mapwright_frontier::Seen;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

/// Slow pages of a crawl that are requested again alone, at most; the times of others are taken as they are.
const MAX_TIMED: u32 = 100;

/// Shared by all visits of a crawl, and changed by none of them.
#[derive(Debug)]
pub(crate) struct Desk<C> {
    pub(crate) fetcher: C,
    pub(crate) reading: Reading,
    pub(crate) retries: u8,
    pub(crate) max_retry_after: Duration,
    /// Errors are confirmed, and sitemaps judged.
    pub(crate) audits: bool,
    /// What takes longer, beside other requests, is requested again alone.
    slow: Option<Duration>,
    /// Pages that were.
    timed: AtomicU32,
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
            slow: options.checks.slow,
            timed: AtomicU32::new(0),
            seen,
            wary: AtomicBool::new(false),
        }
    }

    /// Whether a page that took so long is to be requested again alone; if so, counts it.
    pub(crate) fn is_to_be_timed(&self, total: Duration) -> bool {
        self.slow.is_some_and(|slow| total > slow) && self.timed.fetch_add(1, Ordering::Relaxed) < MAX_TIMED
    }

    /// Notes whether pages are to tell of any names which they link again.
    pub(crate) fn set_wary(&self, wary: bool) {
        self.wary.store(wary, Ordering::Relaxed);
    }

    pub(crate) fn is_wary(&self) -> bool {
        self.wary.load(Ordering::Relaxed)
    }
}
