//! `mapwright runs`: lists the runs of a record, and prunes old ones.

use crate::entry::Entry;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Output;
use crate::site;
use crate::stderr::print_stderr;
use clap::{Arg, ArgAction, ArgMatches, Command};
use mapwright_crawl::{CrawlError, retention, time};
use mapwright_settings::{CommandKind, ReportFormat, arguments};
use mapwright_store::{Record, RunRow, RunState, RunSummary, StoreError};
use mapwright_text::counted;
use serde::Serialize;
use serde_json::Value;

pub(crate) const ENTRY: Entry = Entry::new(command, run);

fn command() -> Command {
    Command::new("runs")
        .about("List the runs of a record, newest first")
        .arg(site::argument("The start URLs of the crawl, unless --state is given or there is one record alone"))
        .arg(
            Arg::new("prune")
                .long("prune")
                .action(ArgAction::SetTrue)
                .help("First remove the runs that --keep-runs and --keep-runs-for do not keep"),
        )
        .arg(site::job_argument())
        .args(arguments(CommandKind::Runs))
}

fn run(matches: &ArgMatches) -> Result<Exit, Failure> {
    let settings = site::settings(matches)?;
    let folder = site::folder(matches, &settings)?;
    if matches.get_flag("prune") {
        let of_record = |error| CrawlError::from(error).in_record(&folder);
        // A missing record is not created; one of an older format is upgraded.
        match Record::open_to_read(&folder) {
            Ok(record) => site::check(&record, &site::urls(matches))?,
            Err(StoreError::Older { .. }) => {}
            Err(error) => return Err(of_record(error).into()),
        }
        let mut record = Record::open(&folder).map_err(of_record)?;
        let removed = record.prune(&retention(&settings)).map_err(of_record)?;
        print_stderr(&format!("runs removed: {removed}"));
    }
    let record = site::open(&folder)?;
    site::check(&record, &site::urls(matches))?;
    print(&record, settings.output.format)?;
    Ok(Exit::Done)
}

fn print(record: &Record, format: ReportFormat) -> Result<(), Failure> {
    let runs = record.runs().map_err(|error| CrawlError::from(error).in_record(record.folder()))?;
    let mut output = Output::new();
    match format {
        ReportFormat::Json => {
            output.json(&runs.iter().map(RunJson::from).collect::<Vec<_>>())?;
        }
        ReportFormat::Text | ReportFormat::Github => {
            output.line("  run  started (UTC)        state        took   fetched    listed  start")?;
            for run in &runs {
                output.line(&text_row(run))?;
            }
        }
    }
    output.finish()
}

fn text_row(run: &RunRow) -> String {
    let starts: Vec<String> = serde_json::from_str(&run.starts).unwrap_or_default();
    let took =
        run.ended.map_or("-".to_owned(), |ended| format!("{:.1} s", (ended - run.started).max(0) as f64 / 1000.0));
    let figure = |of: fn(&RunSummary) -> u64| run.summary.as_ref().map_or("-".to_owned(), |it| of(it).to_string());
    let waits = if run.queued > 0 && run.state != RunState::Complete {
        format!("  ({} queued)", counted(run.queued, "URL"))
    } else {
        String::new()
    };
    format!(
        "{:>5}  {}  {:<8} {took:>9} {:>9} {:>9}  {}{waits}",
        run.run,
        time::shown(run.started),
        run.state,
        figure(|summary| summary.fetched),
        figure(|summary| summary.listed),
        starts.join(" ")
    )
}

/// A run as JSON.
#[derive(Serialize)]
struct RunJson<'r> {
    run: i64,
    started: Option<String>,
    ended: Option<String>,
    state: RunState,
    queued: u64,
    starts: Value,
    summary: Option<&'r RunSummary>,
}

impl<'r> From<&'r RunRow> for RunJson<'r> {
    fn from(row: &'r RunRow) -> Self {
        Self {
            run: row.run,
            started: time::rfc3339(row.started),
            ended: row.ended.and_then(time::rfc3339),
            state: row.state,
            queued: row.queued,
            starts: serde_json::from_str(&row.starts).unwrap_or_default(),
            summary: row.summary.as_ref(),
        }
    }
}
