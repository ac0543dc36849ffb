//! A sign of life for a watchdog elsewhere, which misses it when this machine, or the service on it, is down.

use std::fmt;

use url::Url;

/// The URL of a watchdog. Its `Debug` shows the host alone: the rest is often a secret.
#[derive(Clone, PartialEq, Eq)]
pub struct Heartbeat(Url);

/// Why a text is no URL of a watchdog. Never repeats it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it is no URL of http or https")]
pub struct HeartbeatError;

impl Heartbeat {
    /// Reads an absolute URL.
    ///
    /// # Errors
    /// Where it is none, or neither http nor https.
    pub fn parse(text: &str) -> Result<Heartbeat, HeartbeatError> {
        match Url::parse(text.trim()) {
            Ok(url) if matches!(url.scheme(), "http" | "https") => Ok(Heartbeat(url)),
            _ => Err(HeartbeatError),
        }
    }

    /// The host, for messages.
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
