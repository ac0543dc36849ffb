//! The links of one document before they are resolved: most of a crawl's are known by then, and need no more.

use super::facts::{Link, LinkKind, Region, Rel};
use super::found::FoundLink;
use super::limits::Limits;
use super::text::bounded;
use crate::joiner::Joiner;
use crate::page_url::UrlError;

/// The links of one document, and how its references are resolved.
#[derive(Debug)]
pub struct Outlinks<'t> {
    /// Links of the header, and of a refresh.
    pub resolved: Vec<Link>,
    /// Links of the document, in its order.
    pub written: Vec<WrittenLink<'t>>,
    /// Resolves them.
    pub joiner: Joiner<'t>,
    raw_bytes: usize,
}

/// A link as written.
#[derive(Debug)]
pub struct WrittenLink<'t>(FoundLink<'t>);

impl<'t> Outlinks<'t> {
    /// Both together at most as many as the limits allow; gives also whether some were left out.
    pub(super) fn new(
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

    /// All links resolved, those left out whose scheme is none that is crawled; and whether there was no room for some.
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

    /// What element gave it.
    #[must_use]
    pub fn kind(&self) -> LinkKind {
        self.0.kind
    }

    /// `rel` tokens that matter.
    #[must_use]
    pub fn rel(&self) -> Rel {
        self.0.rel
    }

    /// The region of the page that it stands in.
    #[must_use]
    pub fn region(&self) -> Region {
        self.0.region
    }

    /// The fragment without `#`, if there is one that is not empty.
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
    /// The link, or nothing where its scheme is none that is crawled or there is no room for it. `raw_bytes` are kept of a
    /// reference that is no URL.
    pub(super) fn resolve(self, joiner: &Joiner<'_>, raw_bytes: usize) -> Option<Link> {
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
