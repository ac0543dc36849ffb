//! Sitemaps written by other tools, or by mapwright for another site.

use crate::directory::Directory;
use crate::error::PublishError;
use crate::existing_set;
use crate::options::PublishOptions;
use mapwright_sitemap::{ENTRY_POINT, Item, ReadLimits, Reader, is_mapwright_format};
use mapwright_store::Record;
use std::io::BufReader;

/// The maximum number of entries read to find the site of a sitemap: all entries of a file are of one host.
const LOOKED_AT: usize = 100;

/// Checks that the files that a publication replaces, whatever names its parts get, are plain files. Unless `replaces`
/// permits any, it also checks that they were written for this site: by this record, or in mapwright's form with an
/// entry for which `is_of_site` returns true.
///
/// # Errors
/// When one is not, or the record cannot be read.
pub fn check_own(
    record: &Record,
    plan: &PublishOptions,
    directory: &Directory,
    replaces: bool,
    is_of_site: &dyn Fn(&str) -> bool,
) -> Result<(), PublishError> {
    let folder = directory.folder();
    let noted = record.entry_points()?;
    let further = (2..).map(existing_set::further_index).take_while(|name| !folder.is_free(name));
    let replaced =
        plan.series.single_name().map(str::to_owned).into_iter().chain([ENTRY_POINT.to_owned()]).chain(further);
    for name in replaced.filter(|name| !folder.is_free(name)) {
        let file = folder.read(&name).map_err(PublishError::file(directory.file(&name)))?;
        if replaces {
            continue;
        }
        let is_written = is_mapwright_format(BufReader::new(file));
        if !is_written || !noted.contains(&name) && !is_of(directory, &name, is_of_site) {
            return Err(PublishError::Foreign { path: directory.file(&name) });
        }
    }
    Ok(())
}

/// Returns true if an entry of a sitemap is of the site.
fn is_of(directory: &Directory, name: &str, is_of_site: &dyn Fn(&str) -> bool) -> bool {
    let Ok(file) = directory.folder().read(name) else { return false };
    Reader::new(BufReader::new(file), &ReadLimits::default()).take(LOOKED_AT).any(|item| match item {
        Item::Page(page) => is_of_site(&page.loc),
        Item::Sitemap { loc, .. } => is_of_site(&loc),
    })
}
