//! The opening of a crawl: until every start URL has led somewhere, the scope is not settled.

use crate::visited::Visit;
use mapwright_frontier::Finished;

/// Holds back what start pages link to until all start URLs are settled, so that no link is judged by a scope that is
/// about to move.
#[derive(Debug)]
pub(crate) struct Opening {
    left: usize,
    held: Vec<Finished<Visit>>,
}

impl Opening {
    pub(crate) fn new(seeds: usize) -> Self {
        Self { left: seeds, held: Vec::new() }
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
