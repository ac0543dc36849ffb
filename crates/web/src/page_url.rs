//! The URL of a page, canonical by construction.

pub use crate::tracking::UrlIdentity;
pub use crate::userinfo::{Userinfo, split_userinfo};

use crate::percent::{self, AsciiSet};
use crate::query_encoding;
use crate::tracking::Remaining;
use encoding_rs::Encoding;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use url::{Host, ParseError, Position, Url};

/// An absolute http or https URL in the canonical form of all its equivalents.
///
/// It is parsed by the URL standard; then fragment and credentials are dropped; in path and query, escapes of
/// unreserved characters (RFC 3986 2.3) are decoded, the hex digits of others are in upper case, and characters that
/// RFC 3986 does not allow but the URL standard leaves raw (`|`, `^`, backtick, braces, square brackets, `\`, a `%`
/// without two hex digits) are escaped; the parameters that [`UrlIdentity`] names are dropped. The rest is unchanged.
/// The text is ASCII, and parsing it again returns the same URL.
///
/// A URL is held in several places at once (a link, its target, a task), so clones share one text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PageUrl(Arc<Url>);

/// The reason why a text is not the URL of a page.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UrlError {
    /// The text is empty or blank.
    #[error("an empty text is no URL; give one such as https://example.com/")]
    Empty,
    /// The URL standard cannot parse it.
    #[error("not a URL: {reason}; give one such as https://example.com/")]
    NotAUrl {
        /// The parser's reason.
        reason: ParseError,
    },
    /// The URL is not fetched over HTTP.
    #[error("the scheme `{scheme}` is not crawled, only http and https are")]
    NotHttp {
        /// The scheme, lower case.
        scheme: String,
    },
    /// A URL without a host.
    #[error("the URL names no host; give one such as https://example.com/")]
    NoHost,
    /// A reference of a page whose resolved URLs are too long in total, see [`crate::page::Limits::resolved_bytes`].
    #[error("the page's links lead to URLs that are too long together")]
    NoRoom,
}

impl From<ParseError> for UrlError {
    fn from(reason: ParseError) -> Self {
        match reason {
            ParseError::EmptyHost => UrlError::NoHost,
            reason => UrlError::NotAUrl { reason },
        }
    }
}

impl PageUrl {
    /// Parses an absolute URL; surrounding white space, and tabs and line ends in it, are dropped as in browsers.
    ///
    /// # Errors
    /// See [`UrlError`].
    pub fn parse(text: &str, identity: &UrlIdentity) -> Result<PageUrl, UrlError> {
        if text.trim().is_empty() {
            return Err(UrlError::Empty);
        }
        canonical(Url::parse(text)?, identity)
    }

    /// Parses a URL from a record, which is canonical, so that no parameter is dropped. `None` if it is invalid.
    #[must_use]
    pub fn recorded(text: &str) -> Option<PageUrl> {
        let url = Url::parse(text).ok()?;
        let is_canonical = url.as_str() == text
            && matches!(url.scheme(), "http" | "https")
            && url.has_host()
            && url[..Position::BeforeHost].ends_with("://")
            && url.fragment().is_none();
        if is_canonical { Some(PageUrl(Arc::new(url))) } else { canonical(url, &UrlIdentity::keep_all()).ok() }
    }

    /// Resolves `href` against `base` as in a document in `encoding`: its query is read in that encoding (URL standard,
    /// percent-encode after encoding), its path in UTF-8. An empty `href` is the base itself.
    ///
    /// # Errors
    /// See [`UrlError`].
    pub fn join(
        base: &Url,
        href: &str,
        encoding: &'static Encoding,
        identity: &UrlIdentity,
    ) -> Result<PageUrl, UrlError> {
        canonical(resolve(base, href, encoding)?, identity)
    }

    /// The parsed URL.
    #[must_use]
    pub fn as_url(&self) -> &Url {
        &self.0
    }

    /// The canonical text, ASCII.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The text up to the path.
    pub(crate) fn origin_text(&self) -> &str {
        &self.0[..Position::BeforePath]
    }

    /// The host: punycode or an address, IPv6 in brackets, with a trailing dot if it has one.
    #[must_use]
    pub fn host(&self) -> &str {
        self.0.host_str().unwrap_or_default()
    }

    /// `http` or `https`.
    #[must_use]
    pub fn scheme(&self) -> &str {
        self.0.scheme()
    }

    /// The path, from its first `/`.
    #[must_use]
    pub fn path(&self) -> &str {
        self.0.path()
    }

    /// The query without its `?`; a lone `?` is an empty one.
    #[must_use]
    pub fn query(&self) -> Option<&str> {
        self.0.query()
    }

    /// The text from the path on: the target of a request, and the text that robots rules match.
    #[must_use]
    pub fn path_and_query(&self) -> &str {
        &self.0[Position::BeforePath..]
    }

    /// The length of the text in characters.
    #[must_use]
    pub fn chars(&self) -> usize {
        // Canonical text is ASCII: one octet per character.
        self.as_str().len()
    }

    /// The path up to and including its last `/`.
    #[must_use]
    pub fn directory(&self) -> &str {
        let path = self.path();
        path.rfind('/').and_then(|at| path.get(..=at)).unwrap_or("/")
    }

    /// Another resource of the same origin, such as `/robots.txt`. A fragment is dropped; a missing leading `/` is
    /// added.
    #[must_use]
    pub fn with_path(&self, path_and_query: &str) -> PageUrl {
        let text = path_and_query.split_once('#').map_or(path_and_query, |(text, _)| text);
        let (path, query) = text.split_once('?').map_or((text, None), |(path, query)| (path, Some(query)));
        let mut url = Url::clone(&self.0);
        url.set_path(path);
        url.set_query(query);
        escape(&mut url);
        PageUrl(Arc::new(url))
    }

    /// The registrable domain by the public suffix list. An address, a single label and a public suffix are returned
    /// unchanged.
    #[must_use]
    pub fn registrable_domain(&self) -> &str {
        match self.0.host() {
            Some(Host::Domain(name)) => psl::domain_str(name).unwrap_or(name),
            _ => self.host(),
        }
    }
}

/// Resolves a reference in a document in `encoding`, as [`PageUrl::join`] does, to a URL of any scheme.
pub(crate) fn resolve(base: &Url, href: &str, encoding: &'static Encoding) -> Result<Url, ParseError> {
    Url::options()
        .base_url(Some(base))
        .encoding_override(Some(&|query| query_encoding::encode(query, encoding)))
        .parse(&without_spare_slashes(base, href))
}

/// A reference without the slashes before its host that exceed two. The URL standard skips them ("special authority
/// ignore slashes state"); the crate `url` does so only after a scheme.
fn without_spare_slashes<'h>(base: &Url, href: &'h str) -> Cow<'h, str> {
    let trimmed = href.trim_start_matches(|c| c <= ' ');
    if !trimmed.starts_with(['/', '\\']) || !matches!(base.scheme(), "http" | "https") {
        return Cow::Borrowed(href);
    }
    // Tabs and line ends are dropped anywhere.
    let authority = trimmed.trim_start_matches(['/', '\\', '\t', '\n', '\r']);
    let in_front = trimmed.bytes().take(trimmed.len() - authority.len());
    let slashes = in_front.filter(|byte| matches!(byte, b'/' | b'\\')).count();
    if slashes > 2 { Cow::Owned(format!("//{authority}")) } else { Cow::Borrowed(href) }
}

/// Makes a parsed URL canonical.
fn canonical(mut url: Url, identity: &UrlIdentity) -> Result<PageUrl, UrlError> {
    if !matches!(url.scheme(), "http" | "https") {
        return Err(UrlError::NotHttp { scheme: url.scheme().to_owned() });
    }
    if !url.has_host() {
        return Err(UrlError::NoHost);
    }
    url.set_fragment(None);
    // Neither fails: the URL has a host.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    escape(&mut url);
    match url.query().map(|query| identity.remaining(query)) {
        Some(Remaining::Some(rest)) => url.set_query(Some(&rest)),
        Some(Remaining::Nothing) => url.set_query(None),
        Some(Remaining::All) | None => {}
    }
    Ok(PageUrl(Arc::new(url)))
}

/// Converts path and query to the normal form of [`percent`]. The parser has already removed dot segments, escaped ones
/// included, so decoding creates no new ones.
fn escape(url: &mut Url) {
    if let Some(path) = percent::normalised(url.path().as_bytes(), AsciiSet::NEVER_RAW) {
        url.set_path(&path);
    }
    if let Some(query) = url.query().and_then(|query| percent::normalised(query.as_bytes(), AsciiSet::NEVER_RAW)) {
        url.set_query(Some(&query));
    }
}

impl TryFrom<String> for PageUrl {
    type Error = UrlError;

    /// Parses a canonical text: no parameter is dropped.
    fn try_from(text: String) -> Result<Self, UrlError> {
        PageUrl::parse(&text, &UrlIdentity::keep_all())
    }
}

impl From<PageUrl> for String {
    fn from(url: PageUrl) -> String {
        url.as_str().to_owned()
    }
}

impl fmt::Display for PageUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for PageUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PageUrl({})", self.as_str())
    }
}
