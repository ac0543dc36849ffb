//! Cookie files in Netscape's format, as browsers' export tools and curl write them.

use std::fmt;

use jiff::Timestamp;

/// Maximum number of cookies of a file.
const MAX_COOKIES: usize = 10_000;

/// One line of a cookie file. Its `Debug` text leaves the value out.
#[derive(Clone, PartialEq, Eq)]
pub struct Cookie {
    /// The host that the cookie belongs to, in lower case, without a leading dot.
    pub domain: String,
    /// The cookie is for subdomains of `domain` too.
    pub subdomains: bool,
    /// The path that the cookie is for, including everything below it.
    pub path: String,
    /// The cookie is for https only.
    pub secure: bool,
    /// The expiry; `None` means the end of the session.
    pub expires: Option<Timestamp>,
    /// Its name.
    pub name: String,
    /// Its value: a secret.
    pub value: String,
}

impl Cookie {
    /// Returns whether the cookie is for this host, whatever the path (RFC 6265, section 5.1.3).
    pub fn matches_host(&self, host: &str) -> bool {
        let host = host.trim_end_matches('.').to_ascii_lowercase();
        let below = || host.strip_suffix(&self.domain).is_some_and(|rest| rest.ends_with('.'));
        host == self.domain || (self.subdomains && below())
    }
}

impl fmt::Debug for Cookie {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cookie({} for {}{})", self.name, self.domain, self.path)
    }
}

/// An error in a line of a cookie file. The message has the line's number, never its text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} of the cookie file {why}")]
pub struct CookieFileError {
    /// The line's number, from 1.
    pub line: usize,
    /// The reason.
    pub why: &'static str,
}

/// Reads a cookie file with seven tab-separated fields per line: domain, subdomains, path, secure, expiry in seconds of
/// Unix time or 0, name, value. Blank lines and comments (`#`) are skipped; `#HttpOnly_` before the domain is a mark,
/// not a comment.
///
/// # Errors
/// The first line that is not a cookie, blank or a comment; or more than 10,000 cookies.
pub fn parse_cookie_file(text: &str) -> Result<Vec<Cookie>, CookieFileError> {
    let mut cookies = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim_start_matches('\u{feff}').trim_end_matches('\r');
        let line = line.strip_prefix("#HttpOnly_").unwrap_or(line);
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let at = |why| CookieFileError { line: number, why };
        if cookies.len() == MAX_COOKIES {
            return Err(at("is one cookie too many: 10,000 are read at most"));
        }
        cookies.push(parse_line(line).map_err(at)?);
    }
    Ok(cookies)
}

fn parse_line(line: &str) -> Result<Cookie, &'static str> {
    let mut fields = line.split('\t');
    let mut next = || fields.next().ok_or("has fewer than seven fields, which tabs separate");
    let (domain, subdomains, path, secure, expires, name) = (next()?, next()?, next()?, next()?, next()?, next()?);
    // Editors that trim lines remove the last tab of a cookie without a value.
    let value = fields.next().unwrap_or_default();
    if fields.next().is_some() {
        return Err("has more than seven fields");
    }
    if name.is_empty() || domain.is_empty() {
        return Err("names no cookie or no domain");
    }
    Ok(Cookie {
        domain: domain.trim_start_matches('.').to_ascii_lowercase(),
        subdomains: flag(subdomains)?,
        path: if path.starts_with('/') { path.to_owned() } else { "/".to_owned() },
        secure: flag(secure)?,
        expires: expiry(expires)?,
        name: name.to_owned(),
        value: value.to_owned(),
    })
}

fn flag(field: &str) -> Result<bool, &'static str> {
    match field.to_ascii_uppercase().as_str() {
        "TRUE" => Ok(true),
        "FALSE" => Ok(false),
        _ => Err("has something else than TRUE or FALSE in its second or fourth field"),
    }
}

/// Parses seconds since 1970, which some tools write with a fraction; 0 is a session cookie.
fn expiry(field: &str) -> Result<Option<Timestamp>, &'static str> {
    let year = field.split('.').next().unwrap_or(field);
    let seconds: i64 = year.parse().map_err(|_| "has no number of seconds in its fifth field")?;
    if seconds <= 0 {
        return Ok(None);
    }
    // A time beyond the end of the calendar counts as the end.
    Ok(Some(Timestamp::from_second(seconds).unwrap_or(Timestamp::MAX)))
}

#[cfg(test)]
mod tests;
