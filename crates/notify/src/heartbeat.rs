//! Heartbeats for an external watchdog, which raises an alarm when this machine or the service on it is down. The runner
//! of a job decides when one is sent.

use std::fmt;
use std::time::Duration;

use crate::undelivered::Undelivered;
use crate::webhook::Poster;
use url::Url;

/// Waits between the attempts.
const BACKOFF: [Duration; 2] = [Duration::from_secs(2), Duration::from_secs(10)];
/// The time limit for all attempts, so that a run does not wait long for its heartbeat.
const MAX_TIME: Duration = Duration::from_secs(15);

/// The URL of a watchdog. `Debug` shows the host alone, because the rest is often a secret.
#[derive(Clone, PartialEq, Eq)]
pub struct Heartbeat(Url);

/// A text that is not the URL of a watchdog. The error never repeats it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it is no URL of http or https")]
pub struct HeartbeatError;

impl Heartbeat {
    /// Reads an absolute URL.
    ///
    /// # Errors
    /// If it is not one, or is neither http nor https.
    pub fn parse(text: &str) -> Result<Heartbeat, HeartbeatError> {
        match Url::parse(text.trim()) {
            Ok(url) if matches!(url.scheme(), "http" | "https") => Ok(Heartbeat(url)),
            _ => Err(HeartbeatError),
        }
    }

    /// Returns the host, for messages.
    #[must_use]
    pub fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }

    /// Requests the URL, and again after each wait if the failure may pass.
    ///
    /// # Errors
    /// If no attempt succeeded.
    pub(crate) async fn send(&self, poster: &Poster) -> Result<(), Undelivered> {
        let attempts = async {
            for wait in BACKOFF {
                match poster.get(&self.0).await {
                    Err(failure) if !failure.permanent => tokio::time::sleep(wait).await,
                    settled => return settled,
                }
            }
            poster.get(&self.0).await
        };
        let silent = |_| Err(Undelivered::transient("the watchdog did not answer in time"));
        tokio::time::timeout(MAX_TIME, attempts).await.unwrap_or_else(silent)
    }
}

impl fmt::Debug for Heartbeat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Heartbeat").field(&self.host()).finish()
    }
}
