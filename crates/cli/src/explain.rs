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
    let (text, folder) = meant(&settings, text)?;
    let record = site::open(&folder)?;
    let url = site::start(&text)?;
    let explained = explain::explain(&record, &text).map_err(|error| JobError::from(error).in_record(&folder))?;
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

/// The URL that is meant, and its record. One without a scheme is taken for https, and for http where a record knows it
/// so alone.
fn meant(settings: &Settings, text: &str) -> Result<(String, PathBuf), Failure> {
    let url = site::start(text)?;
    let secure = folder(settings, &url)?;
    if !text.contains("://") {
        let plain = site::start(&format!("http://{text}"))?;
        let is_better = |at: &PathBuf| secure.as_ref().is_none_or(|secure| knows(at, &plain) && !knows(secure, &url));
        if let Some(at) = folder(settings, &plain)?.filter(is_better) {
            return Ok((plain.to_string(), at));
        }
    }
    match secure {
        Some(folder) => Ok((text.to_owned(), folder)),
        None => {
            let what = format!("no crawl that is known started at {}", url.origin());
            Err(Failure::usage(what, format!("URL `{url}`"), "name its record with --state DIR"))
        }
    }
}

/// The record that is meant: that of `--state`, else the one whose crawl started at the URL's origin, if there is one.
fn folder(settings: &Settings, url: &PageUrl) -> Result<Option<PathBuf>, Failure> {
    if let Some(folder) = &settings.output.state {
        return Ok(Some(folder.clone()));
    }
    let of_origin: Vec<PathBuf> = known_records(settings).into_iter().filter(|folder| is_of(folder, url)).collect();
    let knowing: Vec<PathBuf> = of_origin.iter().filter(|folder| knows(folder, url)).cloned().collect();
    if of_origin.is_empty() {
        return Ok(None);
    }
    site::only(if knowing.is_empty() { &of_origin } else { &knowing }, "flag --state").map(Some)
}

fn knows(folder: &Path, url: &PageUrl) -> bool {
    Record::open_to_read(folder).and_then(|record| record.knows(url)).unwrap_or(false)
}

/// Whether the crawl of a record started at the URL's origin. One that had a list alone is asked for the URL itself.
fn is_of(folder: &Path, url: &PageUrl) -> bool {
    let starts = Record::open_to_read(folder).and_then(|record| record.starts());
    starts.is_ok_and(|starts| match starts.as_slice() {
        [] => knows(folder, url),
        starts => starts.iter().any(|start| start.origin() == url.origin()),
    })
}
