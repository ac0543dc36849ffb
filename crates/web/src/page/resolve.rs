//! From what was found to facts: references resolved, the page's own dates told from others'.

use super::facts::{Canonical, EncodingFrom, Hreflang, Link, LinkKind, PageFacts, Place, Refresh, Region, Rel};
use super::found::{Found, FoundLink, FoundRefresh, push};
use super::json_ld;
use super::limits::Limits;
use super::text::bounded;
use crate::page_url::{PageUrl, UrlError};
use encoding_rs::Encoding;
use url::Url;

/// How the references of a document are resolved.
pub(crate) struct Resolver<'l> {
    /// The page's own URL.
    page: &'l PageUrl,
    /// The document's base URL.
    base: Url,
    encoding: &'static Encoding,
    limits: &'l Limits,
}

/// A reference that was resolved.
pub(crate) enum Resolved {
    /// A page.
    Page(PageUrl),
    /// A URL of another scheme: `mailto:` and the like.
    Foreign,
    /// No URL.
    Broken,
}

impl<'l> Resolver<'l> {
    /// The resolver of a document without `base`, or of its header fields.
    pub(crate) fn new(page: &'l PageUrl, encoding: &'static Encoding, limits: &'l Limits) -> Self {
        Resolver { page, base: page.as_url().clone(), encoding, limits }
    }

    /// Takes the `href` of the first `base`, itself resolved against the page's URL (HTML 4.2.3).
    pub(crate) fn set_base(&mut self, href: &str) {
        if let Ok(base) = self.page.as_url().join(href)
            && !matches!(base.scheme(), "data" | "javascript")
        {
            self.base = base;
        }
    }

    pub(crate) fn resolve(&self, href: &str) -> Resolved {
        match PageUrl::join(&self.base, href, self.encoding, &self.limits.identity) {
            Ok(url) => Resolved::Page(url),
            Err(UrlError::NotHttp { .. }) => Resolved::Foreign,
            Err(_) => Resolved::Broken,
        }
    }

    /// The page, or nothing if it is none.
    pub(crate) fn page(&self, href: &str) -> Option<PageUrl> {
        match self.resolve(href) {
            Resolved::Page(url) => Some(url),
            Resolved::Foreign | Resolved::Broken => None,
        }
    }

    pub(crate) fn canonical(&self, href: &str, place: Place) -> Canonical {
        Canonical {
            url: self.page(href),
            raw: bounded(href, self.limits.text_bytes).to_owned(),
            place,
            relative: matches!(Url::parse(href), Err(url::ParseError::RelativeUrlWithoutBase)),
        }
    }

    /// The link, or nothing where its scheme is none that is crawled.
    pub(crate) fn link(&self, found: FoundLink<'_>) -> Option<Link> {
        let FoundLink { href, kind, rel, region, anchor } = found;
        let (url, raw) = match self.resolve(&href) {
            Resolved::Page(url) => (Some(url), None),
            Resolved::Broken => (None, Some(bounded(&href, self.limits.text_bytes).to_owned())),
            Resolved::Foreign => return None,
        };
        let fragment = href.split_once('#').map(|(_, fragment)| fragment).filter(|fragment| !fragment.is_empty());
        let fragment = fragment.filter(|_| url.is_some()).map(str::to_owned);
        Some(Link { url, fragment, kind, rel, region, anchor, raw })
    }

    /// The refresh, unless it only reloads the page.
    pub(crate) fn refresh(&self, found: FoundRefresh) -> Option<Refresh> {
        let target = found.target?;
        let url = self.page(&target);
        let elsewhere = url.as_ref() != Some(self.page);
        elsewhere.then_some(Refresh { seconds: found.seconds, url, place: found.place })
    }
}

/// Adds what a document holds to the facts of its header.
pub(crate) fn document(facts: &mut PageFacts, found: Found<'_>, resolver: &Resolver<'_>, from: EncodingFrom) {
    let limits = resolver.limits;
    facts.cut |= found.cut;
    let cut = &mut facts.cut;
    for (href, place) in &found.canonicals {
        push(&mut facts.canonicals, resolver.canonical(href, *place), limits.annotations, cut);
    }
    for directives in found.directives {
        push(&mut facts.directives, directives, limits.annotations, cut);
    }
    for item in found.hreflang {
        let alternate = Hreflang { url: resolver.page(&item.href), code: item.code, place: item.place };
        push(&mut facts.hreflang, alternate, limits.annotations, cut);
    }
    for link in found.links.into_iter().filter_map(|link| resolver.link(link)) {
        push(&mut facts.links, link, limits.links, cut);
    }
    facts.dates = found.dates;
    facts.dates.extend(json_ld::dates(&found.json_ld, &facts.canonicals, resolver.page, limits));
    facts.dates.sort_by_key(|date| date.from);
    facts.title = found.title;
    facts.description = found.description;
    facts.language = found.language;
    facts.headings = found.headings;
    facts.ids = found.ids;
    facts.blocks = found.blocks.into_hashes();
    facts.encoding = resolver.encoding.name().to_owned();
    facts.encoding_from = from;
    facts.text_bytes = u32::try_from(found.text_bytes).unwrap_or(u32::MAX);
    facts.scripts = found.scripts;
}

/// A refresh of one second or more is a link to its target; a faster one is a redirect.
pub(crate) fn refresh_link(refresh: &Refresh) -> Option<Link> {
    let url = refresh.url.clone().filter(|_| refresh.seconds >= 1)?;
    Some(Link {
        url: Some(url),
        fragment: None,
        kind: LinkKind::Refresh,
        rel: Rel::default(),
        region: if refresh.place == Place::Body { Region::Body } else { Region::Head },
        anchor: String::new(),
        raw: None,
    })
}
