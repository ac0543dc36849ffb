//! Messages on their way, in the ledger.

use super::ledger::Ledger;
use super::postman::Whose;
use crate::error::JobError;
use jiff::Timestamp;
use mapwright_tell::{Letter, Lost, Outbox, Undelivered};

impl Ledger {
    /// Letters of these jobs that are to be delivered by now.
    pub(crate) fn letters(&self, whose: Whose<'_>, now: Timestamp, most: usize) -> Result<Vec<Letter>, JobError> {
        let job = match whose {
            Whose::All => None,
            Whose::Of(job) => Some(job),
        };
        self.read(|connection| Outbox::due(connection, job, now, most))
    }

    /// Notes that a letter is about to be delivered; whether it is to be.
    pub(crate) fn begin_letter(&self, letter: &mut Letter, now: Timestamp) -> Result<bool, JobError> {
        self.read(|connection| Outbox::begin(connection, letter, now))
    }

    /// Notes what became of a letter.
    pub(crate) fn settle_letter(
        &self,
        letter: &Letter,
        result: Result<(), &Undelivered>,
        now: Timestamp,
    ) -> Result<bool, JobError> {
        self.read(|connection| Outbox::settle(connection, letter, result, now))
    }

    /// Letters that wait, and letters that were given up.
    pub(crate) fn letter_counts(&self) -> Result<(u64, u64), JobError> {
        self.still_there()?;
        self.read(|connection| Ok((Outbox::waiting(connection)?, Outbox::given_up(connection)?)))
    }

    /// The letters of a job that were tried since then and are not delivered: receiver, and why.
    ///
    /// # Errors
    /// When the ledger cannot be read.
    pub fn undelivered(&self, job: &str, since: Timestamp) -> Result<Vec<(String, String)>, JobError> {
        self.read(|connection| Outbox::undelivered(connection, job, since))
    }

    /// The letters that were given up last, at most so many.
    pub(crate) fn failed_notifications(&self, most: usize) -> Result<Vec<Lost>, JobError> {
        self.read(|connection| Outbox::lost(connection, most))
    }
}
