//! `mapwright jobs list|next|hash-password|indexnow-key`: the jobs of a configuration file, and what such files need.

use crate::commands::Entry;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Output;
use crate::{crawl, input, load};
use clap::{Arg, ArgMatches, Command, value_parser};
use jiff::Timestamp;
use mapwright_jobs::service::{self, JobRun, Ledger, Orders, Plan, state_root};
use mapwright_publish::generate_key;
use mapwright_settings::{CommandKind, Place, ReportFormat, arguments};
use serde_json::json;

pub(crate) const ENTRY: Entry = Entry { command, run };

/// Due instants that are looked at for the next runs of a job.
const MOST_DUES: usize = 10_000;
/// Bytes of a password at most.
const MAX_PASSWORD: u64 = 1024;

fn command() -> Command {
    let count = Arg::new("count").short('n').long("count").value_name("N").default_value("10");
    let count = count.value_parser(value_parser!(u16).range(1..)).help("How many runs to tell");
    let with_options = |command: Command| command.args(arguments(CommandKind::Jobs)).args_override_self(true);
    Command::new("jobs")
        .about("Tell of the jobs of a configuration file")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands([
            with_options(Command::new("list").about("List the jobs, their schedules and their last nights")),
            with_options(Command::new("next").about("Tell when jobs are due next").arg(count)),
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

/// A job, and its last night that ran to its end.
struct Row {
    plan: Plan,
    paused: bool,
    next: Option<Timestamp>,
    last: Option<JobRun>,
    /// The newest one, where that goes on, was cut or did not run.
    newest: Option<JobRun>,
}

fn rows(matches: &ArgMatches) -> Result<(Vec<Row>, ReportFormat), Failure> {
    let layers = load::layers(matches)?;
    let loaded = layers.load(None, None)?;
    // A file may ask for them, for the audits of its jobs.
    if loaded.origins.iter().any(|origin| origin.key == "output.format" && matches!(origin.place, Place::Flag(_))) {
        load::no_annotations(&loaded)?;
    }
    service::check_jobs(&layers)?;
    let settings = loaded.settings;
    let root = state_root(&settings)?;
    let orders = Orders::read(&layers, &root, crawl::read)?;
    let ledger = Ledger::known(&root)?;
    let now = Timestamp::now();
    let row = |plan: Plan| {
        let (mut paused, mut last, mut newest) = (false, None, None);
        if let Some(ledger) = &ledger {
            paused = ledger.is_paused(&plan.name)?;
            last = ledger.newest_run(&plan.name, true)?;
            let number = last.as_ref().map(|last| last.number);
            newest = ledger.newest_run(&plan.name, false)?.filter(|newest| Some(newest.number) != number);
        }
        let next = plan.timetable.due_after(now).filter(|_| !paused).map(|due| plan.timetable.begins(due));
        Ok(Row { paused, next, last, newest, plan })
    };
    let rows = orders.plans.into_iter().map(row).collect::<Result<_, Failure>>()?;
    Ok((rows, settings.output.format))
}

fn list(matches: &ArgMatches) -> Result<Exit, Failure> {
    let (rows, format) = rows(matches)?;
    let mut output = Output::new();
    for row in &rows {
        match format {
            ReportFormat::Json => output.line(&value(row).to_string())?,
            ReportFormat::Text | ReportFormat::Github => text(&mut output, row)?,
        }
    }
    output.finish()?;
    Ok(Exit::Done)
}

fn text(output: &mut Output, row: &Row) -> Result<(), Failure> {
    let plan = &row.plan;
    let job = &plan.settings.job;
    output.line(&format!("{}: {} of {}", plan.name, job.task, plan.urls().join(" ")))?;
    output.line(&format!("  due: {}", plan.timetable.describe()))?;
    if row.paused {
        output.line("  paused: no run begins until it is let go on")?;
    }
    if let Some(next) = row.next {
        output.line(&format!("  next: {}", shown(next, &job.zone)))?;
    }
    for (name, night) in [("last", &row.last), ("newest", &row.newest)] {
        let Some(night) = night else { continue };
        let why = if night.why.is_empty() { String::new() } else { format!(": {}", night.why) };
        output.line(&format!("  {name}: {}, {}{why}", shown(night.due, &job.zone), night.outcome))?;
    }
    Ok(())
}

fn value(row: &Row) -> serde_json::Value {
    let job = &row.plan.settings.job;
    json!({
        "job": row.plan.name,
        "task": job.task.as_str(),
        "urls": row.plan.urls(),
        "schedule": row.plan.timetable.describe(),
        "paused": row.paused,
        "next": row.next.map(|next| next.to_string()),
        "record": row.plan.record,
        "sitemaps": row.plan.sitemaps,
        "reports": row.plan.reports,
        "last": row.last.as_ref().map(night),
        "newest": row.newest.as_ref().map(night),
    })
}

fn night(night: &JobRun) -> serde_json::Value {
    json!({ "due": night.due.to_string(), "outcome": night.outcome.as_str(), "why": night.why })
}

fn next(matches: &ArgMatches) -> Result<Exit, Failure> {
    let count = usize::from(matches.get_one::<u16>("count").copied().unwrap_or(10));
    let (rows, format) = rows(matches)?;
    let now = Timestamp::now();
    let of_job = |row: &Row| {
        let name = row.plan.name.clone();
        let zone = row.plan.settings.job.zone.clone();
        let timetable = &row.plan.timetable;
        // Several may wait for the same window: one run stands for them, the first.
        let mut last = None;
        let dues = timetable.dues(now).take(MOST_DUES).filter(|due| {
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
            ReportFormat::Json => output.line(&json!({ "job": name, "due": due.to_string() }).to_string())?,
            ReportFormat::Text | ReportFormat::Github => output.line(&format!("{}  {name}", shown(*due, zone)))?,
        }
    }
    if dues.is_empty() && format != ReportFormat::Json {
        output.line("no job is due: none has a schedule (key job.cron)")?;
    }
    output.finish()?;
    Ok(Exit::Done)
}

/// An instant as the clocks of a zone show it.
fn shown(instant: Timestamp, zone: &str) -> String {
    match instant.in_tz(zone) {
        Ok(zoned) => zoned.strftime("%Y-%m-%d %H:%M:%S %Z").to_string(),
        Err(_) => instant.to_string(),
    }
}

fn indexnow_key() -> Result<Exit, Failure> {
    let mut random = [0; 16];
    getrandom::fill(&mut random).map_err(|error| {
        Failure::new(Exit::Failed, error.to_string(), "the system's random numbers", "see that they are to be had")
    })?;
    let mut output = Output::new();
    output.line(generate_key(random).as_str())?;
    output.finish()?;
    Ok(Exit::Done)
}

fn hash_password() -> Result<Exit, Failure> {
    let place = "standard input";
    // One that is longer is seen to be, with its end of line.
    let bytes = input::read("-", MAX_PASSWORD + 3, place)?;
    let text = String::from_utf8(bytes).map_err(|_| Failure::usage("it is not UTF-8", place, "write UTF-8"))?;
    let password = text.trim_end_matches(['\r', '\n']);
    let fault = match password {
        "" => Some("the password is empty".to_owned()),
        _ if password.len() as u64 > MAX_PASSWORD => Some(format!("the password is longer than {MAX_PASSWORD} bytes")),
        // No field of a browser takes such.
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
