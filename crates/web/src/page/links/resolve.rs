//! Converts scan results to facts: resolves references, and selects the page's own dates.

use crate::joiner::Joiner;
use crate::page::content::text::bounded;
use crate::page::dates::json_ld;
use crate::page::facts::{
    Canonical, EncodingFrom, FactLocation, Hreflang, Link, LinkKind, MarkupCounts, PageFacts, Refresh, Region, Rel,
};
use crate::page::found::{Found, FoundLink, FoundRefresh, push};
use crate::page::limits::{Limits, RESOLVED_PER_BYTE};
use crate::page_url::{PageUrl, resolve};
use encoding_rs::Encoding;
use url::Url;

/// Resolves the references of a document.
pub(crate) struct Resolver<'l> {
    /// The page's own URL.
    page: &'l PageUrl,
    joiner: Joiner<'l>,
    limits: &'l Limits,
    /// The maximum total size of URLs in bytes.
    room: usize,
}

impl<'l> Resolver<'l> {
    /// Creates the resolver of header fields.
    pub(crate) fn new(page: &'l PageUrl, encoding: &'static Encoding, limits: &'l Limits) -> Self {
        Self::of_document(page, encoding, 0, limits)
    }

    /// Creates the resolver of a document of `bytes` without `base`.
    pub(crate) fn of_document(
        page: &'l PageUrl,
        encoding: &'static Encoding,
        bytes: usize,
        limits: &'l Limits,
    ) -> Self {
        let room = bytes.saturating_mul(RESOLVED_PER_BYTE).saturating_add(limits.resolved_bytes);
        let joiner = Joiner::new(page, encoding, &limits.identity).with_room(room);
        Resolver { page, joiner, limits, room }
    }

    /// Applies the `href` of the first `base`, itself resolved against the page's URL in the document's encoding (HTML
    /// 4.2.3, "set the frozen base URL").
    pub(crate) fn set_base(&mut self, href: &str) {
        if let Ok(base) = resolve(self.page.as_url(), href, self.joiner.encoding())
            && !matches!(base.scheme(), "data" | "javascript")
        {
            let joiner = Joiner::with_base(base, self.joiner.encoding(), &self.limits.identity);
            self.joiner = joiner.with_room(self.room);
        }
    }

    /// The URL of a page, or `None` if it is not one.
    pub(crate) fn page(&self, href: &str) -> Option<PageUrl> {
        let mut text = String::new();
        // Most canonicals name the page itself.
        if self.joiner.write_canonical_candidate(href, &mut text) && text == self.page.as_str() {
            return self.joiner.within_limit(self.page.clone()).ok();
        }
        self.joiner.join(href).ok()
    }

    pub(crate) fn canonical(&self, href: &str, place: FactLocation) -> Canonical {
        Canonical {
            url: self.page(href),
            raw: bounded(href, self.limits.text_bytes).to_owned(),
            place,
            relative: matches!(Url::parse(href), Err(url::ParseError::RelativeUrlWithoutBase)),
        }
    }

    /// The link, or `None` if its scheme is not crawled.
    pub(crate) fn link(&self, found: FoundLink<'_>) -> Option<Link> {
        found.resolve(&self.joiner, self.limits.text_bytes)
    }

    /// Returns true if a URL exceeded the size limit.
    pub(crate) fn is_full(&self) -> bool {
        self.joiner.is_full()
    }

    pub(crate) fn into_joiner(self) -> Joiner<'l> {
        self.joiner
    }

    /// The refresh, unless it only reloads the page.
    pub(crate) fn refresh(&self, found: FoundRefresh) -> Option<Refresh> {
        let target = found.target?;
        let url = self.page(&target);
        let elsewhere = url.as_ref() != Some(self.page);
        elsewhere.then_some(Refresh { seconds: found.seconds, url, place: found.place })
    }
}

/// Adds the facts of a document to those of its header, and returns its links.
pub(crate) fn document<'t>(
    facts: &mut PageFacts,
    mut found: Found<'t>,
    resolver: &Resolver<'_>,
    from: EncodingFrom,
) -> Vec<FoundLink<'t>> {
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
    facts.dates = found.dates;
    let json_ld = json_ld::read(&found.json_ld, &facts.canonicals, resolver.page, limits);
    facts.dates.extend(json_ld.dates);
    facts.markup = MarkupCounts { malformed_json_ld: json_ld.malformed, ..found.markup };
    facts.dates.sort_by_key(|date| date.from);
    facts.title = found.title;
    facts.description = found.description;
    facts.language = found.language;
    facts.headings = found.headings;
    facts.ids = found.ids;
    facts.sketch = found.blocks.sketcher.finish();
    for text in [&facts.title, &facts.description].into_iter().flatten() {
        found.blocks.heading(text);
    }
    (facts.blocks, facts.unnumbered, facts.kept_text) = found.blocks.into_blocks();
    facts.encoding = resolver.joiner.encoding().name().to_owned();
    facts.encoding_from = from;
    facts.text_bytes = u32::try_from(found.text_bytes).unwrap_or(u32::MAX);
    facts.prose_bytes = u32::try_from(found.prose_bytes).unwrap_or(u32::MAX);
    facts.fields = found.fields;
    facts.scripts = found.scripts;
    facts.leave_links_out(found.links_cut || resolver.is_full());
    found.links
}

/// A refresh of one second or more is a link to its target; a faster one is a redirect.
pub(crate) fn refresh_link(refresh: &Refresh) -> Option<Link> {
    let url = refresh.url.clone().filter(|_| !refresh.is_instant())?;
    Some(Link {
        url: Some(url),
        fragment: None,
        kind: LinkKind::Refresh,
        rel: Rel::default(),
        region: if refresh.place == FactLocation::Body { Region::Body } else { Region::Head },
        anchor: String::new(),
        raw: None,
    })
}
