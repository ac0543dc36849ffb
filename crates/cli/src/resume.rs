//! `mapwright resume`: goes on with a crawl that was cut, as it was begun.

use crate::commands::Entry;
use crate::crawl::Asked;
use crate::exit::Exit;
use crate::failure::{Failure, say};
use crate::{audit, crawl, load, site};
use clap::{ArgMatches, Command};
use mapwright_jobs::{JobError, begun_with, is_audit};
use mapwright_settings::{CommandKind, arguments};

pub(crate) const ENTRY: Entry = Entry { command, run };

fn command() -> Command {
    Command::new("resume")
        .about("Go on with a crawl that was cut, with the settings it was begun with")
        .arg(site::argument("The start URLs of the crawl, unless --state is given or one crawl alone is unfinished"))
        .args(arguments(CommandKind::Resume))
}

fn run(matches: &ArgMatches) -> Result<Exit, Failure> {
    let folder = site::folder(matches, &load::read(matches, None)?.settings, site::Wanted::Unfinished)?;
    let record = site::open(&folder)?;
    let Some(unfinished) = record.unfinished().map_err(|error| JobError::from(error).in_record(&folder))? else {
        say(&format!("nothing to resume: no run of the record in {} is unfinished", folder.display()));
        return Ok(Exit::Done);
    };
    drop(record);
    let (starts, begun) = begun_with(&unfinished);
    let mut loaded = load::settings_over(matches, Some(&begun))?;
    loaded.settings.record.resume = true;
    loaded.settings.output.state = Some(folder);
    // Given again, start URLs may carry the credentials that the record does not keep.
    let given: Vec<String> = matches.get_many::<String>("url").unwrap_or_default().cloned().collect();
    let urls = if given.is_empty() { starts } else { given };
    if is_audit(&begun) {
        return audit::audit(loaded, urls);
    }
    crawl::crawl(Asked { loaded, urls, audit: None })
}
