//! `mapwright run JOB`: one night of one job, from a timer or by hand.

use crate::commands::Entry;
use crate::exit::Exit;
use crate::failure::{Failure, say};
use crate::output::Output;
use crate::progress::Progress;
use crate::signals;
use crate::{crawl, load, logging, summary};
use clap::{Arg, ArgAction, ArgMatches, Command};
use jiff::Timestamp;
use mapwright_engine::Observer;
use mapwright_jobs::service::{
    self, Clock, JobRunState, Keeping, Kept, Ledger, Plan, Whose, deliver, link, plan, state_root,
};
use mapwright_jobs::{JobError, JobFault};
use mapwright_settings::{CommandKind, ReportFormat, arguments};
use mapwright_store::Record;
use serde_json::json;
use std::fs::File;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

pub(crate) const ENTRY: Entry = Entry { command, run };

fn command() -> Command {
    let dry = Arg::new("dry-run").long("dry-run").action(ArgAction::SetTrue);
    Command::new("run")
        .about("Run one job of a configuration file now, as the service would at night")
        .arg(Arg::new("job").value_name("JOB").required(true).help("The job's name in the file"))
        .arg(dry.help("Tell what would be done, and ask for nothing"))
        .args(arguments(CommandKind::Run))
}

fn run(matches: &ArgMatches) -> Result<Exit, Failure> {
    let name = matches.get_one::<String>("job").map(String::as_str).unwrap_or_default();
    let layers = load::layers(matches)?;
    let loaded = layers.load(Some(name), None)?;
    loaded.warnings.iter().for_each(|warning| say(&format!("warning: {warning}")));
    logging::start_night(&loaded.settings);
    let root = state_root(&loaded.settings)?;
    let plan = plan(&layers, name, &root, crawl::read)?;
    if matches.get_flag("dry-run") {
        return tell(&plan);
    }
    let _alone = alone(&plan)?;
    let ledger = Arc::new(Ledger::open(&root)?);
    let runtime = crawl::runtime()?;
    let exit = runtime.block_on(keep(Arc::new(plan), ledger));
    runtime.shutdown_background();
    exit
}

/// The lock that lets one `run` of a job alone work; held as long as the file is. A job that is running already is
/// refused before anything is noted of it: that is no night which failed.
fn alone(plan: &Plan) -> Result<File, Failure> {
    let place = format!("job {}, {}", plan.name, plan.record.display());
    let lock = service::alone(plan).map_err(|error| {
        Failure::usage(error.to_string(), place.clone(), "see that it can be written, or name another --state-root")
    })?;
    match lock.filter(|_| !Record::is_at_work(&plan.record)) {
        Some(lock) => Ok(lock),
        None => Err(Failure::usage("the job is running already", place, "wait for it to end")),
    }
}

async fn keep(plan: Arc<Plan>, ledger: Arc<Ledger>) -> Result<Exit, Failure> {
    let settings = plan.settings.clone();
    let progress = Arc::new(Progress::start(&settings));
    let stop = CancellationToken::new();
    let signal = signals::watch(stop.clone());
    // To the millisecond, as the ledger keeps it: two runs within a second are two nights.
    let due = Timestamp::from_millisecond(Timestamp::now().as_millisecond()).unwrap_or_default();
    let keeping =
        Keeping { plan: Arc::clone(&plan), ledger: Arc::clone(&ledger), link: link(&settings), clock: Clock::real() };
    let kept = keeping.keep(due, Arc::clone(&progress) as Arc<dyn Observer>, stop).await;
    progress.end();
    let kept = kept?;
    let exit = exit(&kept, signal.received());
    if let Some(report) = &kept.report {
        summary::print(report, &settings, exit)?;
    }
    if !kept.why.is_empty() {
        say(&format!("job {}: {}: {}", plan.name, kept.state, kept.why));
    }
    let since = Timestamp::now();
    deliver(&ledger, Whose::Of(&plan.name), || vec![Arc::clone(&plan)], Timestamp::now).await?;
    for (receiver, why) in ledger.undelivered(&plan.name, since)? {
        say(&format!("job {}: a message to {receiver} is not delivered: {why}", plan.name));
    }
    Ok(exit)
}

/// The exit code that a night stands for.
fn exit(kept: &Kept, signal: Option<signals::Signal>) -> Exit {
    match (kept.state, kept.fault, &kept.report) {
        (JobRunState::Refused, ..) => Exit::OutputFailed,
        (_, Some(fault), _) => fault.into(),
        (_, None, Some(report)) if kept.state != JobRunState::Failed || !report.unanswered.is_empty() => {
            crawl::exit(report, signal)
        }
        (JobRunState::Failed, None, _) => Exit::OutputFailed,
        _ => Exit::Done,
    }
}

/// What a night would do.
fn tell(plan: &Plan) -> Result<Exit, Failure> {
    let mut output = Output::new();
    match plan.settings.output.format {
        ReportFormat::Json => output.line(&value(plan).to_string())?,
        ReportFormat::Text | ReportFormat::Github => text(&mut output, plan)?,
    }
    output.finish()?;
    Ok(Exit::Done)
}

/// The same for machines.
fn value(plan: &Plan) -> serde_json::Value {
    let labels = |labels: &mut dyn Iterator<Item = String>| labels.collect::<Vec<String>>();
    json!({
        "job": plan.name,
        "task": plan.settings.job.task.as_str(),
        "urls": plan.urls(),
        "schedule": plan.timetable.describe(),
        "record": plan.record,
        "sitemaps": plan.sitemaps,
        "reports": plan.reports,
        "mirrors": labels(&mut plan.mirrors.iter().map(|mirror| mirror.label())),
        "rewrite_host": plan.settings.publish.rewrite_host,
        "search_engines": plan.engines(),
        "told": labels(&mut plan.channels.iter().map(|channel| channel.label())),
        "watchdog": plan.watchdog(),
    })
}

fn text(output: &mut Output, plan: &Plan) -> Result<(), Failure> {
    let settings = &plan.settings;
    output.line(&format!("job {}: {} of {}", plan.name, settings.job.task, plan.urls().join(" ")))?;
    output.line(&format!("due: {}", plan.timetable.describe()))?;
    output.line(&format!("record: {}", plan.record.display()))?;
    for (what, folder) in [("sitemaps", &plan.sitemaps), ("reports", &plan.reports)] {
        if let Some(folder) = folder {
            output.line(&format!("{what}: {}", folder.display()))?;
        }
    }
    for mirror in &plan.mirrors {
        output.line(&format!("brought to: {}", mirror.label()))?;
    }
    for rewrite in &settings.publish.rewrite_host {
        output.line(&format!("published as: {rewrite}"))?;
    }
    for engine in &plan.engines() {
        output.line(&format!("search engine: {engine}"))?;
    }
    for channel in &plan.channels {
        output.line(&format!("told: {}", channel.label()))?;
    }
    if let Some(watchdog) = plan.watchdog() {
        output.line(&format!("watchdog: {watchdog}"))?;
    }
    output.line("nothing was asked for or written")
}

impl From<JobFault> for Exit {
    fn from(fault: JobFault) -> Exit {
        match fault {
            JobFault::Usage => Exit::Usage,
            JobFault::Record => Exit::CutShort,
            JobFault::Output => Exit::OutputFailed,
            JobFault::Failed => Exit::Failed,
        }
    }
}

impl From<JobError> for Failure {
    fn from(error: JobError) -> Failure {
        Failure::new(error.fault.into(), error.what, error.place, error.remedy)
    }
}
