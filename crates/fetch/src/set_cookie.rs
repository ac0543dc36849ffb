//! The `Set-Cookie` header (RFC 6265, section 5.2 and 5.3).

use cookie::Expiration;
use jiff::{SignedDuration, Timestamp};

/// Name and value together, in bytes; longer cookies are ignored, as browsers do.
const MAX_COOKIE: usize = 4_096;

/// A `Set-Cookie` value longer than this, in bytes, is not looked at.
const MAX_HEADER: usize = 8_192;

/// A cookie as it is kept.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct StoredCookie {
    pub(crate) name: String,
    pub(crate) value: String,
    pub(crate) path: String,
    /// `None` at the end of the session.
    pub(crate) expires: Option<Timestamp>,
    /// It is of the cookie file.
    pub(crate) given: bool,
}

impl StoredCookie {
    /// What it takes of a `Cookie` header: `name=value; `.
    pub(crate) fn size(&self) -> usize {
        self.name.len() + self.value.len() + 3
    }

    pub(crate) fn is_over(&self, now: Timestamp) -> bool {
        self.expires.is_some_and(|end| end <= now)
    }

    /// Whether one of the two takes the place of the other: of one name, for one path.
    pub(crate) fn replaces(&self, other: &StoredCookie) -> bool {
        self.name == other.name && self.path == other.path
    }

    /// Whether it is for this path (RFC 6265, section 5.1.4).
    pub(crate) fn matches_path(&self, path: &str) -> bool {
        match path.strip_prefix(self.path.as_str()) {
            Some(rest) => rest.is_empty() || self.path.ends_with('/') || rest.starts_with('/'),
            None => false,
        }
    }
}

/// Who sets a cookie.
#[derive(Clone, Copy)]
pub(crate) struct Setter<'u> {
    pub(crate) host: &'u str,
    pub(crate) path: &'u str,
    pub(crate) https: bool,
}

/// The cookie of a `Set-Cookie` value; `None` for one that browsers would not keep: no cookie at all, too long, for
/// another host, secure from a plain connection, or claiming a prefix (RFC 6265bis, section 4.1.3) it has no right to.
pub(crate) fn parse(value: &str, setter: Setter<'_>, now: Timestamp) -> Option<StoredCookie> {
    if value.len() > MAX_HEADER || value.chars().any(|character| character.is_control() && character != '\t') {
        return None;
    }
    let parsed = cookie::Cookie::parse(value).ok()?;
    let secure = parsed.secure() == Some(true);
    if parsed.name().len() + parsed.value().len() > MAX_COOKIE || (secure && !setter.https) {
        return None;
    }
    if parsed.domain().is_some_and(|domain| !is_within(setter.host, domain)) || !prefix_holds(&parsed) {
        return None;
    }
    let path = parsed.path().filter(|path| path.starts_with('/')).unwrap_or(default_path(setter.path));
    Some(StoredCookie {
        name: parsed.name().to_owned(),
        value: parsed.value().to_owned(),
        path: path.to_owned(),
        expires: expiry(&parsed, now),
        given: false,
    })
}

/// `Max-Age` before `Expires`, whichever comes first in the text.
fn expiry(parsed: &cookie::Cookie<'_>, now: Timestamp) -> Option<Timestamp> {
    if let Some(age) = parsed.max_age() {
        let end = now.checked_add(SignedDuration::from_secs(age.whole_seconds()));
        return Some(end.unwrap_or(Timestamp::MAX));
    }
    match parsed.expires() {
        Some(Expiration::DateTime(end)) => Some(Timestamp::from_second(end.unix_timestamp()).unwrap_or(Timestamp::MAX)),
        _ => None,
    }
}

/// Whether the host is the domain or lies below it (RFC 6265, section 5.1.3).
fn is_within(host: &str, domain: &str) -> bool {
    let domain = domain.trim_start_matches('.').to_ascii_lowercase();
    let host = host.to_ascii_lowercase();
    host == domain || host.strip_suffix(&domain).is_some_and(|rest| rest.ends_with('.'))
}

fn prefix_holds(parsed: &cookie::Cookie<'_>) -> bool {
    let secure = parsed.secure() == Some(true);
    let name = parsed.name().to_ascii_lowercase();
    if name.starts_with("__host-") {
        return secure && parsed.domain().is_none() && parsed.path() == Some("/");
    }
    secure || !name.starts_with("__secure-")
}

/// The path of a cookie that names none: its setter's directory (RFC 6265, section 5.1.4).
fn default_path(path: &str) -> &str {
    match path.rsplit_once('/') {
        Some(("", _)) | None => "/",
        Some((directory, _)) => directory,
    }
}

#[cfg(test)]
mod tests;
