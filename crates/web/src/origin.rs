//! Scheme, host and port: the scope of robots.txt, politeness and credentials (RFC 6454).

use crate::page_url::{PageUrl, UrlError};
use crate::tracking::UrlIdentity;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The origin of an http or https URL, written `http://host:8080`, without the default port of the scheme.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Origin {
    text: String,
    port: u16,
}

const HTTPS: &str = "https";
const HTTP: &str = "http";

impl PageUrl {
    /// Scheme, host and port.
    #[must_use]
    pub fn origin(&self) -> Origin {
        Origin::of(self)
    }
}

impl Origin {
    /// The origin of a canonical URL.
    pub(crate) fn of(url: &PageUrl) -> Self {
        let default = if url.scheme() == HTTPS { 443 } else { 80 };
        Origin { text: url.origin_text().to_owned(), port: url.as_url().port().unwrap_or(default) }
    }

    /// `http` or `https`.
    #[must_use]
    pub fn scheme(&self) -> &str {
        if self.is_https() { HTTPS } else { HTTP }
    }

    /// The host as in the URL: punycode, or an address, with IPv6 in brackets.
    #[must_use]
    pub fn host(&self) -> &str {
        let authority = self.text.split_once("://").map_or("", |(_, authority)| authority);
        match authority.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => host,
            _ => authority,
        }
    }

    /// The port, by default that of the scheme.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The text, without a trailing slash.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns true if the scheme is `https`.
    #[must_use]
    pub fn is_https(&self) -> bool {
        self.text.starts_with("https:")
    }
}

impl FromStr for Origin {
    type Err = UrlError;

    /// Parses the origin of any absolute http or https URL; the rest of the URL is ignored.
    fn from_str(text: &str) -> Result<Self, UrlError> {
        PageUrl::parse(text, &UrlIdentity::keep_all()).map(|url| url.origin())
    }
}

impl TryFrom<String> for Origin {
    type Error = UrlError;

    fn try_from(text: String) -> Result<Self, UrlError> {
        text.parse()
    }
}

impl From<Origin> for String {
    fn from(origin: Origin) -> String {
        origin.text
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Origin({})", self.text)
    }
}

/// The scheme, host and port of a URL as written.
#[must_use]
pub fn origin_of(url: &str) -> &str {
    let colons = url.match_indices(':').map(|(colon, _)| colon + 1);
    let slashes = colons.into_iter().find(|at| url.get(*at..).is_some_and(|rest| rest.starts_with("//")));
    let rest = slashes.map_or(0, |at| at + 2);
    let ends = |byte: u8| matches!(byte, b'/' | b'?');
    let end = url.get(rest..).and_then(|rest| rest.bytes().position(ends)).map_or(url.len(), |at| rest + at);
    url.get(..end).unwrap_or(url)
}
