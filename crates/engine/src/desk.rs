//! What every visit works with.

use crate::options::{EngineOptions, Reading};
use mapwright_frontier::Seen;
use std::sync::Arc;
use std::time::Duration;

/// Shared by all visits of a crawl, and changed by none.
#[derive(Debug)]
pub(crate) struct Desk<C> {
    pub(crate) fetcher: C,
    pub(crate) reading: Reading,
    pub(crate) retries: u8,
    pub(crate) max_retry_after: Duration,
    /// Errors are confirmed, and sitemaps judged.
    pub(crate) audits: bool,
    pub(crate) seen: Arc<Seen>,
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
        }
    }
}
