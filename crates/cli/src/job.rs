//! `mapwright run JOB`: one run of one job, from a timer or by hand.

use crate::entry::Entry;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Output;
use crate::progress::Progress;
use crate::signals;
use crate::stderr::print_stderr;
use crate::{crawl, load, logging, summary};
use clap::{Arg, ArgAction, ArgMatches, Command};
use jiff::Timestamp;
use mapwright_crawl::{CrawlError, CrawlFault};
use mapwright_engine::Observer;
use mapwright_service::{Clock, Job, JobFilter, JobRunner, JobStore, RunKey, deliver, job, link, state_root};
use mapwright_settings::{CommandKind, ReportFormat, arguments};
use mapwright_store::Record;
use serde::Serialize;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

pub(crate) const ENTRY: Entry = Entry::new(command, run);

fn command() -> Command {
    let dry = Arg::new("dry-run").long("dry-run").action(ArgAction::SetTrue);
    Command::new("run")
        .about("Run one job of a configuration file now, as the service would")
        .arg(Arg::new("job").value_name("JOB").required(true).help("The job's name in the file"))
        .arg(dry.help("Show what would be done, and request nothing"))
        .args(arguments(CommandKind::Run))
}

fn run(matches: &ArgMatches) -> Result<Exit, Failure> {
    let name = matches.get_one::<String>("job").map(String::as_str).unwrap_or_default();
    let layers = load::layers(matches)?;
    let loaded = layers.load(Some(name), None)?;
    loaded.warnings.iter().for_each(|warning| print_stderr(&format!("warning: {warning}")));
    logging::start_day(&loaded.settings);
    let root = state_root(&loaded.settings)?;
    let job = job(&layers, name, &root, crawl::read)?;
    if matches.get_flag("dry-run") {
        return describe(&job);
    }
    let _lock = lock_job(&job)?;
    let job_store = Arc::new(JobStore::open(&root)?);
    let runtime = crawl::runtime()?;
    let exit = runtime.block_on(run_once(Arc::new(job), job_store));
    runtime.shutdown_background();
    exit
}

/// Takes the lock that admits a single `run` of a job, until the file is closed. A job that is already running is
/// refused before anything is recorded, because that is not a failed run.
fn lock_job(job: &Job) -> Result<File, Failure> {
    let place = format!("job {}, {}", job.name, job.record.display());
    let lock = mapwright_service::lock_job(job).map_err(|error| {
        Failure::usage(error.to_string(), place.clone(), "see that it can be written, or name another --state-root")
    })?;
    match lock.filter(|_| !Record::is_being_written(&job.record)) {
        Some(lock) => Ok(lock),
        None => Err(Failure::usage("the job is running already", place, "wait for it to end")),
    }
}

async fn run_once(job: Arc<Job>, job_store: Arc<JobStore>) -> Result<Exit, Failure> {
    let settings = job.settings.clone();
    let progress = Arc::new(Progress::start(&settings));
    let stop = CancellationToken::new();
    let signal = signals::watch(stop.clone());
    // In milliseconds, the precision of the job store: two runs within a second are two job runs.
    let now = Timestamp::from_millisecond(Timestamp::now().as_millisecond()).unwrap_or_default();
    let runner = JobRunner {
        job: Arc::clone(&job),
        job_store: Arc::clone(&job_store),
        link: link(&settings),
        clock: Clock::real(),
    };
    let outcome = runner.run(RunKey::first(now), Arc::clone(&progress) as Arc<dyn Observer>, stop).await;
    progress.end();
    let outcome = outcome?;
    let exit = Exit::of_job(&outcome, signal.received());
    if let Some(report) = &outcome.report {
        summary::print(report, &settings, exit)?;
    }
    if !outcome.reason.is_empty() {
        print_stderr(&format!("job {}: {}: {}", job.name, outcome.state, outcome.reason));
    }
    let since = Timestamp::now();
    deliver(&job_store, JobFilter::Of(&job.name), || vec![Arc::clone(&job)], Timestamp::now).await?;
    for (receiver, why) in job_store.undelivered(&job.name, since)? {
        print_stderr(&format!("job {}: a notification to {receiver} is not delivered: {why}", job.name));
    }
    Ok(exit)
}

/// Prints what a run of the job would do.
fn describe(job: &Job) -> Result<Exit, Failure> {
    let mut output = Output::new();
    match job.settings.output.format {
        ReportFormat::Json => output.json(&DryRunJson::from(job))?,
        ReportFormat::Text | ReportFormat::Github => text(&mut output, job)?,
    }
    output.finish()?;
    Ok(Exit::Done)
}

/// The description of a run, as JSON.
#[derive(Serialize)]
struct DryRunJson<'j> {
    job: &'j str,
    task: &'static str,
    urls: Vec<String>,
    schedule: String,
    record: &'j Path,
    sitemaps: Option<&'j Path>,
    reports: Option<&'j Path>,
    mirrors: Vec<String>,
    rewrite_host: &'j [String],
    search_engines: Vec<String>,
    notify: Vec<String>,
    heartbeat: Option<&'j str>,
}

impl<'j> From<&'j Job> for DryRunJson<'j> {
    fn from(job: &'j Job) -> Self {
        Self {
            job: &job.name,
            task: job.settings.job.task.as_str(),
            urls: job.urls(),
            schedule: job.timetable.describe(),
            record: &job.record,
            sitemaps: job.sitemaps.as_deref(),
            reports: job.reports.as_deref(),
            mirrors: job.mirrors.iter().map(|mirror| mirror.label()).collect(),
            rewrite_host: &job.settings.publish.rewrite_host,
            search_engines: job.engines(),
            notify: job.channels.iter().map(|channel| channel.label()).collect(),
            heartbeat: job.watchdog(),
        }
    }
}

fn text(output: &mut Output, job: &Job) -> Result<(), Failure> {
    let settings = &job.settings;
    output.line(&format!("job {}: {} of {}", job.name, settings.job.task, job.urls().join(" ")))?;
    output.line(&format!("schedule: {}", job.timetable.describe()))?;
    output.line(&format!("record: {}", job.record.display()))?;
    for (what, folder) in [("sitemaps", &job.sitemaps), ("reports", &job.reports)] {
        if let Some(folder) = folder {
            output.line(&format!("{what}: {}", folder.display()))?;
        }
    }
    for mirror in &job.mirrors {
        output.line(&format!("mirror: {}", mirror.label()))?;
    }
    for rewrite in &settings.publish.rewrite_host {
        output.line(&format!("published as: {rewrite}"))?;
    }
    for engine in &job.engines() {
        output.line(&format!("search engine: {engine}"))?;
    }
    for channel in &job.channels {
        output.line(&format!("notify: {}", channel.label()))?;
    }
    if let Some(watchdog) = job.watchdog() {
        output.line(&format!("heartbeat: {watchdog}"))?;
    }
    output.line("nothing was requested or written")
}

impl From<CrawlFault> for Exit {
    fn from(fault: CrawlFault) -> Exit {
        match fault {
            CrawlFault::Usage => Exit::Usage,
            CrawlFault::Record => Exit::CutShort,
            CrawlFault::Output => Exit::OutputFailed,
            CrawlFault::Failed => Exit::Failed,
        }
    }
}

impl From<CrawlError> for Failure {
    fn from(error: CrawlError) -> Failure {
        Failure::new(error.fault.into(), error.what, error.place, error.hint)
    }
}
