//! The references of one document, resolved without parsing where that surely gives the same.

use crate::page_url::{Identity, PageUrl, UrlError};
use crate::tracking::Remaining;
use encoding_rs::{Encoding, UTF_8};
use memchr::{memchr, memchr2};
use url::{Position, Url};

/// Resolves the references of one document: knows its base URL, its encoding and the rules of identity.
#[derive(Debug, Clone)]
pub struct Joiner<'i> {
    base: Url,
    encoding: &'static Encoding,
    identity: &'i Identity,
    /// Where the parts of the base end, if it is canonical itself.
    ends: Option<Ends>,
}

/// Lengths of the beginnings of the base's text.
#[derive(Debug, Clone, Copy)]
struct Ends {
    origin: usize,
    /// The path up to its last `/`.
    directory: usize,
    path: usize,
    query: usize,
}

impl<'i> Joiner<'i> {
    /// The joiner of a document at `page` that names no other base.
    #[must_use]
    pub fn new(page: &PageUrl, encoding: &'static Encoding, identity: &'i Identity) -> Self {
        let base = page.as_url().clone();
        let ends = ends(&base, identity);
        Joiner { base, encoding, identity, ends }
    }

    /// The joiner of a document whose base is `base`.
    #[must_use]
    pub fn with_base(base: Url, encoding: &'static Encoding, identity: &'i Identity) -> Self {
        let canonical = PageUrl::join(&base, "", UTF_8, identity);
        let is_canonical = canonical.is_ok_and(|url| base[..Position::AfterQuery] == *url.as_str());
        let ends = if is_canonical { ends(&base, identity) } else { None };
        Joiner { base, encoding, identity, ends }
    }

    /// The encoding of the document.
    #[must_use]
    pub fn encoding(&self) -> &'static Encoding {
        self.encoding
    }

    /// Resolves a reference.
    ///
    /// # Errors
    /// See [`UrlError`].
    pub fn join(&self, href: &str) -> Result<PageUrl, UrlError> {
        PageUrl::join(&self.base, href, self.encoding, self.identity)
    }

    /// Writes to `text` what [`Joiner::join`] would give, if that can be told without parsing. It can where the
    /// reference is made of characters that stay as they are, and its scheme and host, if any, are written as the base's.
    #[must_use]
    pub fn write(&self, href: &str, text: &mut String) -> bool {
        text.clear();
        let Some((front, path, query)) = self.parts(href) else { return false };
        text.push_str(front);
        text.push_str(path);
        if let Some(query) = query {
            text.push('?');
            text.push_str(query);
        }
        true
    }

    /// The part of the base that stays, and the path and query that follow it.
    fn parts<'t>(&'t self, href: &'t str) -> Option<(&'t str, &'t str, Option<&'t str>)> {
        let ends = self.ends.as_ref()?;
        let (href, _) = cut(href, b'#');
        let (path, query) = cut(href, b'?');
        if !query.is_none_or(|query| self.keeps(query)) {
            return None;
        }
        let front = |end: usize| self.base.as_str().get(..end);
        if path.is_empty() {
            let end = if query.is_some() { ends.path } else { ends.query };
            return Some((front(end)?, "", query));
        }
        let origin = front(ends.origin)?;
        let absolute = if path.starts_with('/') { Some(path) } else { path.strip_prefix(origin) };
        let (front, rest) = match absolute {
            Some(rest) if rest.starts_with('/') => (origin, rest),
            Some(_) => return None,
            None => relative(front(ends.directory)?, ends.origin, path)?,
        };
        // A path of two slashes would name a host.
        let names_host = path.starts_with("//");
        (!names_host && is_plain_path(rest.as_bytes())).then_some((front, rest, query))
    }

    /// Whether a query stays as it is.
    fn keeps(&self, query: &str) -> bool {
        let encoding = self.encoding.output_encoding();
        query.bytes().all(stays_in_query)
            && (encoding == UTF_8 || encoding.is_ascii_compatible())
            && self.identity.remaining(query) == Remaining::All
    }
}

/// Where the parts of a canonical base end; `None` where an empty reference would not give the base again.
fn ends(base: &Url, identity: &Identity) -> Option<Ends> {
    if !base.query().is_none_or(|query| identity.remaining(query) == Remaining::All) {
        return None;
    }
    let origin = base[..Position::BeforePath].len();
    let path = base[..Position::AfterPath].len();
    let directory = base.path().rfind('/').map(|at| origin + at + 1)?;
    Some(Ends { origin, directory, path, query: base[..Position::AfterQuery].len() })
}

/// What stands before the first `mark` and, if there is one, after it.
fn cut(text: &str, mark: u8) -> (&str, Option<&str>) {
    let Some(at) = memchr(mark, text.as_bytes()) else { return (text, None) };
    text.split_at_checked(at).map_or((text, None), |(before, after)| (before, after.get(1..)))
}

/// The directory that a relative path starts from, `./` and `../` in front of it followed, and what follows them.
fn relative<'t>(directory: &'t str, origin: usize, path: &'t str) -> Option<(&'t str, &'t str)> {
    let mark = memchr2(b'/', b':', path.as_bytes());
    if mark.and_then(|at| path.as_bytes().get(at)) == Some(&b':') {
        // May be a scheme.
        return None;
    }
    let (mut directory, mut rest) = (directory, path);
    loop {
        if let Some(after) = rest.strip_prefix("../") {
            directory = parent(directory, origin);
            rest = after;
        } else if let Some(after) = rest.strip_prefix("./") {
            rest = after;
        } else {
            break;
        }
    }
    (!rest.starts_with(['/', '.'])).then_some((directory, rest))
}

/// The directory above; the root is its own.
fn parent(directory: &str, origin: usize) -> &str {
    let above = directory.strip_suffix('/').and_then(|inner| inner.get(..=inner.rfind('/')?));
    above.filter(|above| above.len() > origin).unwrap_or(directory)
}

/// Whether a path stays as it is: plain characters, and no segment that starts with a dot.
fn is_plain_path(path: &[u8]) -> bool {
    let dotted = path.iter().zip(path.iter().skip(1)).fold(false, |dotted, pair| dotted | (pair == (&b'/', &b'.')));
    !dotted && path.iter().fold(true, |all, byte| all & stays_in_path(*byte))
}

/// Whether a character of a path stays as it is: unreserved characters and delimiters (RFC 3986 2.2 and 2.3) that neither
/// the URL standard nor the canonical form escapes or decodes. (By comparisons, which the compiler makes of many bytes at once.)
fn stays_in_path(byte: u8) -> bool {
    matches!(byte, b'!' | b'$' | b'&'..=b';' | b'=' | b'@'..=b'Z' | b'_' | b'a'..=b'z' | b'~')
}

/// Whether a character of a query stays as it is.
fn stays_in_query(byte: u8) -> bool {
    byte == b'?' || stays_in_path(byte) && byte != b'\''
}
