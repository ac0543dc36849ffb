//! Keeps listed pages in the sitemap for some runs while they fail transiently.

use crate::error::StoreError;
use crate::judge::page_states::{ListingState, PageState};
use crate::record::Record;
use mapwright_verdict::Reason;

/// Decides which failing pages stay listed, and counts their failing runs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TransientFailures {
    /// The run that is judged.
    pub(crate) run: i64,
    /// The number of consecutive failing runs for which a page stays listed.
    pub(crate) runs: u32,
}

impl TransientFailures {
    /// Returns the final reason, and for a page that stays listed the number of runs for which it has been failing.
    /// `transient_failure`: the failure may be transient (5xx, no answer, throttling).
    pub(crate) fn settle(
        self,
        past: &mut PageState,
        reason: Option<Reason>,
        transient_failure: bool,
    ) -> (Option<Reason>, u32) {
        let listing_state = past.listing_state();
        let next = match reason {
            None if listing_state.listed.is_none() || listing_state.failing > 0 => {
                ListingState { listed: Some(self.run), failing: 0, ..listing_state.clone() }
            }
            // The page is excluded for a reason of its own, so that a later failure does not list it again.
            Some(_) if !transient_failure && listing_state.listed.is_some() => {
                ListingState { listed: None, failing: 0, ..listing_state.clone() }
            }
            Some(_) if transient_failure && self.is_new_failing_run(listing_state) => {
                let failing = listing_state.failing + 1;
                // Once the page has failed for too long, only a successful response lists it again.
                let listed = listing_state.listed.filter(|_| failing <= self.runs);
                ListingState { listed, failing, failed: Some(self.run), ..listing_state.clone() }
            }
            _ => listing_state.clone(),
        };
        let failing = if next.listed.is_some() { next.failing } else { 0 };
        past.set_listing_state(next);
        match reason {
            Some(_) if transient_failure && (1..=self.runs).contains(&failing) => (None, failing),
            reason => (reason, 0),
        }
    }

    /// Reports whether a page with a transient failure stays listed.
    pub(crate) fn keeps(self, listing_state: &ListingState) -> bool {
        let failing = listing_state.failing + u32::from(self.is_new_failing_run(listing_state));
        listing_state.listed.is_some() && (1..=self.runs).contains(&failing)
    }

    /// Reports whether this run adds to the failing runs of a listed page. A run counts once, however often it is
    /// judged.
    fn is_new_failing_run(self, listing_state: &ListingState) -> bool {
        listing_state.listed.is_some() && (listing_state.failing == 0 || listing_state.failed != Some(self.run))
    }
}

impl Record {
    /// Marks the pages of the last published sitemap as listed, because this run's sitemap was refused and the earlier
    /// one stays published. Otherwise a transient failure of these pages would count as an exclusion.
    ///
    /// # Errors
    /// When the record cannot be read or written.
    pub fn restore_published_listing(&self) -> Result<(), StoreError> {
        self.connection.execute(
            "UPDATE memory SET listed = p.id, failing = 0
             FROM (SELECT max(id) AS id FROM run WHERE id < ?1 AND published) p
             WHERE listed IS NULL AND url IN (SELECT url FROM verdict WHERE run = p.id AND reason IS NULL)",
            [self.run],
        )?;
        Ok(())
    }
}
