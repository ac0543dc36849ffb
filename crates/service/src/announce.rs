//! Announces published changes to search engines.

use crate::job_store::JobStore;
use crate::runner::blocking;
use crate::sender::from_file;
use jiff::Timestamp;
use mapwright_crawl::CrawlError;
use mapwright_publish::{EngineClient, IndexNow, Key, Ping, SearchConsole, key_file};
use mapwright_settings::{ProxyUrl, Settings};
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use url::Url;

/// The time limit of one request.
const REQUEST: Duration = Duration::from_secs(30);
/// Bytes of a key file that are read.
const MAX_KEY_FILE: u64 = 4_096;
/// URLs that wait for an endpoint that does not accept them, at most. Changes beyond them are not submitted to it.
const MAX_UNSENT: usize = 1_000_000;
/// The longest time that an endpoint is not called, whatever its `Retry-After` says.
const MAX_REST: Duration = Duration::from_hours(7 * 24);
/// The entry that stands for the entire sitemap in the job store.
const SITEMAP: &str = "the sitemap";
/// URLs that are stored in one transaction.
const NOTED: usize = 5_000;

/// The search engines that a job notifies when its sitemap changes.
#[derive(Debug, Clone)]
pub(crate) struct Announcing {
    user_agent: String,
    proxy: Option<ProxyUrl>,
    indexnow: Vec<IndexNow>,
    console: Option<Arc<SearchConsole>>,
    pings: Vec<Ping>,
}

impl Announcing {
    /// Reads the settings of a job.
    pub(crate) fn new(settings: &Settings) -> Result<Self, CrawlError> {
        let publish = &settings.publish;
        let pings = publish.ping.iter().map(|text| Ping::parse(text)).collect::<Result<_, _>>();
        Ok(Self {
            user_agent: settings.fetch.user_agent.clone(),
            proxy: settings.notify.notify_proxy.clone(),
            indexnow: indexnow(settings)?,
            console: console(settings)?,
            pings: pings.map_err(|error| CrawlError::setting("publish.ping", error, "fix the URL"))?,
        })
    }

    /// Returns whether no search engine is notified.
    pub(crate) fn is_empty(&self) -> bool {
        self.indexnow.is_empty() && self.console.is_none() && self.pings.is_empty()
    }

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

fn indexnow(settings: &Settings) -> Result<Vec<IndexNow>, CrawlError> {
    let publish = &settings.publish;
    if publish.indexnow.is_empty() {
        return Ok(Vec::new());
    }
    let Some(file) = &publish.indexnow_key_file else {
        let (what, hint) = ("IndexNow has no key", "name the file of the key with indexnow-key-file");
        return Err(CrawlError::setting("publish.indexnow", what, hint));
    };
    let key = Key::parse(&key_text(file)?)
        .map_err(|error| CrawlError::setting("publish.indexnow-key-file", error, "write another key"))?;
    let key_location = match &publish.indexnow_key_location {
        Some(text) => Some(url("publish.indexnow-key-location", text)?),
        None => None,
    };
    let engine = |text: &String| {
        let endpoint = url("publish.indexnow", text)?;
        Ok(IndexNow { endpoint, key: key.clone(), key_location: key_location.clone() })
    };
    publish.indexnow.iter().map(engine).collect()
}

/// Returns the text of a key file. It is not secret: the site serves it publicly.
fn key_text(file: &Path) -> Result<String, CrawlError> {
    let fault = |error: std::io::Error| format!("cannot read `{}` ({error})", file.display());
    let read = || {
        let mut text = String::new();
        File::open(file)?.take(MAX_KEY_FILE).read_to_string(&mut text)?;
        Ok(text)
    };
    let key = "publish.indexnow-key-file";
    read().map_err(|error| CrawlError::setting(key, fault(error), "name a file that can be read"))
}

fn console(settings: &Settings) -> Result<Option<Arc<SearchConsole>>, CrawlError> {
    let publish = &settings.publish;
    let Some(property) = &publish.search_console else { return Ok(None) };
    let key = "publish.search-console-key-file";
    let Some(file) = &publish.search_console_key_file else {
        let what = "the Search Console knows mapwright by a service account";
        let hint = "name the account's key file with search-console-key-file";
        return Err(CrawlError::setting("publish.search-console", what, hint));
    };
    let account = from_file(file, key)?;
    let console = SearchConsole::from_service_account(account.expose(), property)
        .map_err(|error| CrawlError::setting(key, error, "name the account's key file, and the property"))?;
    let api = url("publish.search-console-api", &publish.search_console_api)?;
    Ok(Some(Arc::new(console.with_api(&api))))
}

fn url(key: &str, text: &str) -> Result<Url, CrawlError> {
    let url = Url::parse(text).map_err(|error| CrawlError::setting(key, error, "write an absolute URL"))?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(CrawlError::setting(key, "the URL holds a user or a password", "write it without"));
    }
    Ok(url)
}
