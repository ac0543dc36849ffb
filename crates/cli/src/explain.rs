//! `mapwright explain URL`: shows why the URL is in the sitemap or not.

use crate::entry::Entry;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Output;
use crate::site;
use clap::{Arg, ArgMatches, Command};
use mapwright_crawl::explain::{self, ExplanationJson, is_of_site, knows};
use mapwright_crawl::{CrawlError, known_records};
use mapwright_settings::{CommandKind, ReportFormat, Settings, arguments};
use mapwright_store::{Record, StoreError};
use mapwright_web::PageUrl;
use std::path::PathBuf;

pub(crate) const ENTRY: Entry = Entry::new(command, run);

fn command() -> Command {
    Command::new("explain")
        .about("Show why a URL is listed or not, and how it was found")
        .arg(Arg::new("url").value_name("URL").required(true).help("The URL to explain"))
        .arg(site::job_argument())
        .args(arguments(CommandKind::Explain))
}

fn run(matches: &ArgMatches) -> Result<Exit, Failure> {
    let settings = site::settings(matches)?;
    let text = matches.get_one::<String>("url").map(String::as_str).unwrap_or_default();
    let tried = site::start(text)?;
    let folder = folder(&settings, text, &tried)?;
    let record = site::open(&folder)?;
    let broken = |error| CrawlError::from(error).in_record(&folder);
    let explained = explain::explain(&record, text).map_err(broken)?;
    if explained.is_none() && !is_of_site(&record, text).map_err(broken)? {
        return Err(site::of_another(&record, text));
    }
    let url = explain::meant(text, &record.origins().map_err(broken)?).unwrap_or(tried);
    let mut output = Output::new();
    match (settings.output.format, &explained) {
        (ReportFormat::Json, Some((url, explained))) => output.json(&ExplanationJson::found(url, explained))?,
        (ReportFormat::Json, None) => output.json(&ExplanationJson::unknown(url.as_str()))?,
        (ReportFormat::Text | ReportFormat::Github, Some((url, explained))) => {
            for line in explain::lines(url, explained) {
                output.line(&line)?;
            }
        }
        (ReportFormat::Text | ReportFormat::Github, None) => {
            output.line(url.as_str())?;
            output.line("  not found in any crawl: no link, sitemap, feed, redirect or canonical leads there")?;
            output.line("  hint: link to it, list it in a sitemap, or give it with --url-list")?;
        }
    }
    output.finish()?;
    Ok(Exit::Done)
}

/// Finds the record: that of `--state`, otherwise one whose crawl started at the URL's origin, otherwise one that knows
/// the URL. `tried` is the first interpretation of the text, which is https where it has no scheme.
fn folder(settings: &Settings, text: &str, tried: &PageUrl) -> Result<PathBuf, Failure> {
    if let Some(folder) = &settings.output.state {
        return Ok(folder.clone());
    }
    let all = known_records(settings);
    let (at_home, knowing) = (those(&all, |record| is_of(record, text)), those(&all, |record| knows(record, text)));
    let first = those(&at_home, |record| Ok(record.origins()?.contains(&tried.origin())));
    let both = narrowed(&at_home, &knowing);
    let ranks = [narrowed(&both, &first), both, first, at_home, knowing];
    match ranks.iter().find(|folders| !folders.is_empty()) {
        Some(folders) => site::only(folders, "flag --state"),
        None => {
            let what = format!("no crawl database is known for {}", tried.origin());
            Err(Failure::usage(what, format!("URL `{text}`"), "name its record with --state DIR"))
        }
    }
}

/// Returns the records that meet a condition; unreadable ones do not.
fn those(folders: &[PathBuf], is_so: impl Fn(&Record) -> Result<bool, StoreError>) -> Vec<PathBuf> {
    let is_one = |folder: &&PathBuf| Record::open_to_read(folder).and_then(|record| is_so(&record)).unwrap_or(false);
    folders.iter().filter(is_one).cloned().collect()
}

/// Returns the folders that are also among the others.
fn narrowed(folders: &[PathBuf], others: &[PathBuf]) -> Vec<PathBuf> {
    folders.iter().filter(|folder| others.contains(folder)).cloned().collect()
}

/// Returns whether the crawl of a record started at the URL's origin, or was redirected there from its start.
fn is_of(record: &Record, text: &str) -> Result<bool, StoreError> {
    let origins = record.origins()?;
    Ok(explain::meant(text, &origins).is_some_and(|url| origins.contains(&url.origin())))
}
