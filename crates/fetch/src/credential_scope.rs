//! The first-party origins, which are those of the start URLs, and the headers and credentials for them alone.

use std::collections::{HashMap, HashSet};
use std::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};

use mapwright_web::Origin;
use mapwright_web::page_url::Userinfo;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};

use crate::options::FetchOptions;
use crate::request::{Method, Request, Scripted};
use crate::setup::SetupError;

/// Header fields that users may not set, because they would break the framing or the transport of requests.
const NOT_FOR_USERS: [&str; 8] = [
    "connection",
    "content-length",
    "keep-alive",
    "proxy-authorization",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// The origins of the start URLs, and the header fields that only they get.
pub(crate) struct CredentialScope {
    /// `-H`, in the order given; values are marked sensitive.
    headers: HeaderMap,
    /// `--auth`.
    auth: Option<HeaderValue>,
    /// Neither headers nor credentials of any kind were given.
    plain: bool,
    origins: RwLock<Origins>,
}

#[derive(Default)]
struct Origins {
    known: HashSet<Origin>,
    /// Credentials in start URLs; used only while the origin is in `known`, too.
    userinfo: HashMap<Origin, HeaderValue>,
}

impl CredentialScope {
    pub(crate) fn new(options: &FetchOptions, client: &reqwest::Client) -> Result<CredentialScope, SetupError> {
        let mut origins = Origins::default();
        for (origin, userinfo) in &options.userinfo {
            origins.userinfo.insert(origin.clone(), basic(client, userinfo)?);
        }
        Ok(CredentialScope {
            plain: options.headers.is_empty() && options.auth.is_none() && options.userinfo.is_empty(),
            headers: header_map(&options.headers)?,
            auth: options.auth.as_ref().map(|userinfo| basic(client, userinfo)).transpose()?,
            origins: RwLock::new(origins),
        })
    }

    /// Makes an origin one of the start URLs'; returns whether it is new.
    pub(crate) fn add(&self, origin: &Origin) -> bool {
        self.write().known.insert(origin.clone())
    }

    /// Makes an origin that a start URL moved to a first-party one; returns whether it is new, or `None` where headers
    /// and credentials may not go there. They follow from http to https of the same host only: another host would learn
    /// them, and on the way from https to http they could be overheard.
    pub(crate) fn follow(&self, origin: &Origin) -> Option<bool> {
        let mut origins = self.write();
        if origins.known.contains(origin) {
            return Some(false);
        }
        let http_variant = |known: &&Origin| !known.is_https() && known.host() == origin.host();
        let variant = origins.known.iter().find(http_variant).filter(|_| origin.is_https()).cloned()?;
        if let Some(value) = origins.userinfo.get(&variant).cloned() {
            origins.userinfo.entry(origin.clone()).or_insert(value);
        }
        Some(origins.known.insert(origin.clone()))
    }

    /// Returns whether nothing is restricted to the first-party origins, cookies apart.
    pub(crate) fn is_plain(&self) -> bool {
        self.plain
    }

    /// Reports whether a request may carry what the user gave, and cookies: not a message of a page's scripts, and
    /// nothing that a page of another site requests of this one.
    pub(crate) fn covers(&self, request: &Request) -> bool {
        let is_own =
            |scripted: &Scripted| scripted.page == request.url.origin() || self.read().known.contains(&scripted.page);
        request.method != Method::Post && request.scripted.as_deref().is_none_or(is_own)
    }

    /// Adds the headers and credentials to a request of a first-party origin. A field named with `-H` replaces our own.
    pub(crate) fn add_credentials(&self, origin: &Origin, headers: &mut HeaderMap) {
        if self.plain {
            return;
        }
        let origins = self.read();
        if !origins.known.contains(origin) {
            return;
        }
        for name in self.headers.keys() {
            headers.remove(name);
        }
        for (name, value) in &self.headers {
            headers.append(name, value.clone());
        }
        if let Some(value) = origins.userinfo.get(origin) {
            headers.insert(AUTHORIZATION, value.clone());
        } else if let Some(value) = self.auth.as_ref().filter(|_| !headers.contains_key(AUTHORIZATION)) {
            headers.insert(AUTHORIZATION, value.clone());
        }
    }

    fn read(&self) -> RwLockReadGuard<'_, Origins> {
        // No code panics while it holds the lock.
        self.origins.read().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn write(&self) -> RwLockWriteGuard<'_, Origins> {
        self.origins.write().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// The header fields of `-H`.
fn header_map(pairs: &[(String, String)]) -> Result<HeaderMap, SetupError> {
    let mut headers = HeaderMap::new();
    for (name, value) in pairs {
        let error = |why| SetupError::Header { name: name.clone(), why };
        let field: HeaderName = name.trim().parse().map_err(|_| error("that is no name of a header"))?;
        if NOT_FOR_USERS.contains(&field.as_str()) {
            return Err(error("mapwright sets it itself, where it is needed"));
        }
        let mut value = HeaderValue::from_str(value.trim())
            .map_err(|_| error("its value holds a line break or a control character"))?;
        value.set_sensitive(true);
        headers.append(field, value);
    }
    Ok(headers)
}

/// The value of `Authorization` by RFC 7617.
fn basic(client: &reqwest::Client, userinfo: &Userinfo) -> Result<HeaderValue, SetupError> {
    let request = client.get("http://localhost/").basic_auth(&userinfo.user, Some(&userinfo.password)).build();
    let value = request.ok().and_then(|request| request.headers().get(AUTHORIZATION).cloned());
    let mut value = value
        .ok_or(SetupError::Header { name: AUTHORIZATION.to_string(), why: "user and password make no header value" })?;
    value.set_sensitive(true);
    Ok(value)
}
