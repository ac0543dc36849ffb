//! One crawl, from settings to published sitemaps.

use crate::begin::{self, Begun, begin};
use crate::disk::Disk;
use crate::error::{JobError, JobFault};
use crate::finish::{Told, finish};
use crate::foreign;
use crate::job::Job;
use crate::report::Report;
use crate::watch::Watch;
use crate::wire::{self, Learnt};
use mapwright_engine::{Cut, Ended, Engine, Event, How, Observer, Start};
use mapwright_publish::Directory;
use mapwright_settings::Out;
use mapwright_store::{LocalFrontier, Record, StoreError};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use tokio::task::JoinError;
use tokio_util::sync::CancellationToken;

/// Runs a job until it is whole, or until `stop` is cancelled, and publishes what it found. A run that was cut goes on
/// if the settings say so.
///
/// # Errors
/// When the output or the record cannot be written. The site's failures are in the report.
pub async fn run(job: Job, observer: Arc<dyn Observer>, stop: CancellationToken) -> Result<Report, JobError> {
    let (job, directory) = prepare(job, Arc::clone(&observer)).await?;
    let folder = job.record()?;
    run_in(&folder, job, directory, observer, stop).await.map_err(|error| error.in_record(&folder))
}

async fn run_in(
    folder: &Path,
    job: Job,
    directory: Option<Directory>,
    observer: Arc<dyn Observer>,
    stop: CancellationToken,
) -> Result<Report, JobError> {
    let began = Instant::now();
    let mut record = Record::open(folder)?;
    foreign::check(&job, &record, directory.as_ref())?;
    let disk = Disk::check(folder, job.settings.record.min_free_disk)?;
    let fetcher = wire::fetcher(&job)?;
    let Begun { start, notices } = begin(&job, &mut record)?;
    begin::settle_in(&start, &fetcher);
    notices.iter().for_each(|text| observer.see(&Event::Notice { text }));
    let heard = Arc::new(Mutex::new(Vec::new()));
    let watching = tokio::spawn(disk.clone().watch(stop.clone()));
    let watch = Watch { next: observer, fetcher: fetcher.clone(), notes: Arc::clone(&heard) };
    let crawled = crawl(&job, record, start, watch, stop).await;
    watching.abort();
    let (mut ended, record) = crawled?;
    if disk.was_low() && ended.how == How::Cut(Cut::Stopped) {
        ended.how = How::Cut(Cut::Disk);
    }
    let mut notes = job.notes.clone();
    notes.append(&mut heard.lock().unwrap_or_else(PoisonError::into_inner));
    let (guard_blind, out_of_files) = (fetcher.guard_blind(), fetcher.out_of_files().map(str::to_owned));
    let told = Told { notices, notes, guard_blind, out_of_files, began };
    let closing = move || finish(&job, record, directory, ended, told);
    tokio::task::spawn_blocking(closing).await.map_err(|error| aborted(&error))?
}

/// Checks that results can be written, before the first request; that may take a while, and so is done aside. Gives the
/// output directory; none for standard output.
async fn prepare(job: Job, observer: Arc<dyn Observer>) -> Result<(Job, Option<Directory>), JobError> {
    let prepared = tokio::task::spawn_blocking(move || {
        let say = |text: &str| observer.see(&Event::Notice { text });
        job.audit.as_ref().map_or(Ok(()), |plan| plan.prepare(&say))?;
        let directory = if job.publishes { output(&job, &say)? } else { None };
        Ok((job, directory))
    });
    prepared.await.map_err(|error| aborted(&error))?
}

/// The output directory, checked; none for standard output.
fn output(job: &Job, say: &dyn Fn(&str)) -> Result<Option<Directory>, JobError> {
    match &job.settings.output.out {
        Out::Stdout => Ok(None),
        Out::Directory(path) => Directory::prepare(path, say)
            .map(Some)
            .map_err(|error| JobError::output("the output directory (--out)", &error)),
    }
}

/// A part of the work that did not come to its end.
fn aborted(error: &JoinError) -> JobError {
    JobError {
        fault: JobFault::Failed,
        what: error.to_string(),
        place: "the run".to_owned(),
        remedy: "please report it".to_owned(),
        key: None,
    }
}

/// The crawl itself: whatever happens in it, the record comes back with what was committed.
async fn crawl(
    job: &Job,
    record: Record,
    start: Start,
    watch: Watch,
    stop: CancellationToken,
) -> Result<(Ended, Record), JobError> {
    let run = record.run();
    let learnt = Learnt { roles: record.roles()?, sampled: record.sampled_before()? };
    let options = wire::engine_options(job, record.keys(), learnt);
    let (frontier, keeper) = LocalFrontier::start(record, wire::rules(&job.settings), wire::recrawl(job, run))?;
    let engine = Engine::new(frontier, watch.fetcher.clone(), job.scope.clone(), options, Arc::new(watch));
    // On a worker of the runtime, where the visits are: from outside, each one begun or ended would wake a thread.
    let ended = match tokio::spawn(engine.run(start, stop)).await {
        Ok(ended) => ended.map_err(|error| JobError::from(error.0))?,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            Err(_) => return Err(StoreError::Gone.into()),
        },
    };
    let record = tokio::task::spawn_blocking(move || keeper.take()).await.map_err(|_| StoreError::Gone)??;
    Ok((ended, record))
}
