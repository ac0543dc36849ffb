//! A bad hour is not a bad page: what was listed stays listed for some runs though it fails.

use crate::error::StoreError;
use crate::past::{Past, Standing};
use crate::record::Record;
use mapwright_verdict::Reason;

/// Decides which failing pages stay listed, and keeps the account of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Keeping {
    /// The run that is judged.
    pub(crate) run: i64,
    /// Pages are kept for so many runs of failing in a row.
    pub(crate) runs: u32,
}

impl Keeping {
    /// The reason that stands in the end, and for how many runs the page has been failing where it stays listed all
    /// the same. `bad_hour`: the failure may be one of the hour (5xx, no answer, throttling).
    pub(crate) fn settle(self, past: &mut Past, reason: Option<Reason>, bad_hour: bool) -> (Option<Reason>, u32) {
        let standing = past.standing();
        let next = match reason {
            None if standing.listed.is_none() || standing.failing > 0 => {
                Standing { listed: Some(self.run), failing: 0, ..standing.clone() }
            }
            // It is out for a reason of its own, and no failure brings it back.
            Some(_) if !bad_hour && standing.listed.is_some() => {
                Standing { listed: None, failing: 0, ..standing.clone() }
            }
            Some(_) if bad_hour && self.fails_anew(standing) => {
                let failing = standing.failing + 1;
                // Out once it has failed for too long, it comes back by a good answer alone.
                let listed = standing.listed.filter(|_| failing <= self.runs);
                Standing { listed, failing, failed: Some(self.run), ..standing.clone() }
            }
            _ => standing.clone(),
        };
        let failing = if next.listed.is_some() { next.failing } else { 0 };
        past.set_standing(next);
        match reason {
            Some(_) if bad_hour && (1..=self.runs).contains(&failing) => (None, failing),
            reason => (reason, 0),
        }
    }

    /// Whether a page that fails for the hour stays listed.
    pub(crate) fn keeps(self, standing: &Standing) -> bool {
        let failing = standing.failing + u32::from(self.fails_anew(standing));
        standing.listed.is_some() && (1..=self.runs).contains(&failing)
    }

    /// Whether this run is one more in which a listed page fails. A run is counted once, however often it is judged.
    fn fails_anew(self, standing: &Standing) -> bool {
        standing.listed.is_some() && (standing.failing == 0 || standing.failed != Some(self.run))
    }
}

impl Record {
    /// This run's sitemap is refused, and the one before stands: what is listed there is listed still, so that a bad hour
    /// of its pages is one.
    ///
    /// # Errors
    /// When the record cannot be read or written.
    pub fn stand_by_the_published(&self) -> Result<(), StoreError> {
        self.connection.execute(
            "UPDATE memory SET listed = p.id, failing = 0
             FROM (SELECT max(id) AS id FROM run WHERE id < ?1 AND json_extract(summary, '$.published')) p
             WHERE listed IS NULL AND url IN (SELECT url FROM verdict WHERE run = p.id AND reason IS NULL)",
            [self.run],
        )?;
        Ok(())
    }
}
