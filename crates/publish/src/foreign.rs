//! Sitemaps that somebody else wrote, or that mapwright wrote for another site.

use crate::directory::Directory;
use crate::error::PublishError;
use crate::live;
use crate::set::Plan;
use mapwright_sitemap::{ENTRY_POINT, Item, ReadLimits, Reader, is_our_form};
use mapwright_store::Record;
use std::io::BufReader;

/// Entries of a sitemap that are looked at to learn of which site it is, at most: those of a file are of one host.
const LOOKED_AT: usize = 100;

/// Checks that the files that a publication replaces, whatever its parts are called, are plain files, and unless any may be
/// replaced (`replaces`) that they were written for this site: by this record, or in our form with an entry that is of the
/// site, as `is_of_site` tells of its URL.
///
/// # Errors
/// When one is not, or the record cannot be read.
pub fn check_own(
    record: &Record,
    plan: &Plan,
    directory: &Directory,
    replaces: bool,
    is_of_site: &dyn Fn(&str) -> bool,
) -> Result<(), PublishError> {
    let folder = directory.folder();
    let noted = record.entrances()?;
    let further = (2..).map(live::further_index).take_while(|name| !folder.is_free(name));
    let replaced =
        plan.series.lone_name().map(str::to_owned).into_iter().chain([ENTRY_POINT.to_owned()]).chain(further);
    for name in replaced.filter(|name| !folder.is_free(name)) {
        let file = folder.read(&name).map_err(PublishError::file(directory.file(&name)))?;
        if replaces {
            continue;
        }
        let is_written = is_our_form(BufReader::new(file));
        if !is_written || !noted.contains(&name) && !is_of(directory, &name, is_of_site) {
            return Err(PublishError::Foreign { path: directory.file(&name) });
        }
    }
    Ok(())
}

/// Whether an entry of a sitemap is of the site.
fn is_of(directory: &Directory, name: &str, is_of_site: &dyn Fn(&str) -> bool) -> bool {
    let Ok(file) = directory.folder().read(name) else { return false };
    Reader::new(BufReader::new(file), &ReadLimits::default()).take(LOOKED_AT).any(|item| match item {
        Item::Page(page) => is_of_site(&page.loc),
        Item::Sitemap { loc, .. } => is_of_site(&loc),
    })
}
