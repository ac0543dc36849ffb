//! Posts JSON over HTTP.

use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use reqwest::header::{CONTENT_TYPE, HeaderMap, RETRY_AFTER};
use reqwest::{Client, Proxy, RequestBuilder, Response};
use url::Url;

use crate::message::Message;
use crate::secret::Secret;
use crate::sender_error::SenderError;
use crate::signature::signature;
use crate::slack;
use crate::undelivered::{Undelivered, cause};

/// Bytes of an answer that are read, at most.
const MAX_ANSWER: usize = 64 << 10;
/// The longest wait that is reported for a receiver: a day.
const MAX_WAIT: Duration = Duration::from_secs(24 * 3_600);
/// The `User-Agent`.
const AGENT: &str = concat!("mapwright/", env!("CARGO_PKG_VERSION"));

/// Posts messages to webhooks and to Slack.
#[derive(Clone)]
pub(crate) struct Poster {
    client: Client,
    secret: Option<Secret>,
}

impl Poster {
    /// Builds a poster whose requests take no longer than `timeout` in all, including the answer.
    pub(crate) fn new(
        timeout: Duration,
        secret: Option<Secret>,
        proxy: Option<&Secret>,
        ca: Option<&[u8]>,
    ) -> Result<Poster, SenderError> {
        // Redirects are not followed, because they would carry the message to an unintended receiver. Only the outbox
        // sends a message again. Connections are not reused, because one that is closing could lose a message.
        let mut builder = Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never().max_retries_per_request(0))
            .referer(false)
            .no_proxy()
            .pool_max_idle_per_host(0)
            .user_agent(AGENT)
            .timeout(timeout);
        if let Some(proxy) = proxy {
            builder = builder.proxy(Proxy::all(proxy.expose()).map_err(|_| SenderError::Proxy)?);
        }
        let client = match ca {
            Some(pem) => builder.tls_certs_merge(certificates(pem)?).build(),
            None => builder.build(),
        };
        let client = client.map_err(|error| SenderError::Client(cause(&error.without_url())))?;
        Ok(Poster { client, secret })
    }

    /// Posts the JSON of a message, signed if there is a secret.
    pub(crate) async fn webhook(&self, url: &Url, message: &Message) -> Result<(), Undelivered> {
        let body = message.json.to_string();
        let mut request = self.request(url, message);
        if let Some(secret) = &self.secret {
            let signed = signature(secret, Timestamp::now().as_second(), body.as_bytes());
            let signed = signed.ok_or_else(|| Undelivered::permanent("the secret of the webhook cannot sign"))?;
            request = request.header("X-Mapwright-Signature", signed);
        }
        let answer = send(request.body(body)).await?;
        judge(&answer, "the webhook")?;
        read(answer).await;
        Ok(())
    }

    /// Posts the message as text to a Slack-compatible URL.
    pub(crate) async fn slack(&self, url: &Secret, message: &Message) -> Result<(), Undelivered> {
        let parsed =
            Url::parse(url.expose()).map_err(|_| Undelivered::transient("the secret URL of Slack is no URL"))?;
        let answer = send(self.request(&parsed, message).body(slack::body(message).to_string())).await?;
        let judged = judge(&answer, "Slack");
        let word = word(&read(answer).await, url);
        judged.map_err(|failure| match word {
            Some(word) => Undelivered { what: format!("{}: {word}", failure.what), ..failure },
            None => failure,
        })
    }

    /// Requests a URL, and checks the status only.
    pub(crate) async fn get(&self, url: &Url) -> Result<(), Undelivered> {
        judge(&send(self.client.get(url.clone())).await?, "it")
    }

    fn request(&self, url: &Url, message: &Message) -> RequestBuilder {
        self.client
            .post(url.clone())
            .header(CONTENT_TYPE, "application/json")
            .header("Idempotency-Key", &message.id)
            .header("X-Mapwright-Delivery", &message.id)
    }
}

fn certificates(pem: &[u8]) -> Result<Vec<reqwest::Certificate>, SenderError> {
    match reqwest::Certificate::from_pem_bundle(pem) {
        Ok(found) if !found.is_empty() => Ok(found),
        _ => Err(SenderError::Certificates),
    }
}

/// Sends a request. The failure leaves out the URL, which may be a secret.
async fn send(request: RequestBuilder) -> Result<Response, Undelivered> {
    request.send().await.map_err(|error| {
        let error = error.without_url();
        if error.is_builder() {
            return Undelivered::permanent(&format!("the request cannot be made: {}", cause(&error)));
        }
        let what = if error.is_timeout() { "no answer in time".to_owned() } else { cause(&error) };
        Undelivered::transient(&what)
    })
}

/// Checks whether an answer means that the message arrived (RFC 9110, section 15).
fn judge(answer: &Response, who: &str) -> Result<(), Undelivered> {
    let status = answer.status();
    if status.is_success() {
        return Ok(());
    }
    let redirect = if status.is_redirection() { " (redirects are not followed)" } else { "" };
    let what = format!("{who} answered {}{redirect}", status.as_u16());
    // The operator can fix a wrong secret or token, and the notifications wait until then.
    let is_transient = !status.is_client_error() || matches!(status.as_u16(), 401 | 403 | 407 | 408 | 425 | 429);
    Err(Undelivered { permanent: !is_transient, after: retry_after(answer.headers()), ..Undelivered::transient(&what) })
}

/// Reads the body, up to a limit. A failure here does not matter, because the message has arrived.
async fn read(mut answer: Response) -> Vec<u8> {
    let mut body = Vec::new();
    while let Ok(Some(chunk)) = answer.chunk().await {
        body.extend(chunk.iter().take(MAX_ANSWER - body.len()));
        if body.len() >= MAX_ANSWER {
            break;
        }
    }
    body
}

/// Returns Slack's word for the fault, such as `channel_is_archived`. Longer answers, and those that repeat the URL,
/// are not quoted.
fn word(body: &[u8], url: &Secret) -> Option<String> {
    let word = std::str::from_utf8(body).ok()?.trim();
    let plain = (3..=40).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    (plain && !url.expose().contains(word)).then(|| word.to_owned())
}

/// Returns the wait that the receiver requests (RFC 9110, section 10.2.3), at most a day.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let value = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(Duration::from_secs(value.parse().unwrap_or(u64::MAX)).min(MAX_WAIT));
    }
    let until = httpdate::parse_http_date(value).ok()?;
    Some(until.duration_since(SystemTime::now()).unwrap_or(Duration::ZERO).min(MAX_WAIT))
}
