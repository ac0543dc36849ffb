//! `mapwright diff [RUN A] [RUN B]`: shows the differences between two runs.

use crate::entry::Entry;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Output;
use crate::{site, terminal};
use clap::{Arg, ArgMatches, Command};
use mapwright_crawl::differences::{answers, removal_reason, word};
use mapwright_crawl::{CrawlError, time};
use mapwright_settings::{CommandKind, ReportFormat, arguments};
use mapwright_store::{Difference, Record, RunRow, RunState, StoreError};
use serde_json::{Value, json};

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
    match settings.output.format {
        ReportFormat::Text | ReportFormat::Github => text(&mut output, &before, &now, &differences)?,
        ReportFormat::Json => output.raw(json_line(&as_json(&before, &now, &differences)).as_bytes())?,
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

fn text(output: &mut Output, before: &RunRow, now: &RunRow, differences: &[Difference]) -> Result<(), Failure> {
    let named = |run: &RunRow| format!("run {} ({} UTC, {})", run.run, time::shown(run.started), run.state);
    output.line(&format!("from {} to {}", named(before), named(now)))?;
    for section in sections(now) {
        let lines: Vec<String> = differences.iter().filter_map(|d| (section.line)(d, now)).collect();
        output.line(&format!("{}: {}", section.title, lines.len()))?;
        for line in lines {
            output.line(&format!("  {line}"))?;
        }
    }
    Ok(())
}

/// One section of the text output: its title, and the line of each difference in it.
struct Section {
    title: &'static str,
    line: fn(&Difference, &RunRow) -> Option<String>,
}

fn sections(now: &RunRow) -> [Section; 6] {
    let removed =
        if now.state == RunState::Complete { "removed (no longer linked)" } else { "not found in this crawl" };
    [
        Section { title: "added", line: |d, _| d.is_added().then(|| format!("{}  {}", d.url, word(d.now.as_ref()))) },
        Section { title: removed, line: |d, _| d.is_removed().then(|| d.url.clone()) },
        Section { title: "changed", line: |d, _| d.is_changed().then(|| d.url.clone()) },
        Section {
            title: "status changed",
            line: |d, _| {
                let line = || format!("{}  {}", d.url, answers(d).join(" -> "));
                d.is_status_changed().then(line)
            },
        },
        Section { title: "added to the sitemap", line: |d, _| d.is_added_to_sitemap().then(|| d.url.clone()) },
        Section {
            title: "removed from the sitemap",
            line: |d, now| {
                d.is_removed_from_sitemap()
                    .then(|| format!("{}  {}", d.url, removal_reason(d, now.state == RunState::Complete)))
            },
        },
    ]
}

fn json_line(value: &Value) -> String {
    format!("{}\n", terminal::json(&value.to_string()))
}

fn as_json(before: &RunRow, now: &RunRow, differences: &[Difference]) -> Value {
    let urls = |wanted: fn(&Difference) -> bool| -> Vec<&str> {
        differences.iter().filter(|d| wanted(d)).map(|d| d.url.as_str()).collect()
    };
    let run = |run: &RunRow| json!({ "run": run.run, "started": time::rfc3339(run.started), "state": run.state });
    json!({
        "runs": [run(before), run(now)],
        "added": urls(Difference::is_added),
        "removed": differences.iter().filter(|d| d.is_removed())
            .map(|d| json!({ "url": d.url, "reason": removal_reason(d, now.state == RunState::Complete) })).collect::<Vec<_>>(),
        "changed": urls(Difference::is_changed),
        "status_changed": differences.iter().filter(|d| d.is_status_changed())
            .map(|d| (d, answers(d)))
            .map(|(d, [before, now])| json!({ "url": d.url, "before": before, "now": now })).collect::<Vec<_>>(),
        "added_to_sitemap": urls(Difference::is_added_to_sitemap),
        "removed_from_sitemap": differences.iter().filter(|d| d.is_removed_from_sitemap())
            .map(|d| json!({ "url": d.url, "reason": removal_reason(d, now.state == RunState::Complete) })).collect::<Vec<_>>(),
    })
}
