//! The choice of the record that a command reads: that of `--state`, of the start URLs, or the only one.

use crate::failure::Failure;
use crate::{load, logging};
use clap::{Arg, ArgMatches};
use mapwright_crawl::explain::is_of_site;
use mapwright_crawl::{CrawlError, known_records, state_folder};
use mapwright_service::state_root;
use mapwright_settings::Settings;
use mapwright_store::Record;
use mapwright_web::page_url::split_userinfo;
use mapwright_web::{PageUrl, UrlIdentity};
use std::path::{Path, PathBuf};

/// The argument that names a crawl by its start URLs.
pub(crate) fn argument(help: &'static str) -> Arg {
    Arg::new("url").value_name("URL").num_args(0..).help(help)
}

/// The argument that names a crawl by its job.
pub(crate) fn job_argument() -> Arg {
    Arg::new("job").long("job").value_name("JOB").help("The record of this job (below --state-root)")
}

/// Reads the settings of a command that reads a record; `--job` stands for the `--state` of its record.
pub(crate) fn settings(matches: &ArgMatches) -> Result<Settings, Failure> {
    let Some(job) = matches.get_one::<String>("job") else { return Ok(load::settings(matches)?.settings) };
    // The jobs file says where records are; those of jobs that it no longer has are in the default place.
    let layers = load::layers(matches)?;
    let known = layers.jobs().find(|known| known == job);
    let mut settings = layers.load(known, None)?.settings;
    logging::start(&settings);
    let folder = match settings.output.state.take().filter(|_| known.is_some()) {
        Some(named) => named,
        None => state_root(&settings)?.join(job),
    };
    if job.contains(['/', '\\']) || !Record::is_in(&folder) {
        let what = format!("there is no record in {}", folder.display());
        return Err(Failure::usage(what, "flag --job", "name a job that has run (`mapwright jobs list`)"));
    }
    settings.output.state = Some(folder);
    Ok(settings)
}

/// Opens the selected record for reading; returns it and its folder.
pub(crate) fn record(matches: &ArgMatches, settings: &Settings) -> Result<(Record, PathBuf), Failure> {
    record_of(&urls(matches), settings)
}

/// Does the same for start URLs that were separated from other arguments.
pub(crate) fn record_of(urls: &[&str], settings: &Settings) -> Result<(Record, PathBuf), Failure> {
    let folder = folder_of(urls, settings)?;
    let record = open(&folder)?;
    check(&record, urls)?;
    Ok((record, folder))
}

/// Returns the folder of the selected record.
pub(crate) fn folder(matches: &ArgMatches, settings: &Settings) -> Result<PathBuf, Failure> {
    folder_of(&urls(matches), settings)
}

fn folder_of(urls: &[&str], settings: &Settings) -> Result<PathBuf, Failure> {
    named(urls, settings)?.map_or_else(|| only(&known_records(settings), COMMAND_LINE), Ok)
}

/// Returns the folder of the record to resume: where none is named, the only one with an unfinished run; `None` where
/// there is none.
pub(crate) fn unfinished(matches: &ArgMatches, settings: &Settings) -> Result<Option<PathBuf>, Failure> {
    if let Some(folder) = named(&urls(matches), settings)? {
        return Ok(Some(folder));
    }
    let folders: Vec<PathBuf> = known_records(settings).into_iter().filter(|folder| is_unfinished(folder)).collect();
    if folders.is_empty() { Ok(None) } else { only(&folders, COMMAND_LINE).map(Some) }
}

/// The place of a missing name, for messages.
const COMMAND_LINE: &str = "command line";

/// The start URLs on the command line.
pub(crate) fn urls(matches: &ArgMatches) -> Vec<&str> {
    matches.get_many::<String>("url").unwrap_or_default().map(String::as_str).collect()
}

/// Returns the folder that `--state` or start URLs name.
fn named(urls: &[&str], settings: &Settings) -> Result<Option<PathBuf>, Failure> {
    if settings.output.state.is_none() && urls.is_empty() {
        return Ok(None);
    }
    let starts: Vec<PageUrl> = urls.iter().map(|text| start(text)).collect::<Result<_, _>>()?;
    Ok(Some(state_folder(settings, &starts, &[])?))
}

/// Maximum number of folders that a message names.
const MAX_NAMED: usize = 3;

/// Returns the only folder; fails where there are none or several.
pub(crate) fn only(folders: &[PathBuf], place: &str) -> Result<PathBuf, Failure> {
    match folders {
        [one] => Ok(one.clone()),
        [] => Err(Failure::usage(
            "no crawl was named, and no record is known",
            place,
            "give its start URLs, or --state DIR",
        )),
        several => {
            let mut names: Vec<String> =
                several.iter().take(MAX_NAMED).map(|folder| folder.display().to_string()).collect();
            names.extend(several.len().checked_sub(MAX_NAMED + 1).map(|more| format!("and {} more", more + 1)));
            let what = format!("several records might be meant: {}", names.join(", "));
            Err(Failure::usage(what, place, "give the start URL of one, or its --state DIR"))
        }
    }
}

fn is_unfinished(folder: &Path) -> bool {
    Record::open_to_read(folder).is_ok_and(|record| record.unfinished().is_ok_and(|unfinished| unfinished.is_some()))
}

/// Parses a start URL as the crawl did; without a scheme, https is assumed.
pub(crate) fn start(text: &str) -> Result<PageUrl, Failure> {
    let full = if text.contains("://") { text.to_owned() } else { format!("https://{text}") };
    PageUrl::parse(&full, &UrlIdentity::default()).map_err(|error| {
        Failure::usage(
            error.to_string(),
            format!("URL `{}`", split_userinfo(text).0),
            "give the URL that the crawl started from",
        )
    })
}

/// Opens the record of a folder for reading.
pub(crate) fn open(folder: &Path) -> Result<Record, Failure> {
    Ok(Record::open_to_read(folder).map_err(|error| CrawlError::from(error).in_record(folder))?)
}

/// Checks that a record belongs to the site of these URLs: with `--state` it might belong to any.
pub(crate) fn check(record: &Record, urls: &[&str]) -> Result<(), Failure> {
    for text in urls {
        start(text)?;
        if !is_of_site(record, text).map_err(|error| CrawlError::from(error).in_record(record.folder()))? {
            return Err(of_another(record, text));
        }
    }
    Ok(())
}

/// The failure for a record that belongs to another site than a URL.
pub(crate) fn of_another(record: &Record, text: &str) -> Failure {
    let starts = match record.run_facts() {
        Ok(run) => run.starts.join(", "),
        Err(error) => return CrawlError::from(error).in_record(record.folder()).into(),
    };
    let what = format!("the record is of another site, {starts}");
    Failure::usage(what, format!("URL `{text}`"), "leave the URL, or name its record by --state")
}

#[cfg(test)]
mod tests {
    use super::only;
    use std::path::PathBuf;

    #[test]
    fn of_many_records_that_might_be_meant_a_few_are_named() {
        let folders = |count: usize| (0..count).map(|number| PathBuf::from(format!("r{number}"))).collect::<Vec<_>>();
        assert_eq!(only(&folders(1), "command line").ok(), Some(PathBuf::from("r0")));
        for (count, named) in [(2, "r0, r1"), (3, "r0, r1, r2"), (4, "r0, r1, r2, and 1 more")] {
            let output = only(&folders(count), "command line").map_err(|failure| failure.what().to_owned());
            assert_eq!(output, Err(format!("several records might be meant: {named}")));
        }
    }
}
