//! The start URLs' origins, and what is for them alone.

use std::collections::{HashMap, HashSet};
use std::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};

use mapwright_web::Origin;
use mapwright_web::page_url::Userinfo;
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};

use crate::options::FetchOptions;
use crate::setup::SetupError;

/// Header fields that would break the framing of requests, or the way they travel.
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
pub(crate) struct Home {
    /// `-H`, in the order given; values are marked sensitive.
    headers: HeaderMap,
    /// `--auth`.
    auth: Option<HeaderValue>,
    /// None of the above, nor credentials of single origins, were given.
    plain: bool,
    origins: RwLock<Origins>,
}

#[derive(Default)]
struct Origins {
    known: HashSet<Origin>,
    /// Credentials that start URLs carried; used only where the origin is known, too.
    userinfo: HashMap<Origin, HeaderValue>,
}

impl Home {
    pub(crate) fn new(options: &FetchOptions, client: &reqwest::Client) -> Result<Home, SetupError> {
        let mut origins = Origins::default();
        for (origin, userinfo) in &options.userinfo {
            origins.userinfo.insert(origin.clone(), basic(client, userinfo)?);
        }
        Ok(Home {
            plain: options.headers.is_empty() && options.auth.is_none() && options.userinfo.is_empty(),
            headers: header_map(&options.headers)?,
            auth: options.auth.as_ref().map(|userinfo| basic(client, userinfo)).transpose()?,
            origins: RwLock::new(origins),
        })
    }

    /// Makes an origin one of the start URLs', and says whether it was none before.
    pub(crate) fn add(&self, origin: &Origin) -> bool {
        self.write().known.insert(origin.clone())
    }

    /// Makes an origin to which a start URL moved one of theirs, and says whether it was none before; nothing where what
    /// is for them is not for it. It follows from http to https of the same host, and nowhere else: to another host it
    /// would be told, and on the way back be overheard.
    pub(crate) fn follow(&self, origin: &Origin) -> Option<bool> {
        let mut origins = self.write();
        if origins.known.contains(origin) {
            return Some(false);
        }
        let plain_twin = |known: &&Origin| !known.is_https() && known.host() == origin.host();
        let twin = origins.known.iter().find(plain_twin).filter(|_| origin.is_https()).cloned()?;
        if let Some(value) = origins.userinfo.get(&twin).cloned() {
            origins.userinfo.entry(origin.clone()).or_insert(value);
        }
        Some(origins.known.insert(origin.clone()))
    }

    /// Whether anything is for the start URLs' origins alone, cookies apart.
    pub(crate) fn is_plain(&self) -> bool {
        self.plain
    }

    /// Adds to a request what its origin alone may get, if it is one of the start URLs'. A field named with `-H`
    /// takes the place of our own.
    pub(crate) fn dress(&self, origin: &Origin, headers: &mut HeaderMap) {
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
