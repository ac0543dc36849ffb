//! `mapwright diff [RUN A] [RUN B]`: shows the differences between two runs.

mod json;

use crate::entry::Entry;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Output;
use crate::site;
use clap::{Arg, ArgAction, ArgMatches, Command};
use json::{DiffJson, SummaryJson};
use mapwright_crawl::differences::{DifferenceKind, answers, noindex_change, removal_reason, text_lines, titles, word};
use mapwright_crawl::{CrawlError, time};
use mapwright_settings::{CommandKind, ReportFormat, arguments};
use mapwright_store::{Difference, Record, RunRow, RunState, StoreError};

pub(crate) const ENTRY: Entry = Entry::new(command, run);

fn command() -> Command {
    Command::new("diff")
        .about("Show what changed between two runs, by default the last two complete ones")
        .arg(
            Arg::new("word")
                .value_name("URL|RUN")
                .num_args(0..)
                .help("Start URLs that name the record, and the numbers of one run (compared with the newest) or two"),
        )
        .arg(
            Arg::new("summary")
                .long("summary")
                .action(ArgAction::SetTrue)
                .help("Print only the number of URLs of each kind of difference"),
        )
        .arg(site::job_argument())
        .args(arguments(CommandKind::Diff))
}

fn run(matches: &ArgMatches) -> Result<Exit, Failure> {
    let settings = site::settings(matches)?;
    let words = matches.get_many::<String>("word").unwrap_or_default().map(String::as_str);
    let (numbers, urls): (Vec<&str>, Vec<&str>) = words.partition(|word| word.bytes().all(|b| b.is_ascii_digit()));
    if let Some(word) = urls.iter().find(|word| !word.contains(['.', ':', '/'])) {
        let what = format!("`{word}` is neither the number of a run nor a URL");
        return Err(Failure::usage(
            what,
            "command line",
            "`mapwright runs` lists the runs; write a URL with its scheme",
        ));
    }
    let (record, folder) = site::record_of(&urls, &settings)?;
    let of_record = |error: StoreError| Failure::from(CrawlError::from(error).in_record(&folder));
    let Some((before, now)) = pair(&record, &numbers).map_err(|fault| match fault {
        Fault::Record(error) => of_record(error),
        Fault::Usage(failure) => failure,
    })?
    else {
        return report_nothing(settings.output.format);
    };
    let mut differences = Vec::new();
    let taken = record.diff(before.run, now.run, |difference| {
        differences.push(difference);
        Ok::<(), StoreError>(())
    });
    taken.map_err(of_record)?;
    let mut output = Output::new();
    let is_summary = matches.get_flag("summary");
    match settings.output.format {
        ReportFormat::Text | ReportFormat::Github => {
            let lines = |difference: &Difference| {
                Ok(record.text_change(difference).map_err(of_record)?.as_ref().map(text_lines).unwrap_or_default())
            };
            text(&mut output, &before, &now, &differences, is_summary, &lines)?;
        }
        ReportFormat::Json if is_summary => output.json(&SummaryJson::of(&before, &now, &differences))?,
        ReportFormat::Json => {
            let texts = json::text_changes(&record, &differences).map_err(of_record)?;
            output.json(&DiffJson::of(&before, &now, &differences, texts))?;
        }
    }
    output.finish()?;
    Ok(Exit::Done)
}

fn report_nothing(format: ReportFormat) -> Result<Exit, Failure> {
    let mut output = Output::new();
    match format {
        ReportFormat::Text | ReportFormat::Github => output.line("there are no two complete runs to compare")?,
        ReportFormat::Json => output.raw(b"{\"runs\":[]}\n")?,
    }
    output.finish()?;
    Ok(Exit::Done)
}

/// The reason why two runs cannot be compared.
enum Fault {
    Record(StoreError),
    Usage(Failure),
}

impl From<StoreError> for Fault {
    fn from(error: StoreError) -> Self {
        Self::Record(error)
    }
}

/// Returns the two runs to compare, the older one first; `None` where there are no two.
fn pair(record: &Record, numbers: &[&str]) -> Result<Option<(RunRow, RunRow)>, Fault> {
    let runs = record.runs()?;
    let find = |number: i64| {
        let known: Vec<String> = runs.iter().map(|run| run.run.to_string()).collect();
        let unknown = || {
            let what = format!("there is no run {number}; there are {}", known.join(", "));
            Fault::Usage(Failure::usage(what, "command line", "`mapwright runs` lists them"))
        };
        runs.iter().find(|run| run.run == number).cloned().ok_or_else(unknown)
    };
    let wanted: Vec<i64> = numbers.iter().map(|text| text.parse().unwrap_or(i64::MAX)).collect();
    let (before, now) = match (wanted.as_slice(), record.comparable()?.as_slice()) {
        ([], [before, now]) => (*before, *now),
        ([], _) => return Ok(None),
        ([before], [.., now]) if before != now => (*before, *now),
        ([before], _) => {
            find(*before)?;
            let what = format!("there is no complete run to compare run {before} with but itself");
            return Err(Fault::Usage(Failure::usage(
                what,
                "command line",
                "name two runs: `mapwright runs` lists them",
            )));
        }
        ([before, now], _) => (*before, *now),
        _ => return Err(Fault::Usage(Failure::usage("more than two runs", "command line", "name one or two"))),
    };
    Ok(Some((find(before)?, find(now)?)))
}

fn text(
    output: &mut Output,
    before: &RunRow,
    now: &RunRow,
    differences: &[Difference],
    is_summary: bool,
    text_of: &dyn Fn(&Difference) -> Result<Vec<String>, Failure>,
) -> Result<(), Failure> {
    let named = |run: &RunRow| format!("run {} ({} UTC, {})", run.run, time::shown(run.started), run.state);
    output.line(&format!("from {} to {}", named(before), named(now)))?;
    let complete = now.state == RunState::Complete;
    for kind in DifferenceKind::ALL {
        let of_kind: Vec<_> = differences.iter().filter(|difference| kind.includes(difference)).collect();
        output.line(&format!("{}: {}", kind.title(complete), of_kind.len()))?;
        for difference in of_kind.into_iter().filter(|_| !is_summary) {
            output.line(&line(kind, difference, complete))?;
            if kind == DifferenceKind::Changed {
                text_of(difference)?.iter().try_for_each(|text| output.line(&format!("    {text}")))?;
            }
        }
    }
    Ok(())
}

/// The line of a difference: the URL and what is new.
fn line(kind: DifferenceKind, difference: &Difference, complete: bool) -> String {
    let url = &difference.url;
    match kind {
        DifferenceKind::Added => format!("  {url}  {}", word(difference.now.as_ref())),
        DifferenceKind::TitleChanged => format!("  {url}  {}", titles(difference)),
        DifferenceKind::StatusChanged => format!("  {url}  {}", answers(difference).join(" -> ")),
        DifferenceKind::RemovedFromSitemap => format!("  {url}  {}", removal_reason(difference, complete)),
        DifferenceKind::Noindex => format!("  {url}  {}", noindex_change(difference).unwrap_or_default()),
        DifferenceKind::Removed | DifferenceKind::Changed | DifferenceKind::AddedToSitemap => format!("  {url}"),
    }
}
