//! One night of a job at a time, whoever keeps it: the service, or `run` from a timer or by hand.

use super::job_run_state::JobRunState;
use super::ledger::{LeftOut, Told, Trouble};
use super::night::{Keeping, Kept, blocking};
use super::plan::Plan;
use crate::error::JobError;
use jiff::Timestamp;
use mapwright_engine::Observer;
use mapwright_files::{make_private_folder, open_private_file};
use std::fs::{File, TryLockError};
use std::io;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// The file whose lock stands for it, beside the record. (The record's own lock is let go before what is published goes
/// further.)
const FILE: &str = "run.lock";

/// The lock that lets nobody else keep a night of the job, held as long as the file is; `None` where somebody holds it.
///
/// # Errors
/// When the folder of the job cannot be written, or its file system knows no locks.
pub fn alone(plan: &Plan) -> io::Result<Option<File>> {
    make_private_folder(&plan.record)?;
    let file = open_private_file(&plan.record.join(FILE))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Why a night is left to others.
const AT_WORK: &str = "another process is at work on the job";

/// A night that goes on another time.
fn waits() -> Kept {
    Kept { number: 0, state: JobRunState::Unfinished, why: AT_WORK.to_owned(), report: None, fault: None }
}

impl Keeping {
    /// Keeps the night as [`keep`](Self::keep) does, unless another process keeps one of the job: then one that would
    /// begin is noted as skipped, and there is nothing to tell; one that `goes_on` waits for its next chance.
    pub(super) async fn keep_alone(
        &self,
        due: Timestamp,
        goes_on: bool,
        observer: Arc<dyn Observer>,
        stop: CancellationToken,
    ) -> Result<Option<Kept>, JobError> {
        let plan = Arc::clone(&self.plan);
        // A folder that cannot be written is the night's trouble, and told as such.
        let lock = blocking(move || Ok(alone(&plan))).await?;
        let due = self.ledger.name_of(&self.plan.name, due, goes_on)?;
        if matches!(lock, Ok(None)) {
            return if goes_on { Ok(Some(waits())) } else { self.skip(due).map(|()| None) };
        }
        let kept = self.keep(due, observer, stop).await;
        drop(lock);
        kept.map(Some)
    }

    fn skip(&self, due: Timestamp) -> Result<(), JobError> {
        let job = self.plan.name.clone();
        tracing::info!(job, %due, "skipped: {AT_WORK}");
        let told = Told { message: None, channels: Vec::new(), trouble: Trouble::AsBefore };
        self.ledger.leave_out(
            &[LeftOut { job, due, state: JobRunState::Skipped, why: AT_WORK.to_owned(), told }],
            self.clock.now(),
        )
    }
}
