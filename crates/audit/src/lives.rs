//! The life of findings: new, persisting, fixed, regressed.

use crate::code::Code;
use crate::item::State;
use crate::report::Fixed;
use crate::sight::Sight;
use mapwright_store::{Life, Record, StoreError};
use std::collections::{HashMap, HashSet};

/// The life of findings, as the record knows it.
pub(crate) struct Lives {
    known: HashMap<i64, Life>,
    /// This run, and the newest whole audit before it.
    run: i64,
    before: i64,
}

/// What the audit before found, and this one does not.
#[derive(Debug, Default)]
pub(crate) struct Gone {
    /// What this run would have found, were it there still.
    pub(crate) fixed: Vec<Fixed>,
    /// Keys of what this run could not judge.
    pub(crate) carried: Vec<i64>,
}

impl Lives {
    pub(crate) fn of(record: &Record) -> Result<Self, StoreError> {
        Ok(Self { known: record.lives()?, run: record.run(), before: record.audit_before()? })
    }

    /// How a part of a finding stands to the audits before, by its key.
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

    /// The run of the newest whole audit before this run; 0 where there is none.
    pub(crate) fn before(&self) -> i64 {
        self.before
    }

    /// What the audit before found, and is not among the keys found now: fixed where this run could judge it.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub(crate) fn gone(&self, record: &Record, found: &HashSet<i64>, sight: &Sight<'_>) -> Result<Gone, StoreError> {
        let mut gone = Gone::default();
        // Where this run was audited before, what that carried on was last seen in this run.
        record.each_finding(self.before..self.run + 1, |key, code, subject| {
            let is_older = self.known.get(&key).is_some_and(|life| life.since < self.run);
            let Some(code) = Code::from_name(code).filter(|_| is_older && !found.contains(&key)) else { return };
            if sight.judges(code, subject) {
                gone.fixed.push(Fixed { code, subject: subject.to_owned() });
            } else {
                gone.carried.push(key);
            }
        })?;
        // A page may have lost several findings of a kind, each with another URL.
        gone.fixed.dedup();
        Ok(gone)
    }
}

/// The life of a finding of two parts: it is new where one is, and back where one is.
pub(crate) fn together(one: State, other: State) -> State {
    match (one, other) {
        (State::New, _) | (_, State::New) => State::New,
        (State::Regressed, _) | (_, State::Regressed) => State::Regressed,
        (State::Persisting, State::Persisting) => State::Persisting,
    }
}
