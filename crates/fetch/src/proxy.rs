//! The choice of the proxy that a request goes through, if any.

use std::fmt;
use std::net::IpAddr;

use reqwest::Url;

use crate::address_block::Net;
use crate::address_guard::{canonical_name, literal};
use crate::setup::SetupError;

/// The values of the environment's proxy variables, in upper or lower case. This crate does not read the environment.
#[derive(Clone, Default)]
pub struct ProxyVariables {
    /// `HTTPS_PROXY`: for https URLs.
    pub https: Option<String>,
    /// `HTTP_PROXY`: for http URLs.
    pub http: Option<String>,
    /// `NO_PROXY`: hosts that are reached directly, separated by commas: names (with the hosts below them), addresses,
    /// blocks of addresses, or `*` for all.
    pub no_proxy: Option<String>,
}

impl fmt::Debug for ProxyVariables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The URLs of proxies may contain passwords.
        f.debug_struct("ProxyVariables")
            .field("https", &self.https.is_some())
            .field("http", &self.http.is_some())
            .field("no_proxy", &self.no_proxy)
            .finish()
    }
}

/// The proxies in use.
#[derive(Clone)]
pub(crate) struct ProxyRules {
    https: Option<Url>,
    http: Option<Url>,
    direct: Direct,
}

impl ProxyRules {
    /// One proxy for everything if given, otherwise the variables' rules.
    pub(crate) fn new(proxy: Option<&str>, variables: &ProxyVariables) -> Result<ProxyRules, SetupError> {
        if let Some(proxy) = proxy {
            let url = parse_proxy(proxy)?;
            return Ok(ProxyRules { https: Some(url.clone()), http: Some(url), direct: Direct::default() });
        }
        let parse = |value: &Option<String>| {
            let value = value.as_deref().map(str::trim).filter(|value| !value.is_empty());
            value.map(parse_proxy).transpose()
        };
        Ok(ProxyRules {
            https: parse(&variables.https)?,
            http: parse(&variables.http)?,
            direct: Direct::parse(variables.no_proxy.as_deref().unwrap_or_default()),
        })
    }

    /// The proxy for a URL.
    pub(crate) fn proxy_for(&self, url: &Url) -> Option<&Url> {
        let proxy = if url.scheme() == "https" { self.https.as_ref() } else { self.http.as_ref() };
        proxy.filter(|_| !self.direct.covers(url.host_str().unwrap_or_default()))
    }

    /// Returns whether any request may go through a proxy.
    pub(crate) fn any(&self) -> bool {
        (self.https.is_some() || self.http.is_some()) && !self.direct.all
    }

    /// The hosts of the proxies, which are trusted at any address.
    pub(crate) fn hosts(&self) -> impl Iterator<Item = String> {
        self.https.iter().chain(&self.http).filter_map(|url| url.host_str()).map(canonical_name)
    }
}

/// Parses a proxy's URL; the messages leave out its user and password.
fn parse_proxy(text: &str) -> Result<Url, SetupError> {
    let with_scheme = if text.contains("://") { text.to_owned() } else { format!("http://{text}") };
    let url =
        Url::parse(&with_scheme).map_err(|error| SetupError::Proxy(format!("cannot be read as a URL: {error}")))?;
    match url.scheme() {
        "http" | "https" => Ok(url),
        other => Err(SetupError::Proxy(format!("speaks {other}, which is not supported: name an http or https proxy"))),
    }
}

/// The hosts that are reached directly.
#[derive(Clone, Default)]
struct Direct {
    all: bool,
    names: Vec<String>,
    nets: Vec<Net>,
}

impl Direct {
    fn parse(list: &str) -> Direct {
        let mut direct = Direct::default();
        for entry in list.split(',').map(str::trim).filter(|entry| !entry.is_empty()) {
            if entry == "*" {
                direct.all = true;
            } else if let Ok(net) = entry.parse() {
                direct.nets.push(net);
            } else {
                let name = entry.trim_start_matches("*.").trim_start_matches('.');
                direct.names.push(canonical_name(name));
            }
        }
        direct
    }

    fn covers(&self, host: &str) -> bool {
        if self.all {
            return true;
        }
        match literal(host) {
            Some(address) => self.covers_address(address),
            None => self.covers_name(&canonical_name(host)),
        }
    }

    fn covers_address(&self, address: IpAddr) -> bool {
        self.nets.iter().any(|net| net.contains(address))
    }

    fn covers_name(&self, host: &str) -> bool {
        self.names.iter().any(|name| host == name || host.strip_suffix(name).is_some_and(|rest| rest.ends_with('.')))
    }
}

#[cfg(test)]
mod tests;
