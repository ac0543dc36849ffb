//! What an engine answered.

use std::time::Duration;

use jiff::Timestamp;
use mapwright_fetch::{Headers, retry_after};
use reqwest::Response;
use reqwest::header::{LOCATION, RETRY_AFTER};
use serde_json::Value;

use super::error::AnnounceError;

/// Bytes of a body that are read; the rest is left unread and the connection closed.
const MAX_BODY: usize = 64 * 1024;

/// An answer, bounded.
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// How long to wait, as the engine said (RFC 9110, section 10.2.3).
    pub(crate) retry_after: Option<Duration>,
    /// Scheme and host that a redirect leads to. No more than these, for the rest may repeat what is secret.
    redirected_to: Option<String>,
    /// The first [`MAX_BODY`] bytes, or fewer when the body broke off.
    body: Vec<u8>,
}

impl Answer {
    /// Reads the answer. One whose head has come is an answer, whatever becomes of its body.
    pub(crate) async fn read(mut response: Response) -> Answer {
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
        Answer { status, retry_after: wait, redirected_to, body }
    }

    /// The body as JSON; null when it is none.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or(Value::Null)
    }

    /// What is to be made of the status where the protocol says no more than HTTP does.
    ///
    /// # Errors
    /// Everything but success: passing for 408, 425, 429 and 5xx, else lasting.
    pub(crate) fn accepted_by(&self, who: &str) -> Result<(), AnnounceError> {
        let status = self.status;
        match status {
            200..=299 => Ok(()),
            300..=399 => {
                let target = self.redirected_to.as_deref().unwrap_or("nowhere");
                Err(AnnounceError::lasting(format!(
                    "{who} redirects to {target} ({status}), which is not followed: set the address that it leads to"
                )))
            }
            429 => {
                Err(AnnounceError::passing(format!("{who} asks to be called less often ({status})"), self.retry_after))
            }
            408 | 425 | 500..=599 => {
                Err(AnnounceError::passing(format!("{who} has trouble of its own ({status})"), self.retry_after))
            }
            _ => Err(AnnounceError::lasting(format!("{who} refuses the call ({status})"))),
        }
    }
}
