//! Resolves the references of one document; those that lead to known URLs are recognized without parsing.

use crate::page_url::{PageUrl, UrlError, UrlIdentity};
use crate::tracking::Remaining;
use encoding_rs::{Encoding, UTF_8};
use memchr::{memchr, memchr3, memrchr};
use std::cell::Cell;
use url::{Position, Url};

/// Resolves the references of one document by its base URL, its encoding and the rules of identity.
#[derive(Debug, Clone)]
pub struct Joiner<'i> {
    base: Url,
    encoding: &'static Encoding,
    identity: &'i UrlIdentity,
    /// The component lengths of the base, if it is canonical.
    prefix_lengths: Option<PrefixLengths>,
    /// The number of bytes left for URLs; none once a URL exceeded it.
    room: Cell<Option<usize>>,
}

/// The lengths of prefixes of the base's text.
#[derive(Debug, Clone, Copy)]
struct PrefixLengths {
    origin: usize,
    /// The path up to its last `/`.
    directory: usize,
    path: usize,
    query: usize,
}

impl<'i> Joiner<'i> {
    /// The joiner of a document at `page` without another base.
    #[must_use]
    pub fn new(page: &PageUrl, encoding: &'static Encoding, identity: &'i UrlIdentity) -> Self {
        let base = page.as_url().clone();
        let prefix_lengths = prefix_lengths(&base, identity);
        Joiner { base, encoding, identity, prefix_lengths, room: Cell::new(Some(usize::MAX)) }
    }

    /// The joiner of a document whose base is `base`.
    #[must_use]
    pub fn with_base(base: Url, encoding: &'static Encoding, identity: &'i UrlIdentity) -> Self {
        let canonical = PageUrl::join(&base, "", UTF_8, identity);
        let is_canonical = canonical.is_ok_and(|url| base[..Position::AfterQuery] == *url.as_str());
        let prefix_lengths = if is_canonical { prefix_lengths(&base, identity) } else { None };
        Joiner { base, encoding, identity, prefix_lengths, room: Cell::new(Some(usize::MAX)) }
    }

    /// Limits the total bytes of the URLs: a long base would make gigabytes of a small page.
    #[must_use]
    pub fn with_room(self, bytes: usize) -> Self {
        Joiner { room: Cell::new(Some(bytes)), ..self }
    }

    /// Returns true if a URL exceeded the limit; every later URL is refused then.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.room.get().is_none()
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
        if self.is_full() {
            return Err(UrlError::NoRoom);
        }
        self.within_limit(PageUrl::join(&self.base, href, self.encoding, self.identity)?)
    }

    /// Returns the URL if it is within the limit.
    pub(crate) fn within_limit(&self, url: PageUrl) -> Result<PageUrl, UrlError> {
        let left = self.room.get().and_then(|room| room.checked_sub(url.as_str().len()));
        self.room.set(left);
        left.map(|_| url).ok_or(UrlError::NoRoom)
    }

    /// Writes the URL of a reference to `text`. If the reference is written canonically, the result is that of
    /// [`Joiner::join`]. Otherwise `text` is not a canonical URL, so that a lookup among canonical texts finds nothing.
    /// Returns false if there is nothing to look up.
    ///
    /// No check is needed: a canonical URL equals its own parse, and contains no white space, dot segment, backslash,
    /// raw character or dropped parameter that would change the meaning of a reference.
    #[must_use]
    pub fn write_canonical_candidate(&self, href: &str, text: &mut String) -> bool {
        text.clear();
        let href = before(href, b'#');
        if href.starts_with("http://") || href.starts_with("https://") {
            text.push_str(href);
            return true;
        }
        if href.starts_with("//") {
            text.extend([self.base.scheme(), ":", href]);
            return true;
        }
        let Some((front, rest)) = self.parts(href) else { return false };
        text.push_str(front);
        text.push_str(rest);
        true
    }

    /// The part of the base that stays, and the text that follows it.
    fn parts<'t>(&'t self, href: &'t str) -> Option<(&'t str, &'t str)> {
        let prefix_lengths = self.prefix_lengths.as_ref()?;
        let front = |end: usize| self.base.as_str().get(..end);
        match href.as_bytes().first() {
            None => Some((front(prefix_lengths.query)?, href)),
            Some(b'?') => Some((front(prefix_lengths.path)?, href)),
            Some(b'/') => Some((front(prefix_lengths.origin)?, href)),
            Some(_) => relative(front(prefix_lengths.directory)?, prefix_lengths.origin, href),
        }
    }
}

/// The component lengths of a canonical base; `None` if an empty reference would not resolve to the base itself.
fn prefix_lengths(base: &Url, identity: &UrlIdentity) -> Option<PrefixLengths> {
    if !base.query().is_none_or(|query| identity.remaining(query) == Remaining::All) {
        return None;
    }
    let origin = base[..Position::BeforePath].len();
    let path = base[..Position::AfterPath].len();
    let directory = base.path().rfind('/').map(|at| origin + at + 1)?;
    Some(PrefixLengths { origin, directory, path, query: base[..Position::AfterQuery].len() })
}

/// The text before the first `mark`, or the entire text.
fn before(text: &str, mark: u8) -> &str {
    memchr(mark, text.as_bytes()).and_then(|at| text.get(..at)).unwrap_or(text)
}

/// The directory that a relative path starts from, after its leading `./` and `../`, and the rest of the path.
fn relative<'t>(directory: &'t str, origin: usize, path: &'t str) -> Option<(&'t str, &'t str)> {
    let mark = memchr3(b'/', b':', b'?', path.as_bytes());
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
    Some((directory, rest))
}

/// The parent directory; the root is its own.
fn parent(directory: &str, origin: usize) -> &str {
    let above = directory.strip_suffix('/').and_then(|inner| inner.get(..=memrchr(b'/', inner.as_bytes())?));
    above.filter(|above| above.len() > origin).unwrap_or(directory)
}
