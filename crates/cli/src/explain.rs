//! `mapwright explain URL`: why it is in the sitemap, or out.

mod as_json;
mod as_text;

use crate::commands::Entry;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Output;
use crate::{load, site};
use clap::{Arg, ArgMatches, Command};
use mapwright_jobs::{JobError, known_records};
use mapwright_settings::{CommandKind, ReportFormat, Settings, arguments};
use mapwright_store::{Explained, Record, StoreError};
use mapwright_web::{Identity, PageUrl};
use std::path::{Path, PathBuf};

pub(crate) const ENTRY: Entry = Entry { command, run };

fn command() -> Command {
    Command::new("explain")
        .about("Tell why a URL is in the sitemap, or out of it, and everything that led there")
        .arg(Arg::new("url").value_name("URL").required(true).help("The URL to explain"))
        .args(arguments(CommandKind::Explain))
}

fn run(matches: &ArgMatches) -> Result<Exit, Failure> {
    let settings = load::settings(matches)?.settings;
    let text = matches.get_one::<String>("url").map(String::as_str).unwrap_or_default();
    let url = site::start(text)?;
    let folder = folder(&settings, &url)?;
    let record = site::open(&folder)?;
    let explained = explain(&record, text, &url).map_err(|error| JobError::from(error).in_record(&folder))?;
    let mut output = Output::new();
    match (settings.output.format, &explained) {
        (ReportFormat::Json, Some((url, explained))) => output.raw(as_json::render(url, explained).as_bytes())?,
        (ReportFormat::Json, None) => output.raw(as_json::unknown(url.as_str()).as_bytes())?,
        (ReportFormat::Text | ReportFormat::Github, Some((url, explained))) => {
            for line in as_text::render(url, explained) {
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

/// As the crawl would have written it: with known tracking parameters dropped, or else as it is.
fn explain(record: &Record, text: &str, url: &PageUrl) -> Result<Option<(PageUrl, Explained)>, StoreError> {
    let agent = record.agent()?;
    let full = if text.contains("://") { text.to_owned() } else { format!("https://{text}") };
    let as_it_is = PageUrl::parse(&full, &Identity::new(false, &[])).ok();
    for url in [Some(url.clone()), as_it_is].into_iter().flatten() {
        if let Some(explained) = record.explain(&url, &agent)? {
            return Ok(Some((url, explained)));
        }
    }
    Ok(None)
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
