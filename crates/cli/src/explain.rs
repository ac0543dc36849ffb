//! `mapwright explain URL`: why it is in the sitemap, or out.

use crate::commands::Entry;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Output;
use crate::{site, terminal};
use clap::{Arg, ArgMatches, Command};
use mapwright_jobs::{JobError, explain, known_records};
use mapwright_settings::{CommandKind, ReportFormat, Settings, arguments};
use mapwright_store::Record;
use mapwright_web::PageUrl;
use serde_json::Value;
use std::path::{Path, PathBuf};

pub(crate) const ENTRY: Entry = Entry { command, run };

fn command() -> Command {
    Command::new("explain")
        .about("Tell why a URL is in the sitemap, or out of it, and everything that led there")
        .arg(Arg::new("url").value_name("URL").required(true).help("The URL to explain"))
        .arg(site::job_argument())
        .args(arguments(CommandKind::Explain))
}

fn run(matches: &ArgMatches) -> Result<Exit, Failure> {
    let settings = site::settings(matches)?;
    let text = matches.get_one::<String>("url").map(String::as_str).unwrap_or_default();
    let url = site::start(text)?;
    let folder = folder(&settings, &url)?;
    let record = site::open(&folder)?;
    let explained = explain::explain(&record, text).map_err(|error| JobError::from(error).in_record(&folder))?;
    let mut output = Output::new();
    match (settings.output.format, &explained) {
        (ReportFormat::Json, Some((url, explained))) => json(&mut output, &explain::json(url, explained))?,
        (ReportFormat::Json, None) => json(&mut output, &explain::unknown_json(url.as_str()))?,
        (ReportFormat::Text | ReportFormat::Github, Some((url, explained))) => {
            for line in explain::lines(url, explained) {
                output.line(&line)?;
            }
        }
        (ReportFormat::Text | ReportFormat::Github, None) => {
            output.line(url.as_str())?;
            output.line("  never met: no link, sitemap, feed, redirect or canonical that was seen leads there")?;
            output.line("  to do: link to it, list it in a sitemap, or give it with --url-list")?;
        }
    }
    output.finish()?;
    Ok(Exit::Done)
}

fn json(output: &mut Output, value: &Value) -> Result<(), Failure> {
    output.raw(format!("{}\n", terminal::json(&value.to_string())).as_bytes())
}

/// The record that is meant: that of `--state`, else the one whose crawl started at the URL's origin.
fn folder(settings: &Settings, url: &PageUrl) -> Result<PathBuf, Failure> {
    if let Some(folder) = &settings.output.state {
        return Ok(folder.clone());
    }
    let all = known_records(settings);
    let of_origin: Vec<PathBuf> = all.into_iter().filter(|folder| starts_at(folder, url)).collect();
    let knowing: Vec<PathBuf> = of_origin.iter().filter(|folder| knows(folder, url)).cloned().collect();
    if of_origin.is_empty() {
        let what = format!("no crawl that is known started at {}", url.origin());
        return Err(Failure::usage(what, format!("URL `{url}`"), "name its record with --state DIR"));
    }
    site::only(if knowing.is_empty() { &of_origin } else { &knowing }, "flag --state")
}

fn knows(folder: &Path, url: &PageUrl) -> bool {
    Record::open_to_read(folder).and_then(|record| record.knows(url)).unwrap_or(false)
}

fn starts_at(folder: &Path, url: &PageUrl) -> bool {
    let starts = Record::open_to_read(folder).and_then(|record| record.starts());
    starts.is_ok_and(|starts| starts.iter().any(|start| start.origin() == url.origin()))
}
