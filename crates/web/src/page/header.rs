//! Facts in header fields: `Link`, `X-Robots-Tag`, `Refresh`.

use super::DocumentHeaders;
use super::content::text::{bounded, collapse};
use super::facts::{FactLocation, Hreflang, PageFacts, PlacedDirectives, Region};
use super::found::{FoundLink, FoundRefresh, push};
use super::limits::Limits;
use super::links::relation::{self, Relation};
use super::links::resolve::Resolver;
use crate::directives::parse_x_robots;
use crate::link_header::{HeaderLink, parse_link_header};
use crate::page_url::PageUrl;
use crate::refresh::parse_refresh;
use std::borrow::Cow;

/// Reads the facts of all fields.
pub(crate) fn facts(head: &DocumentHeaders<'_>, url: &PageUrl, limits: &Limits) -> PageFacts {
    let mut facts = PageFacts { security: head.security, ..PageFacts::default() };
    let resolver = Resolver::new(url, encoding_rs::UTF_8, limits);
    for link in head.links.iter().flat_map(|value| parse_link_header(value)) {
        if speaks_of_page(&link, url, &resolver) {
            add_link(&mut facts, &link, &resolver, limits);
        }
    }
    for (agent, directives) in head.robots.iter().flat_map(|value| parse_x_robots(value)) {
        let agent = agent.map(|agent| bounded(&agent, limits.text_bytes).to_owned());
        let placed = PlacedDirectives { agent, directives, place: FactLocation::Header };
        push(&mut facts.directives, placed, limits.annotations, &mut facts.cut);
    }
    facts.leave_links_out(facts.links_cut || resolver.is_full());
    facts
}

/// The `Refresh` field, if it is valid; it wins over tags even if it only reloads the page.
pub(crate) fn refresh(head: &DocumentHeaders<'_>) -> Option<FoundRefresh> {
    let (seconds, target) = parse_refresh(head.refresh?)?;
    Some(FoundRefresh { seconds, target, place: FactLocation::Header })
}

/// Returns true if a link's context is the page itself (RFC 8288 3.2).
fn speaks_of_page(link: &HeaderLink, url: &PageUrl, resolver: &Resolver<'_>) -> bool {
    link.anchor.as_ref().is_none_or(|anchor| resolver.page(anchor).as_ref() == Some(url))
}

fn add_link(facts: &mut PageFacts, link: &HeaderLink, resolver: &Resolver<'_>, limits: &Limits) {
    if link.href.len() > limits.url_bytes {
        facts.cut = true;
        return;
    }
    let rel = link.rel.join(" ");
    for relation in relation::relations(&rel, link.media_type.as_deref()) {
        if relation == Relation::Canonical && !link.qualified {
            let canonical = resolver.canonical(&link.href, FactLocation::Header);
            push(&mut facts.canonicals, canonical, limits.annotations, &mut facts.cut);
        }
        if let (Relation::Alternate, Some(code)) = (relation, &link.hreflang) {
            let code = collapse(code, limits.text_bytes).into_owned();
            let alternate = Hreflang { code, url: resolver.page(&link.href), place: FactLocation::Header };
            push(&mut facts.hreflang, alternate, limits.annotations, &mut facts.cut);
        }
        let found = FoundLink {
            href: Cow::Borrowed(&link.href),
            kind: relation.kind(),
            rel: relation::rel(&rel),
            region: Region::Head,
            anchor: Cow::Borrowed(""),
        };
        if let Some(link) = resolver.link(found) {
            push(&mut facts.links, link, limits.links, &mut facts.links_cut);
        }
    }
}
