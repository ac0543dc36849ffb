//! Detects jobs that write into one place, where each would replace the output of the other.

use crate::job::Job;
use mapwright_crawl::CrawlError;
use mapwright_files::resolved;
use mapwright_settings::PublishSection;
use std::collections::BTreeMap;

/// Refuses jobs that write into the same directory, or mirror their sitemaps to the same place. Paths and places are
/// resolved before they are compared.
///
/// # Errors
/// The first job that writes to a place of an earlier one.
pub(crate) fn check<'a>(jobs: impl IntoIterator<Item = &'a Job>) -> Result<(), CrawlError> {
    let (mut folders, mut mirrors) = (BTreeMap::new(), BTreeMap::new());
    for job in jobs {
        for (key, folder) in job.folders() {
            let folder = resolved(folder);
            let what = |other: &str| format!("jobs {other} and {} both write into {}", job.name, folder.display());
            let what = |other: &&str| (**other != job.name).then(|| what(other));
            let other = folders.insert(folder.clone(), job.name.as_str());
            let Some(what) = other.as_ref().and_then(what) else { continue };
            return Err(job.at_its_line(CrawlError::setting(key, what, "give each job a place of its own")));
        }
        for (mirror, identity) in job.fixed_mirrors() {
            let other = mirrors.insert(identity, job.name.as_str());
            let Some(other) = other.filter(|other| *other != job.name) else { continue };
            let what = format!("jobs {other} and {} both publish to {}", job.name, mirror.label());
            let hint = "give each job a prefix of its own";
            return Err(job.at_its_line(CrawlError::setting(PublishSection::mirror, what, hint)));
        }
    }
    Ok(())
}
