//! `mapwright params`: lists the parameters of a site's URLs, their roles, and advice against wasted requests.

use crate::entry::Entry;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Output;
use crate::site;
use clap::{ArgMatches, Command};
use mapwright_audit::parameter_advice::advice;
use mapwright_crawl::CrawlError;
use mapwright_settings::{CommandKind, ReportFormat, arguments};
use mapwright_store::ParameterRow;
use mapwright_text::counted;
use serde::Serialize;

pub(crate) const ENTRY: Entry = Entry::new(command, run);

fn command() -> Command {
    Command::new("params")
        .about("List URL parameters with their roles, the evidence, and the lines that end the waste")
        .arg(site::argument("The start URLs of the crawl, unless --state is given or there is one record alone"))
        .arg(site::job_argument())
        .args(arguments(CommandKind::Runs))
}

fn run(matches: &ArgMatches) -> Result<Exit, Failure> {
    let settings = site::settings(matches)?;
    let (record, folder) = site::record(matches, &settings)?;
    let rows = record.parameters().map_err(|error| CrawlError::from(error).in_record(&folder))?;
    let advice = advice(&rows);
    let advised = || rows.iter().zip(&advice);
    let mut output = Output::new();
    match settings.output.format {
        ReportFormat::Json => {
            output.json(&advised().map(|(row, advice)| ParameterJson { row, advice }).collect::<Vec<_>>())?;
        }
        ReportFormat::Text | ReportFormat::Github if rows.is_empty() => {
            output.line("no URL that the last crawl requested has a parameter")?;
        }
        ReportFormat::Text | ReportFormat::Github => {
            for line in advised().flat_map(|(row, advice)| text_rows(row, advice)) {
                output.line(&line)?;
            }
        }
    }
    output.finish()?;
    Ok(Exit::Done)
}

/// The lines of a parameter: evidence and advice.
fn text_rows(row: &ParameterRow, advice: &[String]) -> Vec<String> {
    let evidence = &row.evidence;
    let mut lines = vec![
        format!("{}  {}  ({})", row.parameter, role(row), counted(row.urls, "URL")),
        format!("    pattern   {}", row.pattern),
        format!(
            "    evidence  {} equal, {} in another order, {} a part, {} different",
            evidence.equal, evidence.sorted, evidence.subset, evidence.differs
        ),
        format!("    example   {}", row.example),
    ];
    lines.extend(advice.iter().map(|line| format!("    to do     {line}")));
    lines
}

fn role(row: &ParameterRow) -> &str {
    row.role.as_deref().unwrap_or("not certain")
}

/// A URL parameter as JSON.
#[derive(Serialize)]
struct ParameterJson<'p> {
    #[serde(flatten)]
    row: &'p ParameterRow,
    advice: &'p [String],
}
