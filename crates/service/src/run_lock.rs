//! The lock of a job: one run is in progress at a time, started by the service, or by `run` from a timer or by hand.

use crate::blocking::blocking;
use crate::job::Job;
use crate::job_run_state::JobRunState;
use crate::job_store::{IncidentChange, RunNotification, SkippedRun};
use crate::run_key::RunKey;
use crate::runner::{JobRunner, RunOutcome};
use jiff::Timestamp;
use mapwright_crawl::CrawlError;
use mapwright_engine::Observer;
use mapwright_files::{make_private_folder, open_private_file};
use std::fs::{File, TryLockError};
use std::io;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// The lock file of a job, beside its record. (The lock of the record itself is released before the files are
/// mirrored.)
const FILE: &str = "run.lock";

/// Acquires the lock that keeps other processes from running the job, held as long as the file is open; `None` if
/// another process holds it.
///
/// # Errors
/// If the folder of the job cannot be written, or its file system does not support locks.
pub fn lock_job(job: &Job) -> io::Result<Option<File>> {
    make_private_folder(&job.record)?;
    let file = open_private_file(&job.record.join(FILE))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// The reason why a run is skipped or postponed.
const AT_WORK: &str = "another process is at work on the job";

/// Returns the outcome of a run that is postponed.
fn waits() -> RunOutcome {
    RunOutcome { number: 0, state: JobRunState::Unfinished, reason: AT_WORK.to_owned(), report: None, fault: None }
}

impl JobRunner {
    /// Runs the job as [`run`](Self::run) does, unless another process is running it. In that case a new run is
    /// stored as skipped, without a notification, and a run that is resumed (`resumes`) waits for its next chance.
    pub(crate) async fn run_locked(
        &self,
        due: Timestamp,
        resumes: bool,
        observer: Arc<dyn Observer>,
        stop: CancellationToken,
    ) -> Result<Option<RunOutcome>, CrawlError> {
        let job = Arc::clone(&self.job);
        // A folder that cannot be written is an incident of the run, and is reported as such.
        let lock = blocking(move || Ok(lock_job(&job))).await?;
        let key = self.job_store.key_of(&self.job.name, due, resumes)?;
        if matches!(lock, Ok(None)) {
            return if resumes { Ok(Some(waits())) } else { self.skip(key).map(|()| None) };
        }
        let outcome = self.run(key, observer, stop).await;
        drop(lock);
        outcome.map(Some)
    }

    fn skip(&self, key: RunKey) -> Result<(), CrawlError> {
        let job = self.job.name.clone();
        tracing::info!(job, scheduled_for = %key.scheduled_for, "skipped: {AT_WORK}");
        let notice = RunNotification { message: None, channels: Vec::new(), incident: IncidentChange::Ongoing };
        self.job_store.store_skipped(
            &[SkippedRun { job, key, state: JobRunState::Skipped, reason: AT_WORK.to_owned(), notice }],
            self.clock.now(),
        )
    }
}
