//! Telling search engines what a job published.

use super::ledger::Ledger;
use super::plan::place;
use super::post::from_file;
use crate::error::JobError;
use jiff::Timestamp;
use mapwright_publish::{Caller, IndexNow, Key, Ping, SearchConsole};
use mapwright_settings::Settings;
use std::sync::Arc;
use std::time::Duration;
use url::Url;

/// Time for one request.
const REQUEST: Duration = Duration::from_secs(30);
/// URLs that are kept for an endpoint which does not take them; the last by name are left out beyond it.
const MAX_UNSENT: usize = 1_000_000;

/// Whom a job tells that its sitemap changed.
#[derive(Debug, Clone)]
pub(crate) struct Announcing {
    user_agent: String,
    indexnow: Vec<IndexNow>,
    console: Option<Arc<SearchConsole>>,
    pings: Vec<Ping>,
}

impl Announcing {
    /// What the settings of job `name` say.
    pub(crate) fn new(name: &str, settings: &Settings) -> Result<Self, JobError> {
        let publish = &settings.publish;
        let pings = publish.ping.iter().map(|text| Ping::parse(text)).collect::<Result<_, _>>();
        Ok(Self {
            user_agent: settings.fetch.user_agent.clone(),
            indexnow: indexnow(name, settings)?,
            console: console(name, settings)?,
            pings: pings.map_err(|error| JobError::usage(place(name, "publish.ping"), error, "mend the URL"))?,
        })
    }

    /// Whether anybody is told.
    pub(crate) fn is_empty(&self) -> bool {
        self.indexnow.is_empty() && self.console.is_none() && self.pings.is_empty()
    }

    /// Notes URLs that changed: they wait in the ledger until each endpoint has taken them.
    pub(crate) fn note(&self, ledger: &Ledger, job: &str, changed: Vec<String>) -> Result<(), JobError> {
        if changed.is_empty() {
            return Ok(());
        }
        for engine in &self.indexnow {
            let endpoint = engine.endpoint.as_str();
            let mut urls = ledger.unsent(job, endpoint)?;
            urls.extend(changed.iter().cloned());
            urls.sort();
            urls.dedup();
            urls.truncate(MAX_UNSENT);
            ledger.set_unsent(job, endpoint, &urls)?;
        }
        Ok(())
    }

    /// Tells of the URLs that wait, and of the sitemap where it `changed`; gives what went wrong, a sentence each. What
    /// an endpoint does not take goes on waiting.
    pub(crate) async fn announce(
        &self,
        ledger: &Ledger,
        job: &str,
        changed: bool,
        sitemap: &Url,
        now: Timestamp,
    ) -> Result<Vec<String>, JobError> {
        if self.is_empty() {
            return Ok(Vec::new());
        }
        let caller = Caller::new(&self.user_agent, REQUEST)
            .map_err(|error| JobError::usage(place(job, "publish"), error, "mend the user agent"))?;
        let mut faults = Vec::new();
        for engine in &self.indexnow {
            faults.extend(submit(engine, &caller, ledger, job).await?);
        }
        if !changed {
            return Ok(faults);
        }
        if let Some(console) = &self.console
            && let Err(error) = console.submit(&caller, sitemap, now).await
        {
            faults.push(error.to_string());
        }
        for ping in &self.pings {
            faults.extend(ping.call(&caller, sitemap).await.err().map(|error| error.to_string()));
        }
        Ok(faults)
    }
}

/// Sends what waits. Should the process end before the answer is noted, it is sent again.
async fn submit(engine: &IndexNow, caller: &Caller, ledger: &Ledger, job: &str) -> Result<Option<String>, JobError> {
    let endpoint = engine.endpoint.as_str();
    let urls = ledger.unsent(job, endpoint)?;
    if urls.is_empty() {
        return Ok(None);
    }
    let submitted = engine.submit(caller, &urls).await;
    ledger.set_unsent(job, endpoint, &submitted.left)?;
    Ok(submitted.refused.or(submitted.delayed))
}

fn indexnow(name: &str, settings: &Settings) -> Result<Vec<IndexNow>, JobError> {
    let publish = &settings.publish;
    if publish.indexnow.is_empty() {
        return Ok(Vec::new());
    }
    let Some(file) = &publish.indexnow_key_file else {
        let what = "IndexNow has no key";
        return Err(JobError::usage(place(name, "publish.indexnow-key-file"), what, "name the file that holds it"));
    };
    let key = Key::parse(from_file(file, "publish.indexnow-key-file")?.expose().trim())
        .map_err(|error| JobError::usage(place(name, "publish.indexnow-key-file"), error, "write another key"))?;
    let key_location = match &publish.indexnow_key_location {
        Some(text) => Some(url(name, "publish.indexnow-key-location", text)?),
        None => None,
    };
    let engine = |text: &String| {
        let endpoint = url(name, "publish.indexnow", text)?;
        Ok(IndexNow { endpoint, key: key.clone(), key_location: key_location.clone() })
    };
    publish.indexnow.iter().map(engine).collect()
}

fn console(name: &str, settings: &Settings) -> Result<Option<Arc<SearchConsole>>, JobError> {
    let publish = &settings.publish;
    let Some(property) = &publish.search_console else { return Ok(None) };
    let key = "publish.search-console-key-file";
    let Some(file) = &publish.search_console_key_file else {
        let what = "the Search Console knows mapwright by a service account";
        return Err(JobError::usage(place(name, key), what, "name the account's key file"));
    };
    let account = from_file(file, key)?;
    let console = SearchConsole::from_service_account(account.expose(), property)
        .map_err(|error| JobError::usage(place(name, key), error, "name the account's key file, and the property"))?;
    let api = url(name, "publish.search-console-api", &publish.search_console_api)?;
    Ok(Some(Arc::new(console.with_api(&api))))
}

fn url(name: &str, key: &str, text: &str) -> Result<Url, JobError> {
    Url::parse(text).map_err(|error| JobError::usage(place(name, key), error, "write a whole URL"))
}
