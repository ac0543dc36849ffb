//! The `Set-Cookie` header (RFC 6265, section 5.2 and 5.3).

use cookie::Expiration;
use jiff::{SignedDuration, Timestamp};

/// Maximum size of a cookie's name and value together, in bytes; longer cookies are ignored, as browsers do.
const MAX_COOKIE: usize = 4_096;

/// Maximum length of a `Set-Cookie` value, in bytes; longer ones are ignored.
const MAX_HEADER: usize = 8_192;

/// A cookie in the jar.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct StoredCookie {
    pub(crate) name: String,
    pub(crate) value: String,
    pub(crate) path: String,
    /// `None` at the end of the session.
    pub(crate) expires: Option<Timestamp>,
    /// The cookie comes from the cookie file.
    pub(crate) given: bool,
}

impl StoredCookie {
    /// The size of the cookie in a `Cookie` header: `name=value; `.
    pub(crate) fn size(&self) -> usize {
        self.name.len() + self.value.len() + 3
    }

    pub(crate) fn is_over(&self, now: Timestamp) -> bool {
        self.expires.is_some_and(|end| end <= now)
    }

    /// Returns whether the two cookies replace each other: the same name and path.
    pub(crate) fn replaces(&self, other: &StoredCookie) -> bool {
        self.name == other.name && self.path == other.path
    }

    /// Returns whether the cookie is for this path (RFC 6265, section 5.1.4).
    pub(crate) fn matches_path(&self, path: &str) -> bool {
        match path.strip_prefix(self.path.as_str()) {
            Some(rest) => rest.is_empty() || self.path.ends_with('/') || rest.starts_with('/'),
            None => false,
        }
    }
}

/// The URL that sets a cookie, in the parts that matter.
#[derive(Clone, Copy)]
pub(crate) struct Setter<'u> {
    pub(crate) host: &'u str,
    pub(crate) path: &'u str,
    pub(crate) https: bool,
}

/// Parses the cookie of a `Set-Cookie` value; `None` for one that browsers would not keep: malformed, too long, for
/// another host, `Secure` over a plain connection, or with a name prefix (RFC 6265bis, section 4.1.3) whose conditions
/// it does not meet.
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

/// The expiry: `Max-Age` takes precedence over `Expires`, in any order.
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

/// Returns whether the host is the domain or a subdomain of it (RFC 6265, section 5.1.3).
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

/// The default path of a cookie without one: the directory of the URL that sets it (RFC 6265, section 5.1.4).
fn default_path(path: &str) -> &str {
    match path.rsplit_once('/') {
        Some(("", _)) | None => "/",
        Some((directory, _)) => directory,
    }
}

#[cfg(test)]
mod tests;
