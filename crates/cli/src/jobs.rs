//! `mapwright jobs list|next|hash-password|indexnow-key`: shows the jobs of a configuration file, and creates values
//! for it.

use crate::entry::Entry;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Output;
use crate::{crawl, input, load};
use clap::{Arg, ArgMatches, Command, value_parser};
use jiff::Timestamp;
use mapwright_publish::generate_key;
use mapwright_service::{Job, JobRun, JobStore, Newest, ServiceConfig, state_root};
use mapwright_settings::{CommandKind, OutputSection, ReportFormat, SettingSource, arguments};
use serde::Serialize;
use std::path::Path;

pub(crate) const ENTRY: Entry = Entry::new(command, run);

/// Maximum number of due times that are examined for the next runs of a job.
const MAX_DUES: usize = 10_000;
/// Maximum length of a password, in bytes.
const MAX_PASSWORD: u64 = 1024;

fn command() -> Command {
    let count = Arg::new("count").short('n').long("count").value_name("N").default_value("10");
    let count = count.value_parser(value_parser!(u16).range(1..)).help("The number of runs to show");
    let with_options = |command: Command| command.args(arguments(CommandKind::Jobs)).args_override_self(true);
    Command::new("jobs")
        .about("Show the jobs of a configuration file")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands([
            with_options(Command::new("list").about("List the jobs, their schedules and their last runs")),
            with_options(Command::new("next").about("Show when jobs are due next").arg(count)),
            Command::new("hash-password")
                .about("Print the hash of a password on standard input, for the file of --users-file"),
            Command::new("indexnow-key").about("Print a new key of IndexNow, for the file of --indexnow-key-file"),
        ])
}

fn run(matches: &ArgMatches) -> Result<Exit, Failure> {
    match matches.subcommand() {
        Some(("list", matches)) => list(matches),
        Some(("next", matches)) => next(matches),
        Some(("hash-password", _)) => hash_password(),
        Some(("indexnow-key", _)) => indexnow_key(),
        _ => Ok(Exit::Usage),
    }
}

/// A job, and its last run that ran to its end.
struct JobRow {
    job: Job,
    paused: bool,
    next: Option<Timestamp>,
    last: Option<JobRun>,
    /// The newest run, if it is in progress, was cut or did not run.
    newest: Option<JobRun>,
}

fn rows(matches: &ArgMatches) -> Result<(Vec<JobRow>, ReportFormat), Failure> {
    let layers = load::layers(matches)?;
    let loaded = layers.load(None, None)?;
    // A file may set this format for the audits of its jobs.
    if loaded
        .origins
        .iter()
        .any(|origin| origin.key == OutputSection::format && matches!(origin.set_at, SettingSource::Flag(_)))
    {
        load::reject_github_format(&loaded)?;
    }
    mapwright_service::check_jobs(&layers)?;
    let settings = loaded.settings;
    let root = state_root(&settings)?;
    let config = ServiceConfig::read(&layers, &root, crawl::read)?;
    let job_store = JobStore::known(&root)?;
    let now = Timestamp::now();
    let row = |job: Job| {
        let (mut paused, mut last, mut newest) = (false, None, None);
        if let Some(job_store) = &job_store {
            paused = job_store.is_paused(&job.name)?;
            last = job_store.newest_run(&job.name, Newest::ThatRan)?;
            newest = job_store.newest_run(&job.name, Newest::OfAll)?;
        }
        let next = job.timetable.due_after(now).filter(|_| !paused).map(|due| job.timetable.begins(due));
        Ok(JobRow { paused, next, last, newest, job })
    };
    let rows = config.jobs.into_iter().map(row).collect::<Result<_, Failure>>()?;
    Ok((rows, settings.output.format))
}

fn list(matches: &ArgMatches) -> Result<Exit, Failure> {
    let (rows, format) = rows(matches)?;
    let mut output = Output::new();
    for row in &rows {
        match format {
            ReportFormat::Json => output.json(&JobJson::from(row))?,
            ReportFormat::Text | ReportFormat::Github => text(&mut output, row)?,
        }
    }
    output.finish()?;
    Ok(Exit::Done)
}

fn text(output: &mut Output, row: &JobRow) -> Result<(), Failure> {
    let (job, zone) = (&row.job, &row.job.settings.job.zone);
    output.line(&format!("{}: {} of {}", job.name, job.settings.job.task, job.urls().join(" ")))?;
    output.line(&format!("  schedule: {}", job.timetable.describe()))?;
    if row.paused {
        output.line("  paused: no run begins until it is resumed")?;
    }
    if let Some(next) = row.next {
        output.line(&format!("  next: {}", shown(next, zone)))?;
    }
    let newer = row.newest.as_ref().filter(|newest| row.last.as_ref().is_none_or(|last| last.number != newest.number));
    for (name, run) in [("last run", row.last.as_ref()), ("newest run", newer)] {
        let Some(run) = run else { continue };
        let reason = run.known_reason().map(|reason| format!(": {reason}")).unwrap_or_default();
        output.line(&format!("  {name}: {}, {}{reason}", shown(run.key.scheduled_for, zone), run.state))?;
    }
    Ok(())
}

/// A job as JSON.
#[derive(Serialize)]
struct JobJson<'j> {
    job: &'j str,
    task: &'static str,
    urls: Vec<String>,
    schedule: String,
    paused: bool,
    next_run: Option<Timestamp>,
    record: &'j Path,
    sitemaps: Option<&'j Path>,
    reports: Option<&'j Path>,
    last_run: Option<&'j JobRun>,
    newest_run: Option<&'j JobRun>,
}

impl<'j> From<&'j JobRow> for JobJson<'j> {
    fn from(row: &'j JobRow) -> Self {
        let job = &row.job;
        Self {
            job: &job.name,
            task: job.settings.job.task.as_str(),
            urls: job.urls(),
            schedule: job.timetable.describe(),
            paused: row.paused,
            next_run: row.next,
            record: &job.record,
            sitemaps: job.sitemaps.as_deref(),
            reports: job.reports.as_deref(),
            last_run: row.last.as_ref(),
            newest_run: row.newest.as_ref(),
        }
    }
}

/// A due run as JSON.
#[derive(Serialize)]
struct DueJson<'d> {
    job: &'d str,
    scheduled_for: Timestamp,
}

fn next(matches: &ArgMatches) -> Result<Exit, Failure> {
    let count = usize::from(matches.get_one::<u16>("count").copied().unwrap_or(10));
    let (rows, format) = rows(matches)?;
    let now = Timestamp::now();
    let of_job = |row: &JobRow| {
        let name = row.job.name.clone();
        let zone = row.job.settings.job.zone.clone();
        let timetable = &row.job.timetable;
        // Several due times may wait for the same window: one run, the first, stands for them.
        let mut last = None;
        let dues = timetable.dues(now).take(MAX_DUES).filter(|due| {
            let opens = timetable.opens(*due);
            last.replace(opens) != Some(opens)
        });
        let begins: Vec<Timestamp> = dues.take(count).map(|due| timetable.begins(due)).collect();
        begins.into_iter().map(move |begin| (begin, name.clone(), zone.clone()))
    };
    let mut dues: Vec<_> = rows.iter().filter(|row| !row.paused).flat_map(of_job).collect();
    dues.sort();
    dues.truncate(count);
    let mut output = Output::new();
    for (due, name, zone) in &dues {
        match format {
            ReportFormat::Json => output.json(&DueJson { job: name, scheduled_for: *due })?,
            ReportFormat::Text | ReportFormat::Github => output.line(&format!("{}  {name}", shown(*due, zone)))?,
        }
    }
    if dues.is_empty() && format != ReportFormat::Json {
        output.line("no job is due: none has a schedule (key job.cron)")?;
    }
    output.finish()?;
    Ok(Exit::Done)
}

/// Formats an instant in the local time of a zone.
fn shown(instant: Timestamp, zone: &str) -> String {
    match instant.in_tz(zone) {
        Ok(zoned) => zoned.strftime("%Y-%m-%d %H:%M:%S %Z").to_string(),
        Err(_) => instant.to_string(),
    }
}

fn indexnow_key() -> Result<Exit, Failure> {
    let mut random = [0; 16];
    getrandom::fill(&mut random).map_err(|error| {
        Failure::new(Exit::Failed, error.to_string(), "the system's random numbers", "see that they are available")
    })?;
    let mut output = Output::new();
    output.line(generate_key(random).as_str())?;
    output.finish()?;
    Ok(Exit::Done)
}

fn hash_password() -> Result<Exit, Failure> {
    let place = "standard input";
    // Three bytes more than the maximum reveal a longer password, line end included.
    let bytes = input::read("-", MAX_PASSWORD + 3, place)?;
    let text = String::from_utf8(bytes).map_err(|_| Failure::usage("it is not UTF-8", place, "write UTF-8"))?;
    let password = text.trim_end_matches(['\r', '\n']);
    let fault = match password {
        "" => Some("the password is empty".to_owned()),
        _ if password.len() as u64 > MAX_PASSWORD => Some(format!("the password is longer than {MAX_PASSWORD} bytes")),
        // A browser's password field takes only one line.
        _ if password.contains(['\r', '\n']) => Some("the password has more than one line".to_owned()),
        _ => None,
    };
    if let Some(fault) = fault {
        return Err(Failure::usage(fault, place, "write it on one line"));
    }
    let mut output = Output::new();
    output.line(&mapwright_dashboard::hash_password(password)?)?;
    output.finish()?;
    Ok(Exit::Done)
}
