//! Telling search engines what a job published.

use super::ledger::Ledger;
use super::night::blocking;
use super::post::from_file;
use crate::error::JobError;
use jiff::Timestamp;
use mapwright_publish::{Caller, IndexNow, Key, Ping, SearchConsole, key_file};
use mapwright_settings::{ProxyUrl, Settings};
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use url::Url;

/// Time for one request.
const REQUEST: Duration = Duration::from_secs(30);
/// Bytes of a key's file that are read.
const MAX_KEY_FILE: u64 = 4_096;
/// URLs that are kept for an endpoint which does not take them; what changes beyond them it does not hear of.
const MAX_UNSENT: usize = 1_000_000;
/// An endpoint is left alone so long at most, whatever it asks for.
const LONGEST_REST: Duration = Duration::from_hours(7 * 24);
/// What stands in the ledger for the sitemap as a whole.
const SITEMAP: &str = "the sitemap";
/// URLs that are noted in one transaction.
const NOTED: usize = 5_000;

/// Whom a job tells that its sitemap changed.
#[derive(Debug, Clone)]
pub(crate) struct Announcing {
    user_agent: String,
    proxy: Option<ProxyUrl>,
    indexnow: Vec<IndexNow>,
    console: Option<Arc<SearchConsole>>,
    pings: Vec<Ping>,
}

impl Announcing {
    /// What the settings of a job say.
    pub(crate) fn new(settings: &Settings) -> Result<Self, JobError> {
        let publish = &settings.publish;
        let pings = publish.ping.iter().map(|text| Ping::parse(text)).collect::<Result<_, _>>();
        Ok(Self {
            user_agent: settings.fetch.user_agent.clone(),
            proxy: settings.notify.notify_proxy.clone(),
            indexnow: indexnow(settings)?,
            console: console(settings)?,
            pings: pings.map_err(|error| JobError::setting("publish.ping", error, "mend the URL"))?,
        })
    }

    /// Whether anybody is told.
    pub(crate) fn is_empty(&self) -> bool {
        self.indexnow.is_empty() && self.console.is_none() && self.pings.is_empty()
    }

    /// Takes note of URLs that change: they wait in the ledger until each endpoint has taken them.
    pub(crate) fn notes<'a>(&'a self, ledger: &'a Ledger, job: &'a str) -> Notes<'a> {
        Notes { announcing: self, ledger, job, urls: Vec::new(), room: None }
    }

    /// Notes that the sitemap as a whole is news, where it `changed`, until everybody has heard of it.
    pub(crate) fn changed(&self, ledger: &Ledger, job: &str, changed: bool) -> Result<(), JobError> {
        let mut hearers = self.hearers().filter(|_| changed);
        hearers.try_for_each(|(hearer, _)| ledger.add_unsent(job, &hearer, &[SITEMAP.to_owned()]).map(drop))
    }

    /// Tells of the URLs that wait, and of the sitemap to those who have not heard of it; gives what went wrong, a
    /// sentence each. What an endpoint does not take goes on waiting.
    pub(crate) async fn announce(
        &self,
        ledger: &Arc<Ledger>,
        job: &str,
        sitemap: &Url,
        now: Timestamp,
    ) -> Result<Vec<String>, JobError> {
        let endpoints = self.endpoints();
        ledger.keep_endpoints(job, &endpoints.iter().map(String::as_str).collect::<Vec<_>>())?;
        if self.is_empty() {
            return Ok(Vec::new());
        }
        let caller =
            Caller::new(&self.user_agent, REQUEST, self.proxy.as_ref().map(ProxyUrl::as_str)).map_err(|error| {
                JobError::usage(format!("job {job}, publish"), error, "mend the user agent, or the proxy")
            })?;
        let mut faults = Vec::new();
        for engine in &self.indexnow {
            faults.extend(submit(engine, &caller, ledger, job, now).await?);
        }
        for (hearer, what) in self.hearers() {
            if ledger.unsent(job, &hearer)?.is_empty() {
                continue;
            }
            let told = match what {
                Hearer::Console(console) => console.submit(&caller, sitemap, now).await,
                Hearer::Ping(ping) => ping.call(&caller, sitemap).await,
            };
            // Who refuses hears of it another time: a person may have mended by then what stands in the way.
            match told {
                Ok(()) => ledger.set_unsent(job, &hearer, &[], None)?,
                Err(error) => faults.push(error.to_string()),
            }
        }
        Ok(faults)
    }

    /// Who hears that the sitemap changed, under the names by which the ledger knows them.
    fn hearers(&self) -> impl Iterator<Item = (String, Hearer<'_>)> {
        let console = self.console.iter().map(|console| ("search-console".to_owned(), Hearer::Console(console)));
        let ping = |(at, ping)| (format!("ping {at}: {ping:?}"), Hearer::Ping(ping));
        console.chain(self.pings.iter().enumerate().map(ping))
    }

    /// All that the ledger keeps something for.
    fn endpoints(&self) -> Vec<String> {
        let indexnow = self.indexnow.iter().map(|engine| engine.endpoint.to_string());
        indexnow.chain(self.hearers().map(|(name, _)| name)).collect()
    }

    /// Everybody who is told, as messages call them.
    pub(crate) fn labels(&self) -> Vec<String> {
        let indexnow = self.indexnow.iter().map(|engine| format!("IndexNow at {}", engine.endpoint.authority()));
        let hearers = self.hearers().map(|(name, hearer)| match hearer {
            Hearer::Console(_) => name,
            Hearer::Ping(ping) => format!("ping to {}", ping.host()),
        });
        indexnow.chain(hearers).collect()
    }

    /// Name and content of the file that proves the key of IndexNow, unless the site serves it elsewhere.
    pub(crate) fn key_file(&self) -> Option<(String, String)> {
        self.indexnow.first().filter(|engine| engine.key_location.is_none()).map(|engine| key_file(&engine.key))
    }
}

/// Who hears of the sitemap as a whole.
enum Hearer<'a> {
    Console(&'a SearchConsole),
    Ping(&'a Ping),
}

/// URLs on their way into the ledger.
pub(crate) struct Notes<'a> {
    announcing: &'a Announcing,
    ledger: &'a Ledger,
    job: &'a str,
    urls: Vec<String>,
    /// How many more are kept for each endpoint, once that was looked at.
    room: Option<Vec<usize>>,
}

impl Notes<'_> {
    /// Takes note of a URL.
    pub(crate) fn take(&mut self, url: String) -> Result<(), JobError> {
        if self.announcing.indexnow.is_empty() {
            return Ok(());
        }
        self.urls.push(url);
        if self.urls.len() < NOTED { Ok(()) } else { self.keep() }
    }

    /// Keeps those that were taken note of.
    pub(crate) fn keep(&mut self) -> Result<(), JobError> {
        let urls = std::mem::take(&mut self.urls);
        if urls.is_empty() {
            return Ok(());
        }
        let endpoints = || self.announcing.indexnow.iter().map(|engine| engine.endpoint.as_str());
        let left = |endpoint| Ok(MAX_UNSENT.saturating_sub(self.ledger.count_unsent(self.job, endpoint)?));
        let mut room = match self.room.take() {
            Some(room) => room,
            None => endpoints().map(left).collect::<Result<_, JobError>>()?,
        };
        for (endpoint, room) in endpoints().zip(&mut room) {
            let fits = urls.get(..urls.len().min(*room)).unwrap_or_default();
            *room = room.saturating_sub(self.ledger.add_unsent(self.job, endpoint, fits)?);
        }
        self.room = Some(room);
        Ok(())
    }
}

/// Sends what waits, unless the endpoint asked to be left alone. Should the process end before the answer is noted, it
/// is sent again.
async fn submit(
    engine: &IndexNow,
    caller: &Caller,
    ledger: &Arc<Ledger>,
    job: &str,
    now: Timestamp,
) -> Result<Option<String>, JobError> {
    let (waiting, name, endpoint) = (Arc::clone(ledger), job.to_owned(), engine.endpoint.to_string());
    let urls = blocking(move || {
        let rests = waiting.rests(&name, &endpoint, now, LONGEST_REST)?;
        if rests { Ok(Vec::new()) } else { waiting.unsent(&name, &endpoint) }
    });
    let urls = urls.await?;
    if urls.is_empty() {
        return Ok(None);
    }
    let submitted = engine.submit(caller, &urls).await;
    let (ledger, name, endpoint) = (Arc::clone(ledger), job.to_owned(), engine.endpoint.to_string());
    let until = submitted.retry_after.and_then(|wait| now.checked_add(wait.min(LONGEST_REST)).ok());
    blocking(move || ledger.set_unsent(&name, &endpoint, &submitted.left, until)).await?;
    let faults: Vec<String> = submitted.refused.into_iter().chain(submitted.delayed).collect();
    Ok((!faults.is_empty()).then(|| faults.join("; ")))
}

fn indexnow(settings: &Settings) -> Result<Vec<IndexNow>, JobError> {
    let publish = &settings.publish;
    if publish.indexnow.is_empty() {
        return Ok(Vec::new());
    }
    let Some(file) = &publish.indexnow_key_file else {
        let what = "IndexNow has no key";
        return Err(JobError::setting("publish.indexnow-key-file", what, "name the file that holds it"));
    };
    let key = Key::parse(&key_text(file)?)
        .map_err(|error| JobError::setting("publish.indexnow-key-file", error, "write another key"))?;
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

/// The text of a key's file, which is no secret: the site shows it to everybody.
fn key_text(file: &Path) -> Result<String, JobError> {
    let fault = |error: std::io::Error| format!("cannot read `{}` ({error})", file.display());
    let read = || {
        let mut text = String::new();
        File::open(file)?.take(MAX_KEY_FILE).read_to_string(&mut text)?;
        Ok(text)
    };
    let key = "publish.indexnow-key-file";
    read().map_err(|error| JobError::setting(key, fault(error), "name a file that can be read"))
}

fn console(settings: &Settings) -> Result<Option<Arc<SearchConsole>>, JobError> {
    let publish = &settings.publish;
    let Some(property) = &publish.search_console else { return Ok(None) };
    let key = "publish.search-console-key-file";
    let Some(file) = &publish.search_console_key_file else {
        let what = "the Search Console knows mapwright by a service account";
        return Err(JobError::setting(key, what, "name the account's key file"));
    };
    let account = from_file(file, key)?;
    let console = SearchConsole::from_service_account(account.expose(), property)
        .map_err(|error| JobError::setting(key, error, "name the account's key file, and the property"))?;
    let api = url("publish.search-console-api", &publish.search_console_api)?;
    Ok(Some(Arc::new(console.with_api(&api))))
}

fn url(key: &str, text: &str) -> Result<Url, JobError> {
    let url = Url::parse(text).map_err(|error| JobError::setting(key, error, "write a whole URL"))?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(JobError::setting(key, "the URL holds a user or a password", "write it without"));
    }
    Ok(url)
}
