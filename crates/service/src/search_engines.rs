//! The search engines that a job notifies when its sitemap changes.

use crate::transports::from_file;
use mapwright_crawl::CrawlError;
use mapwright_publish::{IndexNow, Key, Ping, SearchConsole};
use mapwright_settings::{ProxyUrl, PublishSection, Settings};
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use url::Url;

/// Bytes of a key file that are read.
const MAX_KEY_FILE: u64 = 4_096;

/// The search engines that a job notifies when its sitemap changes.
#[derive(Debug, Clone)]
pub(crate) struct Announcing {
    pub(crate) user_agent: String,
    pub(crate) proxy: Option<ProxyUrl>,
    pub(crate) indexnow: Vec<IndexNow>,
    pub(crate) console: Option<Arc<SearchConsole>>,
    pub(crate) pings: Vec<Ping>,
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
            pings: pings.map_err(|error| CrawlError::setting(PublishSection::ping, error, "fix the URL"))?,
        })
    }

    /// Returns whether no search engine is notified.
    pub(crate) fn is_empty(&self) -> bool {
        self.indexnow.is_empty() && self.console.is_none() && self.pings.is_empty()
    }
}

fn indexnow(settings: &Settings) -> Result<Vec<IndexNow>, CrawlError> {
    let publish = &settings.publish;
    if publish.indexnow.is_empty() {
        return Ok(Vec::new());
    }
    let Some(file) = &publish.indexnow_key_file else {
        let (what, hint) = ("IndexNow has no key", "name the file of the key with indexnow-key-file");
        return Err(CrawlError::setting(PublishSection::indexnow, what, hint));
    };
    let key = Key::parse(&key_text(file)?)
        .map_err(|error| CrawlError::setting(PublishSection::indexnow_key_file, error, "write another key"))?;
    let key_location = match &publish.indexnow_key_location {
        Some(text) => Some(url(PublishSection::indexnow_key_location, text)?),
        None => None,
    };
    let engine = |text: &String| {
        let endpoint = url(PublishSection::indexnow, text)?;
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
    let key = PublishSection::indexnow_key_file;
    read().map_err(|error| CrawlError::setting(key, fault(error), "name a file that can be read"))
}

fn console(settings: &Settings) -> Result<Option<Arc<SearchConsole>>, CrawlError> {
    let publish = &settings.publish;
    let Some(property) = &publish.search_console else { return Ok(None) };
    let key = PublishSection::search_console_key_file;
    let Some(file) = &publish.search_console_key_file else {
        let what = "the Search Console knows mapwright by a service account";
        let hint = "name the account's key file with search-console-key-file";
        return Err(CrawlError::setting(PublishSection::search_console, what, hint));
    };
    let account = from_file(file, key)?;
    let console = SearchConsole::from_service_account(account.expose(), property)
        .map_err(|error| CrawlError::setting(key, error, "name the account's key file, and the property"))?;
    let api = url(PublishSection::search_console_api, &publish.search_console_api)?;
    Ok(Some(Arc::new(console.with_api(&api))))
}

fn url(key: &str, text: &str) -> Result<Url, CrawlError> {
    let url = Url::parse(text).map_err(|error| CrawlError::setting(key, error, "write an absolute URL"))?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(CrawlError::setting(key, "the URL holds a user or a password", "write it without"));
    }
    Ok(url)
}
