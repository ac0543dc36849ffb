//! What follows a publication: the files go to further places, and search engines hear of what changed.

use super::changes::Changes;
use super::night::{Keeping, blocking};
use crate::error::{JobError, JobFault};
use crate::wire;
use mapwright_publish::mirror::{Files, MirrorOptions, mirror};
use mapwright_publish::{Directory, PublishError};
use std::path::Path;
use url::Url;

impl Keeping {
    /// Brings what was published to the mirrors, and tells the search engines.
    pub(super) async fn bring_further(&self, changes: &Changes) -> Result<(), JobError> {
        let plan = &self.plan;
        let Some(folder) = plan.sitemaps.clone().filter(|_| changes.published) else { return Ok(()) };
        let key = plan.announcing.key_file();
        let looked = blocking(move || Ok(files(&folder, key))).await?;
        let Some(files) = looked.map_err(|error| self.failed(error.to_string(), "the sitemaps"))? else {
            return Ok(());
        };
        plan.announcing.changed(&self.ledger, &plan.name, changes.changed)?;
        self.mirror(&files).await?;
        let sitemap = self.sitemap_url(&files)?;
        let faults = plan.announcing.announce(&self.ledger, &plan.name, &sitemap, self.clock.now());
        for fault in faults.await? {
            // Search engines come by themselves as well: what they refuse spoils no night.
            tracing::warn!(job = plan.name, "a search engine was not told: {fault}");
        }
        Ok(())
    }

    /// Brings the files to all mirrors: one that cannot be reached keeps none of the others behind. The first error,
    /// with the places of further ones.
    async fn mirror(&self, files: &Files) -> Result<(), JobError> {
        let plan = &self.plan;
        let mut failed: Option<JobError> = None;
        for place in &plan.mirrors {
            let options = MirrorOptions {
                grace: plan.settings.publish.grace.unwrap_or_default(),
                timeout: plan.settings.publish.mirror_timeout,
                now: self.clock.now(),
                environment: environment(),
                state: Some(plan.record.clone()),
            };
            let Err(error) = mirror(place, files, &options).await else { continue };
            match &mut failed {
                Some(first) => first.place = format!("{}, {}", first.place, place.label()),
                None => failed = Some(self.failed(error.to_string(), &place.label())),
            }
        }
        failed.map_or(Ok(()), Err)
    }

    /// What the newest run changed. Search engines hear of it once it is published, be it another night: it is noted
    /// for them.
    pub(super) fn noted_changes(&self) -> Result<Option<Changes>, JobError> {
        let plan = &self.plan;
        let rewrites = wire::rewrites(&plan.settings)?;
        let mut notes = plan.announcing.notes(&self.ledger, &plan.name);
        let changes = Changes::of(&plan.record, &mut |url| {
            if plan.sitemaps.is_none() {
                return Ok(());
            }
            let rewritten = rewrites.iter().find_map(|rewrite| rewrite.apply(&url));
            notes.take(rewritten.unwrap_or(url))
        })?;
        notes.keep()?;
        Ok(changes)
    }

    fn failed(&self, what: String, place: &str) -> JobError {
        JobError {
            fault: JobFault::Output,
            what,
            place: format!("job {}, {place}", self.plan.name),
            remedy: "what was there is whole; the next night brings it up to date".to_owned(),
            key: None,
        }
    }

    /// Where the entry point is served.
    fn sitemap_url(&self, files: &Files) -> Result<Url, JobError> {
        let job = self.plan.job(false)?;
        let base = wire::publish_plan(&self.plan.settings, &job.scope)?.series.base;
        base.join(&files.entry_point).map_err(|error| JobError::setting("sitemap.sitemap-base", error, "give a URL"))
    }
}

/// The published set, with the file that proves the key of IndexNow beside it.
fn files(folder: &Path, key: Option<(String, String)>) -> Result<Option<Files>, PublishError> {
    let directory = Directory::prepare(folder, &|text| tracing::warn!("{text}"))?;
    let Some(mut files) = Files::from_directory(&directory) else { return Ok(None) };
    if let Some((name, content)) = key {
        directory.put(&name, &content)?;
        files.parts.push(name);
    }
    Ok(Some(files))
}

/// What the tools of object storage take their credentials from.
fn environment() -> Vec<(String, String)> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect()
}
