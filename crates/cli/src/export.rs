//! `mapwright export WHAT`: exports data of the record for other programs, row by row.

use crate::entry::Entry;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Output;
use crate::site;
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Command};
use mapwright_crawl::CrawlError;
use mapwright_settings::{CommandKind, arguments};
use mapwright_store::{Cell, Export, StoreError};
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::io::IsTerminal;

pub(crate) const ENTRY: Entry = Entry::new(command, run);

fn command() -> Command {
    let what = Arg::new("what")
        .value_name("WHAT")
        .required(true)
        .value_parser(PossibleValuesParser::new(Export::ALL.map(Export::as_str)))
        .help("Pages and what is known of them, their links, the URLs left out with their reasons, or redirects");
    let format = Arg::new("as")
        .long("format")
        .value_name("FORMAT")
        .default_value("csv")
        .value_parser(PossibleValuesParser::new(["csv", "jsonl"]))
        .help("Comma-separated values, or one JSON object a line");
    Command::new("export")
        .about("Export pages, links, excluded URLs or redirects of the last crawl as CSV or JSON")
        .arg(what)
        .arg(site::argument("The start URLs of the crawl, unless --state is given or there is one record alone"))
        .arg(format)
        .arg(site::job_argument())
        .args(arguments(CommandKind::Export))
}

/// An error of the record or of the output, as a failure of the command.
struct Stop(Failure);

impl From<StoreError> for Stop {
    fn from(error: StoreError) -> Self {
        Self(CrawlError::from(error).into())
    }
}

fn run(matches: &ArgMatches) -> Result<Exit, Failure> {
    let settings = site::settings(matches)?;
    let (record, _) = site::record(matches, &settings)?;
    let word = matches.get_one::<String>("what").map(String::as_str);
    let Some(what) = Export::ALL.into_iter().find(|what| Some(what.as_str()) == word) else { return Ok(Exit::Usage) };
    let on_terminal = std::io::stdout().is_terminal();
    let as_csv = matches.get_one::<String>("as").is_some_and(|format| format == "csv");
    let mut output = Output::new();
    if as_csv {
        output.raw(format!("{}\r\n", what.columns().join(",")).as_bytes())?;
    }
    let written = record.export(what, |row| {
        if !as_csv {
            return output.json(&RowJson(what.columns(), row)).map_err(Stop);
        }
        let line = csv(row);
        // Text of the site must not move the cursor of a terminal; a file gets it unchanged.
        let written = if on_terminal { output.line(line.trim_end()) } else { output.raw(line.as_bytes()) };
        written.map_err(Stop)
    });
    written.map_err(|Stop(failure)| failure)?;
    output.finish()?;
    Ok(Exit::Done)
}

/// Formats one row as CSV (RFC 4180).
fn csv(row: &[Cell<'_>]) -> String {
    let fields: Vec<String> = row
        .iter()
        .map(|cell| match cell {
            Cell::None => String::new(),
            Cell::Number(number) => number.to_string(),
            Cell::Text(text) => field(text),
        })
        .collect();
    format!("{}\r\n", fields.join(","))
}

/// Escapes a field; one that a spreadsheet would treat as a formula gets an apostrophe.
fn field(text: &str) -> String {
    mapwright_audit::report::csv::cell(text.into()).into_owned()
}

/// One row with the names of its columns, as JSON.
struct RowJson<'r>(&'r [&'static str], &'r [Cell<'r>]);

impl Serialize for RowJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(Some(self.1.len()))?;
        for (name, cell) in self.0.iter().zip(self.1) {
            match cell {
                Cell::None => object.serialize_entry(name, &())?,
                Cell::Number(number) => object.serialize_entry(name, number)?,
                Cell::Text(text) => object.serialize_entry(name, text)?,
            }
        }
        object.end()
    }
}

#[cfg(test)]
mod tests {
    use super::{Cell, csv, field};

    #[test]
    fn fields_are_quoted_where_they_must_be_and_formulas_defused() {
        assert_eq!(field("plain"), "plain");
        assert_eq!(field("a,b"), "\"a,b\"");
        assert_eq!(field("say \"x\""), "\"say \"\"x\"\"\"");
        for formula in ["=1+1", "+1", "-1", "@SUM(A1)", "\tx"] {
            assert!(field(formula).trim_start_matches('"').starts_with('\''), "{formula}");
        }
    }

    #[test]
    fn a_row_ends_as_rfc_4180_requires_and_none_is_an_empty_field() {
        assert_eq!(csv(&[Cell::Text("a"), Cell::None, Cell::Number(-3)]), "a,,-3\r\n");
    }
}
