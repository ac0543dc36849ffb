//! The HTTP client for all calls to search engines.

use std::time::Duration;

use reqwest::header::HeaderValue;
use reqwest::{Client, Proxy, RequestBuilder};
use url::Url;

use super::engine_response::EngineResponse;
use super::error::AnnounceError;
use super::excerpt::excerpt;

/// The HTTP client for all calls to search engines. Cheap to clone.
///
/// It follows no redirect, retries nothing, and bounds each response in time and bytes.
#[derive(Debug, Clone)]
pub struct EngineClient {
    client: Client,
    timeout: Duration,
}

impl EngineClient {
    /// Creates a client that sends `user_agent` and limits each call, from connecting to the last byte of the response,
    /// to `timeout`. Calls go through the URL `proxy` if there is one; environment variables are ignored.
    ///
    /// # Errors
    /// When `user_agent` cannot be sent, when `proxy` is not a URL, or when this machine has no CA certificates.
    pub fn new(user_agent: &str, timeout: Duration, proxy: Option<&str>) -> Result<EngineClient, AnnounceError> {
        let agent = HeaderValue::from_str(user_agent).map_err(|_| {
            let agent = excerpt(user_agent, &[]);
            AnnounceError::permanent(format!(
                "the user agent `{agent}` cannot be sent: use printable ASCII characters on one line"
            ))
        })?;
        let mut builder = Client::builder()
            .user_agent(agent)
            .timeout(timeout)
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            .no_proxy();
        if let Some(proxy) = proxy {
            // The cause may repeat the URL, and with it a password.
            let proxy =
                Proxy::all(proxy).map_err(|_| AnnounceError::permanent("the proxy is no URL that can be used"))?;
            builder = builder.proxy(proxy);
        }
        let client = builder.build().map_err(|error| {
            let cause = excerpt(&innermost(&error), &[]);
            AnnounceError::permanent(format!(
                "the HTTP client cannot be made: {cause}; where CA certificates are missing, install the package \
                     ca-certificates"
            ))
        })?;
        Ok(EngineClient { client, timeout })
    }

    pub(crate) fn get(&self, url: &Url) -> RequestBuilder {
        self.client.get(url.clone())
    }

    pub(crate) fn post(&self, url: &Url) -> RequestBuilder {
        self.client.post(url.clone())
    }

    pub(crate) fn put(&self, url: &Url) -> RequestBuilder {
        self.client.put(url.clone())
    }

    /// Sends a request to `who`, a name for messages.
    ///
    /// # Errors
    /// When no response header arrives: transient, unless the request can never be sent.
    pub(crate) async fn send(&self, request: RequestBuilder, who: &str) -> Result<EngineResponse, AnnounceError> {
        match request.send().await {
            Ok(response) => Ok(EngineResponse::read(response).await),
            Err(error) => Err(self.unanswered(&error, who)),
        }
    }

    /// The message for a call without a response. The error's own text is not used, because it contains the URL.
    fn unanswered(&self, error: &reqwest::Error, who: &str) -> AnnounceError {
        if error.is_timeout() {
            let limit = self.timeout.as_secs_f64();
            return AnnounceError::transient(format!("{who} does not answer within {limit} s"), None);
        }
        let cause = excerpt(&innermost(error), &[]);
        if error.is_builder() {
            return AnnounceError::permanent(format!("{who} cannot be called: {cause}"));
        }
        AnnounceError::transient(format!("{who} cannot be reached: {cause}"), None)
    }
}

/// The name of the server of `url` for messages: its host, with the port if it is not the default of the scheme.
pub(crate) fn name_of(url: &Url) -> String {
    let host = url.host_str().unwrap_or("(no host)");
    url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

/// The innermost cause, which is the most specific and contains no URL.
fn innermost(error: &reqwest::Error) -> String {
    let mut deepest: &dyn std::error::Error = error;
    while let Some(source) = deepest.source() {
        deepest = source;
    }
    match deepest.downcast_ref::<reqwest::Error>() {
        // Without a deeper cause, only the kind of the error is known.
        Some(_) if error.is_builder() => "the address is not one of http or https".to_owned(),
        Some(_) => "the connection failed".to_owned(),
        None => deepest.to_string(),
    }
}
