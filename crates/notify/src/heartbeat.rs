//! Heartbeats for an external watchdog, which raises an alarm when this machine or the service on it is down.

use std::fmt;

use url::Url;

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

    pub(crate) fn url(&self) -> &Url {
        &self.0
    }
}

impl fmt::Debug for Heartbeat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Heartbeat").field(&self.host()).finish()
    }
}
