//! One crawl, from settings to published sitemaps.

use crate::error::{JobError, JobFault};
use crate::finish::finish;
use crate::job::Job;
use crate::report::Report;
use crate::watch::Watch;
use crate::{state, wire};
use mapwright_engine::{Ended, Engine, Observer, Start};
use mapwright_publish::Directory;
use mapwright_settings::Out;
use mapwright_store::{LocalFrontier, Record, RunInfo, StoreError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use tokio_util::sync::CancellationToken;

/// Runs a job until it is whole, or until `stop` is cancelled, and publishes what it found.
///
/// # Errors
/// When the output or the record cannot be written. The site's failures are in the report.
pub async fn run(job: Job, observer: Arc<dyn Observer>, stop: CancellationToken) -> Result<Report, JobError> {
    let began = Instant::now();
    let directory = output(&job)?;
    let folder = state::state_folder(&job.settings, &job.start_urls())?;
    let mut record = Record::open(&folder)?;
    let mut notes = job.notes.clone();
    if let Some((run, queued)) = record.unfinished()? {
        notes.push(format!(
            "run {run} of this record was not finished ({queued} URLs were queued); this run starts afresh"
        ));
    }
    record.begin(&info(&job))?;
    let heard = Arc::new(Mutex::new(Vec::new()));
    let (ended, record, guard_blind) = crawl(&job, record, observer, stop, Arc::clone(&heard)).await?;
    notes.append(&mut heard.lock().unwrap_or_else(PoisonError::into_inner));
    let closing = move || finish(&job, record, directory, ended, guard_blind, notes, began);
    tokio::task::spawn_blocking(closing).await.map_err(|error| JobError {
        fault: JobFault::Failed,
        what: error.to_string(),
        place: "finishing the run".to_owned(),
        remedy: "please report it".to_owned(),
    })?
}

/// The output directory, checked before the first request; none for standard output.
fn output(job: &Job) -> Result<Option<Directory>, JobError> {
    match &job.settings.output.out {
        Out::Stdout => Ok(None),
        Out::Directory(path) => {
            Directory::prepare(path).map(Some).map_err(|error| JobError::output("the output directory (--out)", &error))
        }
    }
}

/// The crawl itself: whatever happens in it, the record comes back with what was committed.
async fn crawl(
    job: &Job,
    record: Record,
    observer: Arc<dyn Observer>,
    stop: CancellationToken,
    notes: Arc<Mutex<Vec<String>>>,
) -> Result<(Ended, Record, bool), JobError> {
    let fetcher = wire::fetcher(job)?;
    let folder = record.folder().to_owned();
    let options = wire::engine_options(job, record.keys());
    let (frontier, keeper) = LocalFrontier::start(record, wire::rules(&job.settings))?;
    let guard_blind = fetcher.guard_blind();
    let watch = Watch { next: observer, fetcher: fetcher.clone(), notes };
    let engine = Engine::new(frontier, fetcher, job.scope.clone(), options, Arc::new(watch));
    let start = Start { urls: job.start_urls(), list: job.list.clone() };
    let ended = engine.run(start, stop).await.map_err(|error| JobError {
        fault: if error.0.is_disk_full() { JobFault::Record } else { JobFault::Failed },
        what: error.to_string(),
        place: format!("the record in {} (--state)", folder.display()),
        remedy: "what was committed until then is saved; free some space, and run again".to_owned(),
    })?;
    let record = tokio::task::spawn_blocking(move || keeper.take()).await.map_err(|_| StoreError::Gone)??;
    Ok((ended, record, guard_blind))
}

/// What the record keeps of the settings: never a secret.
fn info(job: &Job) -> RunInfo {
    let starts: Vec<String> = job.start_urls().iter().map(ToString::to_string).collect();
    RunInfo {
        starts: serde_json::json!(starts).to_string(),
        settings: serde_json::json!({
            "scope": job.settings.crawl.scope.as_str(),
            "max_urls": job.settings.crawl.max_urls,
            "max_depth": job.settings.crawl.max_depth,
            "include": job.settings.crawl.include,
            "exclude": job.settings.crawl.exclude,
            "no_list": job.settings.crawl.no_list,
            "user_agent": job.settings.fetch.user_agent,
        })
        .to_string(),
    }
}
