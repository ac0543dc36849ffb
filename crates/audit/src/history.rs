//! The history of findings: new, persisting, fixed, regressed.

use crate::checks;
use crate::coverage::Coverage;
use crate::rendered_finding::State;
use crate::report::Fixed;
use mapwright_store::{Record, StoreError, StoredHistory};
use std::collections::{HashMap, HashSet};

/// The history of findings, as the record holds it.
pub(crate) struct FindingHistory {
    known: HashMap<i64, StoredHistory>,
    /// This run, and the newest complete audit before it.
    run: i64,
    before: i64,
}

/// The findings of the previous audit that this one does not have.
#[derive(Debug, Default)]
pub(crate) struct GoneFindings {
    /// Findings that this run would have made if they persisted.
    pub(crate) fixed: Vec<Fixed>,
    /// Keys of findings that this run could not confirm or refute.
    pub(crate) undecided: Vec<i64>,
}

impl FindingHistory {
    pub(crate) fn of(record: &Record) -> Result<Self, StoreError> {
        Ok(Self { known: record.finding_histories()?, run: record.run(), before: record.audit_before()? })
    }

    /// Returns the state of a part of a finding, by its key.
    pub(crate) fn state(&self, key: i64) -> State {
        match self.known.get(&key) {
            None => State::New,
            // This run was audited before.
            Some(life) if life.last == self.run && life.since == self.run => {
                if life.before > 0 {
                    State::Regressed
                } else {
                    State::New
                }
            }
            Some(life) if life.last >= self.before => State::Persisting,
            Some(_) => State::Regressed,
        }
    }

    /// Returns the run of the newest complete audit before this run; 0 if there is none.
    pub(crate) fn before(&self) -> i64 {
        self.before
    }

    /// Returns the findings of the previous audit whose keys are not found now: fixed if this run could refute them.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub(crate) fn resolved(
        &self,
        record: &Record,
        found: &HashSet<i64>,
        coverage: &Coverage<'_>,
    ) -> Result<GoneFindings, StoreError> {
        let mut resolved = GoneFindings::default();
        // If this run was audited before, that audit noted the findings that it carried over as last seen in this run.
        record.each_finding(self.before..self.run + 1, |key, code, subject| {
            let is_older = self.known.get(&key).is_some_and(|life| life.since < self.run);
            let Some(check) = checks::named(code).filter(|_| is_older && !found.contains(&key)) else { return };
            if coverage.judges(check, subject) {
                resolved.fixed.push(Fixed { check, subject: subject.to_owned() });
            } else {
                resolved.undecided.push(key);
            }
        })?;
        // Several findings of one kind may be gone from a page, each with another target URL.
        resolved.fixed.dedup();
        Ok(resolved)
    }
}

/// Combines the states of two parts of a finding: new if either is new, else regressed if either is regressed.
pub(crate) fn combined_state(one: State, other: State) -> State {
    match (one, other) {
        (State::New, _) | (_, State::New) => State::New,
        (State::Regressed, _) | (_, State::Regressed) => State::Regressed,
        (State::Persisting, State::Persisting) => State::Persisting,
    }
}
