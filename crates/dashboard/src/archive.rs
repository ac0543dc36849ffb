//! Questions to the service, to records and to reports: all of them block, and are asked beside the runtime.

use crate::desk::Desk;
use crate::findings::REPORT;
use crate::problem::Problem;
use axum::http::StatusCode;
use mapwright_jobs::service::{JobView, Service};
use mapwright_store::{Record, StoreError};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
use tokio::time::timeout;

/// Until when something may be read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Deadline(Instant);

impl Deadline {
    /// A problem once the time is over.
    pub(crate) fn check(self) -> Result<(), Problem> {
        if Instant::now() < self.0 { Ok(()) } else { Err(too_long()) }
    }
}

/// What there is of a job to be shown.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kept {
    /// A record, with runs to compare.
    pub(crate) record: bool,
    /// A report, with findings.
    pub(crate) findings: bool,
}

impl Desk {
    /// Asks the service.
    pub(crate) async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&dyn Service) -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let service = Arc::clone(&self.service);
        tokio::task::spawn_blocking(move || question(service.as_ref())).await.map_err(|error| failed(&error))
    }

    /// What a job has made until now.
    pub(crate) async fn kept(&self, job: &JobView) -> Result<Kept, Problem> {
        let (record, reports) = (job.record.clone(), job.reports.clone());
        let look = move |_: &dyn Service| Kept {
            record: Record::file_in(&record).is_file(),
            findings: reports.is_some_and(|reports| reports.join(REPORT).is_file()),
        };
        self.ask(look).await
    }

    /// The job of this name.
    pub(crate) async fn job(&self, name: &str) -> Result<JobView, Problem> {
        let wanted = name.to_owned();
        let unknown = || Problem::new(StatusCode::NOT_FOUND, "there is no job of this name");
        self.ask(move |service| service.job(&wanted)).await?.ok_or_else(unknown)
    }

    /// Reads a record or a report, a few at a time and not for long.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        reading: impl FnOnce(Deadline) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let patience = self.limits.reading;
        let busy = || Problem::new(StatusCode::SERVICE_UNAVAILABLE, "too much is being read just now; try again");
        let place = timeout(patience, Arc::clone(&self.readings).acquire_owned()).await;
        let place = place.ok().and_then(Result::ok).ok_or_else(busy)?;
        let task = tokio::task::spawn_blocking(move || {
            // Held until the reading ends, though nobody may wait for it any more.
            let _place = place;
            reading(Deadline(Instant::now() + patience))
        });
        match timeout(patience, task).await {
            Ok(done) => done.map_err(|error| failed(&error))?,
            Err(_) => Err(too_long()),
        }
    }
}

/// The record of a job, for reading.
pub(crate) fn open(folder: &Path) -> Result<Record, Problem> {
    if !Record::is_in(folder) {
        return Err(Problem::new(StatusCode::NOT_FOUND, "the job has no record yet: nothing was crawled"));
    }
    Ok(Record::open_to_read(folder)?)
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, format!("the record cannot be read now: {error}"))
    }
}

fn too_long() -> Problem {
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, "it takes too long to read; use the command, or the files")
}

fn failed(error: &dyn std::fmt::Display) -> Problem {
    tracing::error!(%error, "an answer of the dashboard failed");
    Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "it failed on our side; please report it")
}
