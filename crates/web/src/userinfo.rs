//! Credentials in the text of a start URL, removed before other code sees them.

use crate::percent;
use std::fmt;

/// A user name and a password in a URL, percent-decoded.
#[derive(Clone, PartialEq, Eq)]
pub struct Userinfo {
    /// The part before the first `:`.
    pub user: String,
    /// The part after it, empty if there is none.
    pub password: String,
}

impl fmt::Debug for Userinfo {
    /// Shows neither part: either may be a token.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Userinfo(hidden)")
    }
}

/// Splits `user:password@` off the text of a URL, with or without a scheme; returns the text without it.
///
/// The authority is found as in the URL standard: after the scheme and any number of slashes or backslashes, up to the
/// next of `/ \ ? #`; its last `@` ends the credentials. A `mailto:` address has none.
#[must_use]
pub fn split_userinfo(text: &str) -> (String, Option<Userinfo>) {
    let text = text.trim();
    let (before, rest) = text.split_at_checked(authority_start(text)).unwrap_or((text, ""));
    let end = rest.find(['/', '\\', '?', '#']).unwrap_or(rest.len());
    let (authority, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
    let Some((credentials, host)) = authority.rsplit_once('@') else {
        return (text.to_owned(), None);
    };
    let (user, password) = credentials.split_once(':').unwrap_or((credentials, ""));
    let found = Userinfo { user: decode(user), password: decode(password) };
    let stands = !(found.user.is_empty() && found.password.is_empty());
    (format!("{before}{host}{after}"), stands.then_some(found))
}

/// The start of the authority: after the scheme and its slashes, or at the start of a text without a scheme.
fn authority_start(text: &str) -> usize {
    let has_scheme = |scheme: &str| text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
    let after_scheme = match () {
        () if has_scheme("https:") => "https:".len(),
        () if has_scheme("http:") => "http:".len(),
        () if has_scheme("mailto:") => return text.len(),
        () => text.find("://").map_or(0, |at| at + 1),
    };
    let rest = text.get(after_scheme..).unwrap_or("");
    after_scheme + rest.len() - rest.trim_start_matches(['/', '\\']).len()
}

fn decode(text: &str) -> String {
    String::from_utf8_lossy(&percent::decoded(text.as_bytes())).into_owned()
}
