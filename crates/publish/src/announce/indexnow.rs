//! IndexNow (indexnow.org): sends the URLs that were added, changed or removed.

use std::fmt;
use std::time::Duration;

use reqwest::header::CONTENT_TYPE;
use serde::Serialize;
use url::Url;

use super::batches::{Batch, Batches};
use super::engine_client::{EngineClient, name_of};
use super::error::AnnounceError;
use super::key::Key;

/// The approximate maximum size in bytes of [`Submitted::refused`] and [`Submitted::delayed`]; further messages are
/// dropped.
const MAX_WORDS: usize = 1_000;

/// An engine that takes part in IndexNow; the engines share the URLs that one of them receives.
///
/// Its `Debug` text shows neither the key nor the location of the key file.
#[derive(Clone)]
pub struct IndexNow {
    /// The endpoint that receives the URLs, such as `https://api.indexnow.org/indexnow`.
    pub endpoint: Url,
    /// The key.
    pub key: Key,
    /// The URL of the key file, if it is not at the root of the host. It covers the URLs of its own host below its
    /// folder; other hosts need the file at their root.
    pub key_location: Option<Url>,
}

/// The result of a submission. Accepted, left and refused URLs add up to all that were submitted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Submitted {
    /// The number of accepted URLs (200, or 202: the engine has yet to check the key file).
    pub accepted: u64,
    /// The URLs to be sent later, as they were given.
    pub left: Vec<String>,
    /// The delay that the engine requested; `None` if it gave no time.
    pub retry_after: Option<Duration>,
    /// The reason why some URLs are left.
    pub delayed: Option<String>,
    /// The reason why some URLs were permanently refused; sending them again unchanged has no effect.
    pub refused: Option<String>,
    /// The number of permanently refused URLs.
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
    /// Sends URLs in requests of one host and at most [`MAX_URLS`](super::MAX_URLS) each, one request after the other.
    ///
    /// A 429 and a transient failure (5xx, no response) end the submission: the URLs of that request and all later ones
    /// are left. A response that the protocol does not define (404, a redirect) ends it as well, because the endpoint
    /// is wrong and not the URLs. A 400 or 422 refuses the URLs of one request. A rejected key (403) applies to the
    /// host: its URLs are left until the key file is served, and other hosts are submitted.
    pub async fn submit(&self, caller: &EngineClient, urls: &[String]) -> Submitted {
        let sorted = Batches::of(urls, self.key_location.as_ref());
        let mut submission = Submitted::default();
        submission.refuse(sorted.invalid, "they are no absolute URLs of http or https");
        submission.refuse(
            sorted.outside_key_scope,
            "they lie outside of the key file's directory: serve the key file at the host's root",
        );
        let mut batches = sorted.batches.into_iter().peekable();
        while let Some(batch) = batches.next() {
            match self.send(caller, &batch).await {
                Ok(()) => submission.accepted += count(&batch),
                Err(refusal) if refusal.of_host => {
                    submission.delay(refusal.error);
                    submission.leave(&batch);
                    while let Some(other) = batches.next_if(|other| other.host == batch.host) {
                        submission.leave(&other);
                    }
                }
                Err(refusal) if refusal.error.permanent => submission.refuse(count(&batch), &refusal.error.what),
                Err(delay) => {
                    submission.delay(delay.error);
                    submission.leave(&batch);
                    batches.by_ref().for_each(|batch| submission.leave(&batch));
                }
            }
        }
        submission
    }

    async fn send(&self, caller: &EngineClient, batch: &Batch<'_>) -> Result<(), IndexNowRefusal> {
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
            _ => return Ok(answer.accepted_by(&who).map_err(|error| AnnounceError { permanent: false, ..error })?),
        };
        Err(IndexNowRefusal { error: AnnounceError::permanent(what), of_host: answer.status == 403 })
    }

    fn body(&self, batch: &Batch<'_>) -> Vec<u8> {
        let own = |location: &&Url| name_of(location) == batch.host;
        let body = Body {
            host: &batch.host,
            key: self.key.as_str(),
            key_location: self.key_location.as_ref().filter(own).map(Url::as_str),
            // The protocol requires escaped URLs, which the given ones need not be.
            url_list: batch.urls.iter().filter_map(|url| Url::parse(url).ok()).map(String::from).collect(),
        };
        // Strings under field names always serialize.
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

/// Adds words that are not yet in the text, up to its maximum size.
fn add(submission: &mut Option<String>, words: &str) {
    match submission {
        None => *submission = Some(words.to_owned()),
        Some(submission) if submission.contains(words) || submission.len() > MAX_WORDS => {}
        Some(submission) => {
            submission.push_str("; ");
            submission.push_str(words);
        }
    }
}

/// The reason why a request was not accepted.
struct IndexNowRefusal {
    error: AnnounceError,
    /// The refusal applies to every other request for this host.
    of_host: bool,
}

impl From<AnnounceError> for IndexNowRefusal {
    fn from(error: AnnounceError) -> Self {
        IndexNowRefusal { error, of_host: false }
    }
}

fn count(batch: &Batch<'_>) -> u64 {
    batch.urls.len() as u64
}
