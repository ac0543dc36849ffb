//! The opening of a crawl: until every start URL has led somewhere, the scope is not settled.

use crate::visited::Visit;
use mapwright_frontier::{Discovery, Finished};
use mapwright_web::UrlKey;
use std::collections::HashSet;

/// Holds back what start pages link to until all start URLs are settled, so that no link is judged by a scope that is
/// about to move.
#[derive(Debug)]
pub(crate) struct Opening {
    left: usize,
    held: Vec<Finished<Visit>>,
    /// Start URLs, and what they redirect to: two that lead to one page are settled by one visit.
    queued: HashSet<UrlKey>,
}

impl Opening {
    /// An opening with these start URLs, of which those that are refused count for nothing, nor do checks among them.
    pub(crate) fn new(seeds: &[Discovery]) -> Self {
        let queued: HashSet<UrlKey> = seeds.iter().filter(|s| s.seed && s.refused.is_none()).map(|s| s.key).collect();
        Self { left: queued.len(), held: Vec::new(), queued }
    }

    /// Whether a URL that a start URL redirects to takes its place; not if it is a start URL itself, or took
    /// another's place before.
    pub(crate) fn replaces(&mut self, key: UrlKey) -> bool {
        self.queued.insert(key)
    }

    /// Start URLs are still under way.
    pub(crate) fn is_on(&self) -> bool {
        self.left > 0
    }

    /// One start URL is settled, by this visit.
    pub(crate) fn hold(&mut self, finished: Finished<Visit>) {
        self.left = self.left.saturating_sub(1);
        self.held.push(finished);
    }

    /// What was held back, once all are settled.
    pub(crate) fn release(&mut self) -> Vec<Finished<Visit>> {
        if self.is_on() { Vec::new() } else { std::mem::take(&mut self.held) }
    }
}
