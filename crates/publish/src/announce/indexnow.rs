//! IndexNow (indexnow.org): sending the URLs that were added, changed or removed.

use std::fmt;
use std::time::Duration;

use reqwest::header::CONTENT_TYPE;
use serde::Serialize;
use url::Url;

use super::batches::{Batch, Batches};
use super::caller::{Caller, name_of};
use super::error::AnnounceError;
use super::key::Key;

/// URLs in one request, at most, by the protocol.
pub const MAX_URLS: usize = 10_000;

/// Bytes of [`Submitted::refused`] and [`Submitted::delayed`], about; what is beyond them is not told.
const MAX_WORDS: usize = 1_000;

/// An engine that takes part in IndexNow; the engines share among themselves what is sent to one.
///
/// Its `Debug` text shows neither the key nor where the key file lies.
#[derive(Clone)]
pub struct IndexNow {
    /// Where URLs are sent to, such as `https://api.indexnow.org/indexnow`.
    pub endpoint: Url,
    /// The key.
    pub key: Key,
    /// Where the key file is served, if not at the root of the host. It counts for the URLs of its own host, and
    /// vouches for those below its folder; other hosts need the file at their root.
    pub key_location: Option<Url>,
}

/// What became of URLs that were submitted: accepted, left and refused ones are together all of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Submitted {
    /// How many were accepted (200, or 202: the engine has yet to look at the key file).
    pub accepted: u64,
    /// Those to be sent later, as they were given.
    pub left: Vec<String>,
    /// How long the engine asked to be left alone; `None` where it named no time.
    pub retry_after: Option<Duration>,
    /// Why some are left, in words.
    pub delayed: Option<String>,
    /// Why some were refused for good, in words; sending them again as they are is of no use.
    pub refused: Option<String>,
    /// How many were refused for good.
    pub refused_urls: u64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    host: &'a str,
    key: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    key_location: Option<&'a str>,
    url_list: Vec<String>,
}

impl IndexNow {
    /// Sends URLs, those of one host together, at most [`MAX_URLS`] in a request, one request after the other.
    ///
    /// With the first answer that bids to wait (429), and with the first trouble that may pass (5xx, silence), sending
    /// ends: that request's URLs and all behind them are left. So it does with an answer that is none of the protocol's
    /// (404, a redirect): the address is wrong, and no fault of the URLs'. A refusal (400, 422) is one request's. A key
    /// that is not accepted (403) is the whole host's: its URLs are left for when the key file is served, and other
    /// hosts go on.
    pub async fn submit(&self, caller: &Caller, urls: &[String]) -> Submitted {
        let sorted = Batches::of(urls, self.key_location.as_ref());
        let mut told = Submitted::default();
        told.refuse(sorted.unfit, "they are no absolute URLs of http or https");
        told.refuse(sorted.beyond, "they lie outside of the key file's folder: serve the key file at the host's root");
        let mut batches = sorted.batches.into_iter().peekable();
        while let Some(batch) = batches.next() {
            match self.send(caller, &batch).await {
                Ok(()) => told.accepted += count(&batch),
                Err(refusal) if refusal.of_host => {
                    told.delay(refusal.error);
                    told.leave(&batch);
                    while let Some(other) = batches.next_if(|other| other.host == batch.host) {
                        told.leave(&other);
                    }
                }
                Err(refusal) if refusal.error.lasting => told.refuse(count(&batch), &refusal.error.what),
                Err(delay) => {
                    told.delay(delay.error);
                    told.leave(&batch);
                    batches.by_ref().for_each(|batch| told.leave(&batch));
                }
            }
        }
        told
    }

    async fn send(&self, caller: &Caller, batch: &Batch<'_>) -> Result<(), Refusal> {
        let who = name_of(&self.endpoint);
        let request =
            caller.post(&self.endpoint).header(CONTENT_TYPE, "application/json; charset=utf-8").body(self.body(batch));
        let answer = caller.send(request, &who).await?;
        let host = &batch.host;
        let what = match answer.status {
            400 => format!("{who} finds the request malformed (400): check the key and the endpoint"),
            403 => format!(
                "{who} does not accept the key for {host} (403): serve the key file there, with nothing but the key in it"
            ),
            422 => format!("{who} finds URLs that are not of {host} or not covered by its key file (422)"),
            _ => return Ok(answer.accepted_by(&who).map_err(|error| AnnounceError { lasting: false, ..error })?),
        };
        Err(Refusal { error: AnnounceError::lasting(what), of_host: answer.status == 403 })
    }

    fn body(&self, batch: &Batch<'_>) -> Vec<u8> {
        let own = |location: &&Url| name_of(location) == batch.host;
        let body = Body {
            host: &batch.host,
            key: self.key.as_str(),
            key_location: self.key_location.as_ref().filter(own).map(Url::as_str),
            // URLs are to be sent escaped, which those given need not be.
            url_list: batch.urls.iter().filter_map(|url| Url::parse(url).ok()).map(String::from).collect(),
        };
        // Strings alone, and a struct's names for keys: nothing here can fail.
        serde_json::to_vec(&body).unwrap_or_default()
    }
}

impl fmt::Debug for IndexNow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IndexNow").field("endpoint", &name_of(&self.endpoint)).finish_non_exhaustive()
    }
}

impl Submitted {
    fn leave(&mut self, batch: &Batch<'_>) {
        self.left.extend(batch.urls.iter().map(|&url| url.to_owned()));
    }

    fn delay(&mut self, error: AnnounceError) {
        self.retry_after = error.after.or(self.retry_after);
        add(&mut self.delayed, &error.what);
    }

    fn refuse(&mut self, urls: u64, words: &str) {
        if urls > 0 {
            self.refused_urls += urls;
            add(&mut self.refused, words);
        }
    }
}

/// Adds words that are not there yet to a text that stays bounded.
fn add(told: &mut Option<String>, words: &str) {
    match told {
        None => *told = Some(words.to_owned()),
        Some(told) if told.contains(words) || told.len() > MAX_WORDS => {}
        Some(told) => {
            told.push_str("; ");
            told.push_str(words);
        }
    }
}

/// Why a request was not accepted.
struct Refusal {
    error: AnnounceError,
    /// Every other request for this host would be refused as well.
    of_host: bool,
}

impl From<AnnounceError> for Refusal {
    fn from(error: AnnounceError) -> Self {
        Refusal { error, of_host: false }
    }
}

fn count(batch: &Batch<'_>) -> u64 {
    batch.urls.len() as u64
}
