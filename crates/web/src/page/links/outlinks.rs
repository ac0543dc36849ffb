//! The links of one document before they are resolved: most of them are known to the crawl and need no parsing.

use crate::joiner::Joiner;
use crate::page::content::text::bounded;
use crate::page::facts::{Link, LinkKind, Region, Rel};
use crate::page::found::FoundLink;
use crate::page::limits::Limits;
use crate::page_url::UrlError;

/// The links of one document, and the joiner that resolves them.
#[derive(Debug)]
pub struct Outlinks<'t> {
    /// Links of the header, and of a refresh.
    pub resolved: Vec<Link>,
    /// Links of the document, in its order.
    pub written: Vec<WrittenLink<'t>>,
    /// Resolves the written links.
    pub joiner: Joiner<'t>,
    raw_bytes: usize,
}

/// A link as written.
#[derive(Debug)]
pub struct WrittenLink<'t>(FoundLink<'t>);

impl<'t> Outlinks<'t> {
    /// Keeps as many of both together as the limits allow; also returns true if some were left out.
    pub(in crate::page) fn new(
        resolved: Vec<Link>,
        found: Vec<FoundLink<'t>>,
        joiner: Joiner<'t>,
        limits: &Limits,
    ) -> (Self, bool) {
        let room = limits.links.saturating_sub(resolved.len());
        let cut = found.len() > room;
        let written = found.into_iter().take(room).map(WrittenLink).collect();
        (Outlinks { resolved, written, joiner, raw_bytes: limits.text_bytes }, cut)
    }

    /// Resolves all links, without those whose scheme is not crawled; also returns true if some exceeded the limit.
    #[must_use]
    pub fn resolve(self) -> (Vec<Link>, bool) {
        let Outlinks { mut resolved, written, joiner, raw_bytes } = self;
        resolved.extend(written.into_iter().filter_map(|link| link.0.resolve(&joiner, raw_bytes)));
        (resolved, joiner.is_full())
    }
}

impl WrittenLink<'_> {
    /// The reference, decoded and trimmed.
    #[must_use]
    pub fn href(&self) -> &str {
        &self.0.href
    }

    /// The kind of element.
    #[must_use]
    pub fn kind(&self) -> LinkKind {
        self.0.kind
    }

    /// The relevant `rel` tokens.
    #[must_use]
    pub fn rel(&self) -> Rel {
        self.0.rel
    }

    /// The region of the page.
    #[must_use]
    pub fn region(&self) -> Region {
        self.0.region
    }

    /// The fragment without `#`, unless it is empty.
    #[must_use]
    pub fn fragment(&self) -> Option<&str> {
        fragment(&self.0.href)
    }

    /// Its text, see [`Link::anchor`].
    #[must_use]
    pub fn anchor(&self) -> &str {
        &self.0.anchor
    }
}

impl FoundLink<'_> {
    /// Resolves the link; `None` if its scheme is not crawled or the size limit is reached. `raw_bytes` are kept of a
    /// reference that is no URL.
    pub(in crate::page) fn resolve(self, joiner: &Joiner<'_>, raw_bytes: usize) -> Option<Link> {
        let FoundLink { href, kind, rel, region, anchor } = self;
        let url = match joiner.join(&href) {
            Ok(url) => Some(url),
            Err(UrlError::NotHttp { .. } | UrlError::NoRoom) => return None,
            Err(_) => None,
        };
        let raw = url.is_none().then(|| bounded(&href, raw_bytes).to_owned());
        let fragment = fragment(&href).filter(|_| url.is_some()).map(str::to_owned);
        Some(Link { url, fragment, kind, rel, region, anchor: anchor.into_owned(), raw })
    }
}

fn fragment(href: &str) -> Option<&str> {
    let mark = memchr::memchr(b'#', href.as_bytes())?;
    href.get(mark + 1..).filter(|fragment| !fragment.is_empty())
}
