//! The steps after a publication: copies the files to mirrors, and announces changes to search engines.

use crate::blocking::blocking;
use crate::run_changes::Changes;
use crate::runner::JobRunner;
use mapwright_crawl::{CrawlError, CrawlFault, rewrites};
use mapwright_publish::mirror::{Files, MirrorOptions, mirror};
use mapwright_publish::{Directory, PublishError};
use mapwright_settings::SitemapSection;
use std::path::Path;
use url::Url;

impl JobRunner {
    /// Copies the published files to the mirrors, and announces the changes to search engines.
    pub(crate) async fn distribute(&self, changes: &Changes) -> Result<(), CrawlError> {
        let job = &self.job;
        let Some(folder) = job.sitemaps.clone().filter(|_| changes.published) else { return Ok(()) };
        let key = job.announcing.key_file();
        let looked = blocking(move || Ok(files(&folder, key))).await?;
        let Some(files) = looked.map_err(|error| self.failed(error.to_string(), "the sitemaps"))? else {
            return Ok(());
        };
        job.announcing.changed(&self.job_store, &job.name, changes.changed)?;
        self.mirror(&files).await?;
        let sitemap = self.sitemap_url(&files)?;
        let faults = job.announcing.announce(&self.job_store, &job.name, &sitemap, self.clock.now());
        for fault in faults.await? {
            // Search engines also crawl on their own, so a refused submission does not fail the run.
            tracing::warn!(job = job.name, "a search engine was not notified: {fault}");
        }
        Ok(())
    }

    /// Copies the files to all mirrors. A mirror that cannot be reached does not delay the others. Returns the first
    /// error, with the places of the others that failed.
    async fn mirror(&self, files: &Files) -> Result<(), CrawlError> {
        let job = &self.job;
        let mut failed: Option<CrawlError> = None;
        for place in &job.mirrors {
            let options = MirrorOptions {
                grace: job.settings.publish.grace.unwrap_or_default(),
                timeout: job.settings.publish.mirror_timeout,
                now: self.clock.now(),
                environment: environment(),
                state: Some(job.record.clone()),
            };
            let Err(error) = mirror(place, files, &options).await else { continue };
            match &mut failed {
                Some(first) => first.place = format!("{}, {}", first.place, place.label()),
                None => failed = Some(self.failed(error.to_string(), &place.label())),
            }
        }
        failed.map_or(Ok(()), Err)
    }

    /// Returns the changes of the newest run, and stores the changed URLs for search engines. They are submitted once
    /// they are published, which may be in a later run.
    pub(crate) fn record_changes(&self) -> Result<Option<Changes>, CrawlError> {
        let job = &self.job;
        let rewrites = rewrites(&job.settings)?;
        let mut notes = job.announcing.notes(&self.job_store, &job.name);
        let changes = Changes::of(&job.record, &mut |url| {
            if job.sitemaps.is_none() {
                return Ok(());
            }
            let rewritten = rewrites.iter().find_map(|rewrite| rewrite.apply(&url));
            notes.take(rewritten.unwrap_or(url))
        })?;
        notes.keep()?;
        Ok(changes)
    }

    fn failed(&self, what: String, place: &str) -> CrawlError {
        CrawlError {
            fault: CrawlFault::Output,
            what,
            place: format!("job {}, {place}", self.job.name),
            hint: "what was there is complete; the next run brings it up to date".to_owned(),
            key: None,
        }
    }

    /// Returns the URL of the entry point.
    fn sitemap_url(&self, files: &Files) -> Result<Url, CrawlError> {
        let spec = self.job.crawl_spec(false)?;
        let base = spec.sitemap_base()?;
        base.join(&files.entry_point)
            .map_err(|error| CrawlError::setting(SitemapSection::sitemap_base, error, "give a URL"))
    }
}

/// Returns the published files, with the file that proves the IndexNow key.
fn files(folder: &Path, key: Option<(String, String)>) -> Result<Option<Files>, PublishError> {
    let directory = Directory::prepare(folder, &|text| tracing::warn!("{text}"))?;
    let Some(mut files) = Files::from_directory(&directory) else { return Ok(None) };
    if let Some((name, content)) = key {
        directory.put(&name, &content)?;
        files.parts.push(name);
    }
    Ok(Some(files))
}

/// Returns the environment, from which the tools of object storage read their credentials.
fn environment() -> Vec<(String, String)> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect()
}
