//! The state that all visits share.

use crate::options::{EngineOptions, Reading};
use crate::reading::SlowPages;
use crate::render::Renders;
use crate::response::ResponseRules;
use crate::retry::RetryPolicy;
use mapwright_frontier::Seen;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

/// The context of all visits of a crawl.
#[derive(Debug)]
pub(crate) struct VisitContext<C> {
    pub(crate) fetcher: C,
    pub(crate) reading: Reading,
    /// The limits of retries; it also says whether an audit follows, for which sitemaps are validated.
    pub(crate) retry_policy: RetryPolicy,
    pub(crate) slow_pages: SlowPages,
    pub(crate) seen: Arc<Seen>,
    /// Runs the scripts of pages; `None` where none run.
    renders: OnceLock<Renders>,
    /// Visits note repeated links to neighbouring pages of any name: see
    /// [`mapwright_traps::TrapDetector::tracks_relinks`].
    tracks_relinks: AtomicBool,
}

impl<C> VisitContext<C> {
    pub(crate) fn new(fetcher: C, options: &EngineOptions, seen: Arc<Seen>) -> Self {
        Self {
            fetcher,
            reading: options.reading.clone(),
            retry_policy: RetryPolicy {
                retries: options.retries,
                max_retry_after: options.max_retry_after,
                audits: options.checks.audit,
            },
            slow_pages: SlowPages::new(&options.checks),
            seen,
            renders: OnceLock::new(),
            tracks_relinks: AtomicBool::new(false),
        }
    }

    /// Has the scripts of pages run from now on.
    pub(crate) fn set_renders(&self, renders: Renders) {
        // It is set once, before the crawl begins.
        drop(self.renders.set(renders));
    }

    /// Returns what runs the scripts of pages.
    pub(crate) fn renders(&self) -> Option<&Renders> {
        self.renders.get()
    }

    /// Returns the rules by which responses are classified.
    pub(crate) fn response_rules(&self) -> ResponseRules<'_> {
        ResponseRules { identity: &self.reading.identity, max_retry_after: self.retry_policy.max_retry_after }
    }

    /// Sets whether visits note repeated links to neighbouring pages of any name.
    pub(crate) fn set_tracks_relinks(&self, tracks_relinks: bool) {
        self.tracks_relinks.store(tracks_relinks, Ordering::Relaxed);
    }

    pub(crate) fn tracks_relinks(&self) -> bool {
        self.tracks_relinks.load(Ordering::Relaxed)
    }
}
