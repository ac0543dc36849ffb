//! `mapwright export excluded`: what the record tells, for other programs.

use crate::commands::Entry;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Output;
use crate::{load, site};
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Command};
use mapwright_jobs::JobError;
use mapwright_settings::{CommandKind, arguments};
use mapwright_store::{Excluded, StoreError};

pub(crate) const ENTRY: Entry = Entry { command, run };

fn command() -> Command {
    let what = Arg::new("what").value_name("WHAT").required(true).value_parser(PossibleValuesParser::new(["excluded"]));
    let format = Arg::new("as")
        .long("format")
        .value_name("FORMAT")
        .default_value("csv")
        .value_parser(PossibleValuesParser::new(["csv", "jsonl"]))
        .help("Comma-separated values, or one JSON object a line");
    Command::new("export")
        .about(
            "Print what the record of the last crawl tells: `excluded` lists the URLs left out, each with its reason",
        )
        .arg(what.help("What to print"))
        .arg(
            Arg::new("url")
                .value_name("URL")
                .num_args(0..)
                .help("The start URLs of the crawl, unless --state is given"),
        )
        .arg(format)
        .args(arguments(CommandKind::Export))
}

/// Errors of the record and of the output, both as failures of the command.
struct Stop(Failure);

impl From<StoreError> for Stop {
    fn from(error: StoreError) -> Self {
        Self(JobError::from(error).into())
    }
}

fn run(matches: &ArgMatches) -> Result<Exit, Failure> {
    let settings = load::settings(matches)?.settings;
    let record = site::open(&site::folder(matches, &settings, site::Wanted::Any)?)?;
    let as_csv = matches.get_one::<String>("as").is_some_and(|format| format == "csv");
    let mut output = Output::new();
    if as_csv {
        output.raw(b"url,reason,evidence,status,failure\r\n")?;
    }
    let written = mapwright_jobs::excluded(&record, |row| {
        let line = if as_csv { csv(&row) } else { jsonl(&row) };
        output.raw(line.as_bytes()).map_err(Stop)
    });
    written.map_err(|Stop(failure)| failure)?;
    output.finish()?;
    Ok(Exit::Done)
}

/// One row as RFC 4180 has it; a field that a spreadsheet would take for a formula is defused with an apostrophe.
fn csv(row: &Excluded) -> String {
    let status = row.status.map(|status| status.to_string()).unwrap_or_default();
    let evidence = row.evidence.as_deref().unwrap_or_default();
    let failure = row.failure.as_deref().unwrap_or_default();
    let fields = [row.url.as_str(), row.reason.as_str(), evidence, &status, failure].map(field);
    format!("{}\r\n", fields.join(","))
}

fn field(text: &str) -> String {
    let defused = if text.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{text}") } else { text.to_owned() };
    if defused.contains([',', '"', '\n', '\r']) { format!("\"{}\"", defused.replace('"', "\"\"")) } else { defused }
}

fn jsonl(row: &Excluded) -> String {
    let object = serde_json::json!({
        "url": row.url,
        "reason": row.reason.as_str(),
        "evidence": row.evidence,
        "status": row.status,
        "failure": row.failure,
    });
    format!("{object}\n")
}

#[cfg(test)]
mod tests {
    use super::field;

    #[test]
    fn fields_are_quoted_where_they_must_be_and_formulas_defused() {
        assert_eq!(field("plain"), "plain");
        assert_eq!(field("a,b"), "\"a,b\"");
        assert_eq!(field("say \"x\""), "\"say \"\"x\"\"\"");
        assert_eq!(field("=1+1"), "'=1+1");
    }
}
