//! The response of a search engine.

use std::time::Duration;

use jiff::Timestamp;
use mapwright_fetch::{Headers, retry_after};
use reqwest::Response;
use reqwest::header::{LOCATION, RETRY_AFTER};
use serde_json::Value;

use super::error::AnnounceError;

/// The maximum number of bytes read of a body; the rest is not read and the connection is closed.
const MAX_BODY: usize = 64 * 1024;

/// A response of bounded size.
pub(crate) struct EngineResponse {
    pub(crate) status: u16,
    /// The `Retry-After` delay (RFC 9110, section 10.2.3).
    pub(crate) retry_after: Option<Duration>,
    /// The scheme and host that a redirect leads to; the rest is dropped, because it may repeat a secret.
    redirected_to: Option<String>,
    /// The first [`MAX_BODY`] bytes, or fewer if the body broke off.
    body: Vec<u8>,
}

impl EngineResponse {
    /// Reads the response. A response whose header has arrived counts even if its body breaks off.
    pub(crate) async fn read(mut response: Response) -> EngineResponse {
        let field = |name| response.headers().get(name).and_then(|value| value.to_str().ok());
        let wait = field(RETRY_AFTER)
            .and_then(|value| retry_after(&Headers::from_pairs([("retry-after", value)]), Timestamp::now()));
        let target = field(LOCATION).and_then(|value| response.url().join(value).ok());
        let status = response.status().as_u16();
        let mut body = Vec::new();
        while body.len() < MAX_BODY
            && let Ok(Some(chunk)) = response.chunk().await
        {
            body.extend(chunk.iter().take(MAX_BODY - body.len()));
        }
        let redirected_to = target.map(|url| url.origin().ascii_serialization());
        EngineResponse { status, retry_after: wait, redirected_to, body }
    }

    /// The body as JSON; null if it is not JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or(Value::Null)
    }

    /// Judges the status where the protocol defines no more than HTTP does.
    ///
    /// # Errors
    /// For any status but success: transient for 408, 425, 429 and 5xx, otherwise permanent.
    pub(crate) fn accepted_by(&self, who: &str) -> Result<(), AnnounceError> {
        let status = self.status;
        match status {
            200..=299 => Ok(()),
            300..=399 => {
                let target = self.redirected_to.as_deref().unwrap_or("nowhere");
                Err(AnnounceError::permanent(format!(
                    "{who} redirects to {target} ({status}), which is not followed: set the address that it leads to"
                )))
            }
            429 => {
                Err(AnnounceError::transient(format!("{who} limits the rate of requests ({status})"), self.retry_after))
            }
            408 | 425 | 500..=599 => Err(AnnounceError::transient(format!("{who} fails ({status})"), self.retry_after)),
            _ => Err(AnnounceError::permanent(format!("{who} refuses the call ({status})"))),
        }
    }
}
