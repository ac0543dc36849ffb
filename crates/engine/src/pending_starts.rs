//! The opening of a crawl: the scope is settled once every start URL has led to a page or failed.

use mapwright_frontier::Finished;
use mapwright_model::{Discovery, Visit};
use mapwright_web::UrlKey;
use std::collections::HashSet;

/// Holds back the links of start pages until all start URLs are settled, so that no link is judged by a scope that is
/// about to move.
#[derive(Debug)]
pub(crate) struct PendingStarts {
    left: usize,
    held: Vec<Finished<Visit>>,
    /// Start URLs and their redirect targets: one visit settles two that lead to one page.
    queued: HashSet<UrlKey>,
}

impl PendingStarts {
    /// Returns an opening with these start URLs, without refused ones and checks.
    pub(crate) fn new(seeds: &[Discovery]) -> Self {
        let queued: HashSet<UrlKey> =
            seeds.iter().filter(|s| s.route.seed && s.refused.is_none()).map(|s| s.key).collect();
        Self { left: queued.len(), held: Vec::new(), queued }
    }

    /// Reports whether the redirect target of a start URL takes its place; it does not if it is a start URL itself, or
    /// took the place of another.
    pub(crate) fn replaces(&mut self, key: UrlKey) -> bool {
        self.queued.insert(key)
    }

    /// Reports whether start URLs are unsettled.
    pub(crate) fn has_pending(&self) -> bool {
        self.left > 0
    }

    /// Settles one start URL, by this visit, and holds the visit back.
    pub(crate) fn hold(&mut self, finished: Finished<Visit>) {
        self.left = self.left.saturating_sub(1);
        self.held.push(finished);
    }

    /// Returns the visits that were held back, once all start URLs are settled.
    pub(crate) fn release(&mut self) -> Vec<Finished<Visit>> {
        if self.has_pending() { Vec::new() } else { std::mem::take(&mut self.held) }
    }
}
