//! Access to the service, to records and to reports. All of it blocks, so it runs on threads for blocking tasks.

use crate::app_state::AppState;
use crate::deadline::{Deadline, too_long};
use crate::findings::REPORT;
use crate::problem::Problem;
use axum::http::StatusCode;
use mapwright_service::{EffectiveSetting, JobControl, JobView};
use mapwright_store::{Record, StoreError};
use std::path::Path;
use std::sync::Arc;
use tokio::time::timeout;

/// The results of a job that can be shown.
#[derive(Debug, Clone, Copy)]
pub(crate) struct JobResults {
    /// The job has a record, with runs to compare.
    pub(crate) record: bool,
    /// The job has a report, with findings.
    pub(crate) findings: bool,
}

impl AppState {
    /// Runs `question` on the service.
    pub(crate) async fn query_service<T: Send + 'static>(
        &self,
        query: impl FnOnce(&dyn JobControl) -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let service = Arc::clone(&self.service);
        tokio::task::spawn_blocking(move || query(service.as_ref())).await.map_err(|error| failed(&error))
    }

    /// Returns the results that a job has produced so far.
    pub(crate) async fn job_results(&self, job: &JobView) -> Result<JobResults, Problem> {
        let (record, reports) = (job.record.clone(), job.reports.clone());
        let look = move |_: &dyn JobControl| JobResults {
            record: Record::file_in(&record).is_file(),
            findings: reports.is_some_and(|reports| reports.join(REPORT).is_file()),
        };
        self.query_service(look).await
    }

    /// Returns the job of this name.
    pub(crate) async fn job(&self, name: &str) -> Result<JobView, Problem> {
        let wanted = name.to_owned();
        let unknown = || Problem::new(StatusCode::NOT_FOUND, "there is no job of this name");
        self.query_service(move |service| service.job(&wanted)).await?.ok_or_else(unknown)
    }

    /// Returns the settings of the job of this name.
    pub(crate) async fn settings(&self, name: &str) -> Result<Vec<EffectiveSetting>, Problem> {
        let wanted = name.to_owned();
        let unknown = || Problem::new(StatusCode::NOT_FOUND, "there is no job of this name");
        self.query_service(move |service| service.settings(&wanted)).await?.ok_or_else(unknown)
    }

    /// Reads a record or a report, with a limit of simultaneous reads and of time.
    pub(crate) async fn read<T: Send + 'static>(
        &self,
        reading: impl FnOnce(Deadline) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let patience = self.limits.reading;
        let busy = || Problem::new(StatusCode::SERVICE_UNAVAILABLE, "too much is being read just now; try again");
        let place = timeout(patience, Arc::clone(&self.read_permits).acquire_owned()).await;
        let place = place.ok().and_then(Result::ok).ok_or_else(busy)?;
        let task = tokio::task::spawn_blocking(move || {
            // The permit is held until the read ends, even if the request has timed out.
            let _place = place;
            reading(Deadline::within(patience))
        });
        match timeout(patience, task).await {
            Ok(done) => done.map_err(|error| failed(&error))?,
            Err(_) => Err(too_long()),
        }
    }
}

/// Opens the record of a job for reading.
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

fn failed(error: &dyn std::fmt::Display) -> Problem {
    tracing::error!(%error, "an answer of the dashboard failed");
    Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "it failed on our side; please report it")
}
