//! One crawl, from settings to published sitemaps.

use crate::begin::{self, Begun, begin};
use crate::crawl_spec::CrawlSpec;
use crate::disk::Disk;
use crate::error::CrawlError;
use crate::fetcher::fetcher;
use crate::finish::{Notes, finish};
use crate::foreign;
use crate::noting_observer::NotingObserver;
use crate::rendering::{self, KnownRendering, Rendering};
use crate::report::RunReport;
use crate::wire::{self, PriorKnowledge};
use mapwright_engine::{Completeness, CrawlResult, Cut, Engine, Event, Observer, Start};
use mapwright_publish::Directory;
use mapwright_settings::Out;
use mapwright_store::{LocalFrontier, Record, StoreError};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use tokio_util::sync::CancellationToken;

/// Runs a crawl until it is complete or `stop` is cancelled, and publishes its sitemap. Resumes an unfinished run if
/// the settings say so.
///
/// # Errors
/// If the output or the record cannot be written. Failures of the site are in the report.
pub async fn run(
    spec: CrawlSpec,
    observer: Arc<dyn Observer>,
    stop: CancellationToken,
) -> Result<RunReport, CrawlError> {
    let (spec, directory) = prepare(spec, Arc::clone(&observer)).await?;
    let folder = spec.record()?;
    run_in(&folder, spec, directory, observer, stop).await.map_err(|error| error.in_record(&folder))
}

async fn run_in(
    folder: &Path,
    spec: CrawlSpec,
    directory: Option<Directory>,
    observer: Arc<dyn Observer>,
    stop: CancellationToken,
) -> Result<RunReport, CrawlError> {
    let began = Instant::now();
    let mut record = Record::open(folder)?;
    foreign::check(&spec, &record, directory.as_ref())?;
    let disk = Disk::check(folder, spec.settings.record.min_free_disk)?;
    let fetcher = fetcher(&spec.settings, &spec.starts, &spec.list)?;
    let rendering = Rendering::of(&spec.settings, spec.audit.is_some())?;
    let Begun { start, notices } = begin(&spec, &mut record)?;
    begin::restore_first_party_origins(&start, &fetcher);
    notices.iter().for_each(|text| observer.see(&Event::Notice { text }));
    let heard = Arc::new(Mutex::new(Vec::new()));
    let watching = tokio::spawn(disk.clone().watch(stop.clone()));
    let observer = NotingObserver { next: observer, fetcher: fetcher.clone(), notes: Arc::clone(&heard) };
    let crawled = crawl(&spec, record, start, observer, rendering, stop).await;
    watching.abort();
    let (mut ended, record) = crawled?;
    if disk.was_low() && ended.completeness == Completeness::Cut(Cut::Stopped) {
        ended.completeness = Completeness::Cut(Cut::Disk);
    }
    let mut notes = spec.notes.clone();
    notes.append(&mut heard.lock().unwrap_or_else(PoisonError::into_inner));
    notes.extend(rendering::note(&record)?);
    let (guard_is_bypassed, out_of_files) = (fetcher.guard_is_bypassed(), fetcher.out_of_files().map(str::to_owned));
    let report_notes = Notes { notices, notes, guard_is_bypassed, out_of_files, began };
    let closing = move || finish(&spec, record, directory, ended, report_notes);
    tokio::task::spawn_blocking(closing).await.map_err(|error| CrawlError::panicked(&error))?
}

/// Checks that results can be written, before the first request, on a blocking thread because that may take a while.
/// Returns the output directory; `None` for standard output.
async fn prepare(spec: CrawlSpec, observer: Arc<dyn Observer>) -> Result<(CrawlSpec, Option<Directory>), CrawlError> {
    let prepared = tokio::task::spawn_blocking(move || {
        let say = |text: &str| observer.see(&Event::Notice { text });
        spec.audit.as_ref().map_or(Ok(()), |plan| plan.prepare(&say))?;
        let directory = if spec.publishes { output(&spec, &say)? } else { None };
        Ok((spec, directory))
    });
    prepared.await.map_err(|error| CrawlError::panicked(&error))?
}

/// Returns the output directory, checked; `None` for standard output.
fn output(spec: &CrawlSpec, say: &dyn Fn(&str)) -> Result<Option<Directory>, CrawlError> {
    match &spec.settings.output.out {
        Out::Stdout => Ok(None),
        Out::Directory(path) => Directory::prepare(path, say)
            .map(Some)
            .map_err(|error| CrawlError::output("the output directory (--out)", &error)),
    }
}

/// Runs the crawl and returns the record with what was committed.
async fn crawl(
    spec: &CrawlSpec,
    record: Record,
    start: Start,
    observer: NotingObserver,
    rendering: Option<Rendering>,
    stop: CancellationToken,
) -> Result<(CrawlResult, Record), CrawlError> {
    let (run, known) = (record.run(), KnownRendering::of(&record)?);
    let prior = PriorKnowledge { roles: record.roles()?, sampled: record.sampled_before()? };
    let options = wire::engine_options(spec, record.keys(), prior);
    let (frontier, writer_handle) =
        LocalFrontier::start(record, wire::rules(&spec.settings), wire::recrawl(spec, run))?;
    let engine = Engine::new(frontier, observer.fetcher.clone(), spec.scope.clone(), options, Arc::new(observer));
    let engine = match rendering {
        Some(rendering) => rendering.add_to(engine, known),
        None => engine,
    };
    // Runs on a worker of the runtime, as the visits do: from outside, each visit that begins or ends would wake a
    // thread.
    let ended = match tokio::spawn(engine.run(start, stop)).await {
        Ok(ended) => ended.map_err(|error| CrawlError::from(error.0))?,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            Err(_) => return Err(StoreError::Gone.into()),
        },
    };
    let record = tokio::task::spawn_blocking(move || writer_handle.take()).await.map_err(|_| StoreError::Gone)??;
    Ok((ended, record))
}
