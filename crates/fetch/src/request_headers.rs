//! The request as it is sent.

use std::borrow::Cow;

use mapwright_web::Spelling;
use reqwest::header::{
    ACCEPT, ACCEPT_ENCODING, COOKIE, HOST, HeaderMap, HeaderName, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH,
    USER_AGENT,
};
use reqwest::{Method, Url};

use crate::codings;
use crate::request::{self, Request, Scripted};
use crate::setup::SetupError;

/// The number of header fields of most requests, with room for those that the underlying client adds.
const USUAL_FIELDS: usize = 6;

/// The header values that all requests share.
pub(crate) struct Outgoing {
    user_agent: HeaderValue,
}

impl Outgoing {
    pub(crate) fn new(user_agent: &str) -> Result<Outgoing, SetupError> {
        let printable =
            !user_agent.is_empty() && user_agent.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic());
        let value = HeaderValue::from_str(user_agent).ok().filter(|_| printable);
        let user_agent = value.ok_or_else(|| SetupError::UserAgent(user_agent.escape_debug().to_string()))?;
        Ok(Outgoing { user_agent })
    }

    /// Composes the request without headers and credentials for first-party origins: the method, and the header fields
    /// in a browser's order.
    pub(crate) fn compose(&self, request: &Request) -> reqwest::Request {
        let url = request.spelling.as_ref().map_or(request.url.as_url(), Spelling::as_url);
        let method = match request.method {
            request::Method::Get => Method::GET,
            request::Method::Head => Method::HEAD,
            request::Method::Post => Method::POST,
        };
        let mut composed = reqwest::Request::new(method, url.clone());
        let headers = composed.headers_mut();
        headers.reserve(USUAL_FIELDS);
        if let Some(host) = host(url) {
            headers.insert(HOST, host);
        }
        headers.insert(USER_AGENT, self.user_agent.clone());
        headers.insert(ACCEPT, HeaderValue::from_static(request.accept.header()));
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(codings::ACCEPT_ENCODING));
        // A validator that is no valid header value is left out.
        if let Some(etags) = request.conditions.etag.as_deref().and_then(|etag| value(&known_tags(etag))) {
            headers.insert(IF_NONE_MATCH, etags);
        }
        if let Some(modified) = request.conditions.modified.as_deref().and_then(value) {
            headers.insert(IF_MODIFIED_SINCE, modified);
        }
        if let Some(scripted) = &request.scripted {
            add_scripted(&mut composed, scripted);
        }
        composed
    }
}

/// Fields that no page may set: those of the connection, of credentials, and of the crawler itself.
const NOT_FOR_PAGES: [&str; 16] = [
    "accept-encoding",
    "authorization",
    "connection",
    "content-length",
    "cookie",
    "expect",
    "host",
    "keep-alive",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "user-agent",
    "via",
];

/// Adds the header fields and the body that a page determines. A request of a script accepts anything (Fetch Standard,
/// section 2.2.5), unless it says otherwise.
fn add_scripted(composed: &mut reqwest::Request, scripted: &Scripted) {
    let headers = composed.headers_mut();
    headers.insert(ACCEPT, HeaderValue::from_static("*/*"));
    for (name, field) in scripted.headers.iter() {
        let is_refused = NOT_FOR_PAGES.contains(&name) || name.starts_with("sec-");
        if let (Ok(name), Some(field), false) = (HeaderName::from_bytes(name.as_bytes()), value(field), is_refused) {
            headers.insert(name, field);
        }
    }
    if composed.method() == Method::POST {
        *composed.body_mut() = Some(scripted.body.clone().into());
    }
}

/// Suffixes that servers add to the `ETag` of a compressed response.
const CODED: [&str; 4] = ["-gzip\"", "-br\"", "-zstd\"", "-deflate\""];

/// The entity tags of the known copy. Apache's compression adds a suffix to the tag that it sends, but compares
/// `If-None-Match` with the tag without it, so both are sent (RFC 9110, section 13.1.2, permits a list).
fn known_tags(etag: &str) -> Cow<'_, str> {
    match CODED.iter().find_map(|coded| etag.strip_suffix(coded)) {
        Some(plain) => format!("{etag}, {plain}\"").into(),
        None => etag.into(),
    }
}

/// Adds the jar's cookies to those in the user's own `Cookie` header.
pub(crate) fn add_cookies(headers: &mut HeaderMap, cookies: &str) {
    let own = headers.get(COOKIE).and_then(|own| own.to_str().ok());
    let all = own.map_or_else(|| cookies.to_owned(), |own| format!("{own}; {cookies}"));
    if let Some(mut all) = value(&all) {
        all.set_sensitive(true);
        headers.insert(COOKIE, all);
    }
}

/// The `Host` header, which comes first (RFC 9110, section 7.2). It is not set over TLS, where the version is not known
/// yet and HTTP/2 has no such field.
fn host(url: &Url) -> Option<HeaderValue> {
    let host = url.host_str().filter(|_| url.scheme() == "http")?;
    match url.port() {
        Some(port) => value(&format!("{host}:{port}")),
        None => value(host),
    }
}

fn value(text: &str) -> Option<HeaderValue> {
    HeaderValue::from_bytes(text.as_bytes()).ok()
}
