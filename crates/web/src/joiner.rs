//! The references of one document, told without parsing where they lead to URLs that are known.

use crate::page_url::{Identity, PageUrl, UrlError};
use crate::tracking::Remaining;
use encoding_rs::{Encoding, UTF_8};
use memchr::{memchr, memchr3, memrchr};
use std::cell::Cell;
use url::{Position, Url};

/// Resolves the references of one document: knows its base URL, its encoding and the rules of identity.
#[derive(Debug, Clone)]
pub struct Joiner<'i> {
    base: Url,
    encoding: &'static Encoding,
    identity: &'i Identity,
    /// Where the parts of the base end, if it is canonical itself.
    ends: Option<Ends>,
    /// Bytes of URLs that may still be made; none once one was too much.
    room: Cell<Option<usize>>,
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
        Joiner { base, encoding, identity, ends, room: Cell::new(Some(usize::MAX)) }
    }

    /// The joiner of a document whose base is `base`.
    #[must_use]
    pub fn with_base(base: Url, encoding: &'static Encoding, identity: &'i Identity) -> Self {
        let canonical = PageUrl::join(&base, "", UTF_8, identity);
        let is_canonical = canonical.is_ok_and(|url| base[..Position::AfterQuery] == *url.as_str());
        let ends = if is_canonical { ends(&base, identity) } else { None };
        Joiner { base, encoding, identity, ends, room: Cell::new(Some(usize::MAX)) }
    }

    /// The same, with room for URLs of so many bytes in all: a long base would make gigabytes of a small page.
    #[must_use]
    pub fn with_room(self, bytes: usize) -> Self {
        Joiner { room: Cell::new(Some(bytes)), ..self }
    }

    /// Whether there was no room for a URL; there is none for any other then.
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
        self.hold(PageUrl::join(&self.base, href, self.encoding, self.identity)?)
    }

    /// Gives a URL if there is room for it.
    pub(crate) fn hold(&self, url: PageUrl) -> Result<PageUrl, UrlError> {
        let left = self.room.get().and_then(|room| room.checked_sub(url.as_str().len()));
        self.room.set(left);
        left.map(|_| url).ok_or(UrlError::NoRoom)
    }

    /// Writes to `text` the URL that a reference leads to, if that is spelt canonically: then it is what [`Joiner::join`]
    /// gives. If it is not, `text` is no canonical URL, so that who asks for it among canonical texts finds nothing.
    /// False where there is nothing to ask for.
    ///
    /// Nothing is checked, and nothing need be: a canonical URL is its own parse, and holds no blank, dot segment,
    /// backslash, raw character or dropped parameter by which a reference would come to mean something else.
    #[must_use]
    pub fn spell(&self, href: &str, text: &mut String) -> bool {
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

    /// The part of the base that stays, and what follows it.
    fn parts<'t>(&'t self, href: &'t str) -> Option<(&'t str, &'t str)> {
        let ends = self.ends.as_ref()?;
        let front = |end: usize| self.base.as_str().get(..end);
        match href.as_bytes().first() {
            None => Some((front(ends.query)?, href)),
            Some(b'?') => Some((front(ends.path)?, href)),
            Some(b'/') => Some((front(ends.origin)?, href)),
            Some(_) => relative(front(ends.directory)?, ends.origin, href),
        }
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

/// What stands before the first `mark`, if there is one.
fn before(text: &str, mark: u8) -> &str {
    memchr(mark, text.as_bytes()).and_then(|at| text.get(..at)).unwrap_or(text)
}

/// The directory that a relative path starts from, `./` and `../` in front of it followed, and what follows them.
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

/// The directory above; the root is its own.
fn parent(directory: &str, origin: usize) -> &str {
    let above = directory.strip_suffix('/').and_then(|inner| inner.get(..=memrchr(b'/', inner.as_bytes())?));
    above.filter(|above| above.len() > origin).unwrap_or(directory)
}
