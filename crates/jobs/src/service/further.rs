//! What follows a publication: the files go to further places, and search engines hear of what changed.

use super::changes::Changes;
use super::night::Keeping;
use crate::error::{JobError, JobFault};
use crate::wire;
use mapwright_publish::Directory;
use mapwright_publish::mirror::{Files, MirrorOptions, mirror};
use url::Url;

impl Keeping {
    /// Notes what a run changed, for the search engines: they hear of it once it is published, be it another night.
    pub(super) fn note_changes(&self, changes: &Changes) -> Result<(), JobError> {
        let urls = self.published(&changes.urls)?;
        self.plan.announcing.note(&self.ledger, &self.plan.name, urls)
    }

    /// Brings what was published to the mirrors, and tells the search engines.
    pub(super) async fn bring_further(&self, changes: &Changes) -> Result<(), JobError> {
        let plan = &self.plan;
        let Some(folder) = plan.sitemaps.as_ref().filter(|_| changes.published) else { return Ok(()) };
        let failed = |what: String, place: &str| JobError {
            fault: JobFault::Output,
            what,
            place: format!("job {}, {place}", plan.name),
            remedy: "what was there is whole; the next night brings it up to date".to_owned(),
        };
        let directory = Directory::prepare(folder).map_err(|error| failed(error.to_string(), "the sitemaps"))?;
        let Some(files) = Files::from_directory(&directory) else { return Ok(()) };
        drop(directory);
        for place in &plan.mirrors {
            let options = MirrorOptions {
                grace: plan.settings.publish.grace.unwrap_or_default(),
                timeout: plan.settings.publish.mirror_timeout,
                now: self.clock.now(),
                environment: environment(),
                state: Some(plan.record.clone()),
            };
            mirror(place, &files, &options).await.map_err(|error| failed(error.to_string(), &place.label()))?;
        }
        let sitemap = self.sitemap_url(&files)?;
        let changed = !changes.urls.is_empty();
        let faults = plan.announcing.announce(&self.ledger, &plan.name, changed, &sitemap, self.clock.now()).await?;
        for fault in faults {
            // Search engines come by themselves as well: what they refuse spoils no night.
            tracing::warn!(job = plan.name, "a search engine was not told: {fault}");
        }
        Ok(())
    }

    /// URLs as they are published.
    fn published(&self, urls: &[String]) -> Result<Vec<String>, JobError> {
        let rewrites = wire::rewrites(&self.plan.settings)?;
        let rewritten = |url: &String| rewrites.iter().find_map(|rewrite| rewrite.apply(url));
        Ok(urls.iter().map(|url| rewritten(url).unwrap_or_else(|| url.clone())).collect())
    }

    /// Where the entry point is served.
    fn sitemap_url(&self, files: &Files) -> Result<Url, JobError> {
        let job = self.plan.job(false)?;
        let base = wire::publish_plan(&self.plan.settings, &job.scope)?.series.base;
        base.join(&files.entry_point).map_err(|error| JobError::usage("key sitemap.sitemap-base", error, "give a URL"))
    }
}

/// What the tools of object storage take their credentials from.
fn environment() -> Vec<(String, String)> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect()
}
