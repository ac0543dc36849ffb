//! Announces published changes to search engines.

use crate::blocking::blocking;
use crate::job_store::JobStore;
use crate::search_engines::Announcing;
use jiff::Timestamp;
use mapwright_crawl::CrawlError;
use mapwright_publish::{EngineClient, IndexNow, Ping, SearchConsole, key_file};
use mapwright_settings::ProxyUrl;
use std::sync::Arc;
use std::time::Duration;
use url::Url;

/// The time limit of one request.
const REQUEST: Duration = Duration::from_secs(30);
/// URLs that wait for an endpoint that does not accept them, at most. Changes beyond them are not submitted to it.
const MAX_UNSENT: usize = 1_000_000;
/// The longest time that an endpoint is not called, whatever its `Retry-After` says.
const MAX_REST: Duration = Duration::from_hours(7 * 24);
/// The entry that stands for the entire sitemap in the job store.
const SITEMAP: &str = "the sitemap";
/// URLs that are stored in one transaction.
const NOTED: usize = 5_000;

impl Announcing {
    /// Collects URLs that change. They wait in the job store until each endpoint has accepted them.
    pub(crate) fn notes<'a>(&'a self, job_store: &'a JobStore, job: &'a str) -> Notes<'a> {
        Notes { announcing: self, job_store, job, urls: Vec::new(), room: None }
    }

    /// Stores for every receiver of sitemap submissions that the sitemap `changed`, until the receiver has accepted it.
    pub(crate) fn changed(&self, job_store: &JobStore, job: &str, changed: bool) -> Result<(), CrawlError> {
        let mut submission_targets = self.submission_targets().filter(|_| changed);
        submission_targets
            .try_for_each(|(hearer, _)| job_store.add_unsent(job, &hearer, &[SITEMAP.to_owned()]).map(drop))
    }

    /// Submits the waiting URLs, and the sitemap to those that have not accepted it yet. Returns the faults, a sentence
    /// each. URLs that an endpoint does not accept keep waiting.
    pub(crate) async fn announce(
        &self,
        job_store: &Arc<JobStore>,
        job: &str,
        sitemap: &Url,
        now: Timestamp,
    ) -> Result<Vec<String>, CrawlError> {
        let endpoints = self.endpoints();
        job_store.keep_endpoints(job, &endpoints.iter().map(String::as_str).collect::<Vec<_>>())?;
        if self.is_empty() {
            return Ok(Vec::new());
        }
        let caller = EngineClient::new(&self.user_agent, REQUEST, self.proxy.as_ref().map(ProxyUrl::as_str)).map_err(
            |error| CrawlError::usage(format!("job {job}, publish"), error, "fix the user agent, or the proxy"),
        )?;
        let mut faults = Vec::new();
        for engine in &self.indexnow {
            faults.extend(submit(engine, &caller, job_store, job, now).await?);
        }
        for (hearer, what) in self.submission_targets() {
            if job_store.unsent(job, &hearer)?.is_empty() {
                continue;
            }
            let notice = match what {
                SubmissionTarget::Console(console) => console.submit(&caller, sitemap, now).await,
                SubmissionTarget::Ping(ping) => ping.call(&caller, sitemap).await,
            };
            // A submission that is refused is tried again after a later run, when a person may have fixed the cause.
            match notice {
                Ok(()) => job_store.set_unsent(job, &hearer, &[], None)?,
                Err(error) => faults.push(error.to_string()),
            }
        }
        Ok(faults)
    }

    /// Returns the receivers of sitemap submissions, with their names in the job store.
    fn submission_targets(&self) -> impl Iterator<Item = (String, SubmissionTarget<'_>)> {
        let console =
            self.console.iter().map(|console| ("search-console".to_owned(), SubmissionTarget::Console(console)));
        let ping = |(at, ping)| (format!("ping {at}: {ping:?}"), SubmissionTarget::Ping(ping));
        console.chain(self.pings.iter().enumerate().map(ping))
    }

    /// Returns the names of all endpoints that the job store may hold entries for.
    fn endpoints(&self) -> Vec<String> {
        let indexnow = self.indexnow.iter().map(|engine| engine.endpoint.to_string());
        indexnow.chain(self.submission_targets().map(|(name, _)| name)).collect()
    }

    /// Returns the labels of all search engines that are notified, for messages.
    pub(crate) fn labels(&self) -> Vec<String> {
        let indexnow = self.indexnow.iter().map(|engine| format!("IndexNow at {}", engine.endpoint.authority()));
        let submission_targets = self.submission_targets().map(|(name, hearer)| match hearer {
            SubmissionTarget::Console(_) => name,
            SubmissionTarget::Ping(ping) => format!("ping to {}", ping.host()),
        });
        indexnow.chain(submission_targets).collect()
    }

    /// Returns name and content of the file that proves the IndexNow key, unless the site serves it elsewhere.
    pub(crate) fn key_file(&self) -> Option<(String, String)> {
        self.indexnow.first().filter(|engine| engine.key_location.is_none()).map(|engine| key_file(&engine.key))
    }
}

/// A receiver of sitemap submissions.
enum SubmissionTarget<'a> {
    Console(&'a SearchConsole),
    Ping(&'a Ping),
}

/// URLs to be stored in the job store.
pub(crate) struct Notes<'a> {
    announcing: &'a Announcing,
    job_store: &'a JobStore,
    job: &'a str,
    urls: Vec<String>,
    /// The number of URLs that each endpoint still has room for, once counted.
    room: Option<Vec<usize>>,
}

impl Notes<'_> {
    /// Collects a URL.
    pub(crate) fn take(&mut self, url: String) -> Result<(), CrawlError> {
        if self.announcing.indexnow.is_empty() {
            return Ok(());
        }
        self.urls.push(url);
        if self.urls.len() < NOTED { Ok(()) } else { self.keep() }
    }

    /// Stores the collected URLs.
    pub(crate) fn keep(&mut self) -> Result<(), CrawlError> {
        let urls = std::mem::take(&mut self.urls);
        if urls.is_empty() {
            return Ok(());
        }
        let endpoints = || self.announcing.indexnow.iter().map(|engine| engine.endpoint.as_str());
        let left = |endpoint| Ok(MAX_UNSENT.saturating_sub(self.job_store.count_unsent(self.job, endpoint)?));
        let mut room = match self.room.take() {
            Some(room) => room,
            None => endpoints().map(left).collect::<Result<_, CrawlError>>()?,
        };
        for (endpoint, room) in endpoints().zip(&mut room) {
            let fits = urls.get(..urls.len().min(*room)).unwrap_or_default();
            *room = room.saturating_sub(self.job_store.add_unsent(self.job, endpoint, fits)?);
        }
        self.room = Some(room);
        Ok(())
    }
}

/// Submits the waiting URLs, unless the endpoint set a `Retry-After` that has not passed. If the process ends before
/// the answer is stored, they are submitted again.
async fn submit(
    engine: &IndexNow,
    caller: &EngineClient,
    job_store: &Arc<JobStore>,
    job: &str,
    now: Timestamp,
) -> Result<Option<String>, CrawlError> {
    let (waiting, name, endpoint) = (Arc::clone(job_store), job.to_owned(), engine.endpoint.to_string());
    let urls = blocking(move || {
        let rests = waiting.rests(&name, &endpoint, now, MAX_REST)?;
        if rests { Ok(Vec::new()) } else { waiting.unsent(&name, &endpoint) }
    });
    let urls = urls.await?;
    if urls.is_empty() {
        return Ok(None);
    }
    let submitted = engine.submit(caller, &urls).await;
    let (job_store, name, endpoint) = (Arc::clone(job_store), job.to_owned(), engine.endpoint.to_string());
    let until = submitted.retry_after.and_then(|wait| now.checked_add(wait.min(MAX_REST)).ok());
    blocking(move || job_store.set_unsent(&name, &endpoint, &submitted.left, until)).await?;
    let faults: Vec<String> = submitted.refused.into_iter().chain(submitted.delayed).collect();
    Ok((!faults.is_empty()).then(|| faults.join("; ")))
}
