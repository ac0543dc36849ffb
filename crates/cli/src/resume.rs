//! `mapwright resume`: resumes a crawl that was cut, with its original settings.

use crate::crawl::CrawlRequest;
use crate::entry::Entry;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::stderr::print_stderr;
use crate::{audit, crawl, load, site};
use clap::{ArgMatches, Command};
use mapwright_crawl::{CrawlError, begun_with};
use mapwright_settings::{CommandKind, CrawlSection, RecordedSettings, arguments};
use mapwright_store::{Record, RunKind, StoreError};

pub(crate) const ENTRY: Entry = Entry::new(command, run);

fn command() -> Command {
    Command::new("resume")
        .about("Resume a crawl that was cut, with the settings it was begun with")
        .arg(site::argument("The start URLs of the crawl, unless --state is given or one crawl alone is unfinished"))
        .args(arguments(CommandKind::Resume))
}

fn run(matches: &ArgMatches) -> Result<Exit, Failure> {
    let Some(folder) = site::unfinished(matches, &load::read(matches, None)?.settings)? else {
        print_stderr("nothing to resume: no record that is known has an unfinished run (--state names another)");
        return Ok(Exit::Done);
    };
    let record = site::open(&folder)?;
    let Some(unfinished) = record.unfinished().map_err(|error| CrawlError::from(error).in_record(&folder))? else {
        print_stderr(&format!("nothing to resume: no run of the record in {} is unfinished", folder.display()));
        return Ok(Exit::Done);
    };
    let (starts, begun) = begun_with(&unfinished);
    let list = list(&record, &begun).map_err(|error| CrawlError::from(error).in_record(&folder))?;
    drop(record);
    let mut loaded = load::settings_over(matches, Some(&begun))?;
    loaded.settings.record.resume = true;
    loaded.settings.output.state = Some(folder);
    // Start URLs that are given again may contain the credentials that the record does not store.
    let given: Vec<String> = matches.get_many::<String>("url").unwrap_or_default().cloned().collect();
    let urls = if given.is_empty() { starts } else { given };
    if unfinished.info.kind == RunKind::Audit {
        return audit::audit(loaded, urls, list);
    }
    crawl::crawl(CrawlRequest { loaded, urls, list, audit: None })
}

/// Returns the URL list that the run began with, because it may have come from standard input or may have changed.
/// `None` where there was no list, or the run was killed before the list was stored.
fn list(record: &Record, begun: &RecordedSettings) -> Result<Option<String>, StoreError> {
    if !begun.0.contains_key(CrawlSection::url_list) {
        return Ok(None);
    }
    let list = record.list()?;
    Ok((!list.is_empty()).then(|| list.join("\n")))
}
