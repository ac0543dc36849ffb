//! The facts of a document by a browser's tree (html5ever with scripting off, through `scraper`) and by the reader, for
//! tests that compare the two.
//!
//! Deliberate differences are named in `mapwright_web::page`. One difference comes only from the tree that `scraper`
//! builds: `annotation-xml` as an HTML integration point.

#![allow(dead_code, reason = "each test takes what it needs")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

pub(crate) mod full;
pub(crate) mod soup;

use html5ever::driver::{ParseOpts, parse_document};
use html5ever::tendril::TendrilSink;
use html5ever::tree_builder::TreeBuilderOpts;
use mapwright_web::page::{DocumentHeaders, FactLocation, Limits, LinkKind, PageFacts, read};
use mapwright_web::{PageUrl, UrlIdentity};
use scraper::{ElementRef, Html, HtmlTreeSink, Node};
use std::collections::BTreeSet;

pub(crate) const SVG: &str = "http://www.w3.org/2000/svg";
pub(crate) const HTML: &str = "http://www.w3.org/1999/xhtml";

/// The facts that are equal in both even for a malformed document.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) links: BTreeSet<(String, String)>,
    pub(crate) canonicals: BTreeSet<(String, bool)>,
    pub(crate) robots: BTreeSet<(bool, bool)>,
    pub(crate) titles: BTreeSet<String>,
    pub(crate) ids: BTreeSet<String>,
    pub(crate) headings: usize,
    pub(crate) scripts: usize,
}

/// The URL of every document.
pub(crate) fn page() -> PageUrl {
    PageUrl::parse("http://example.test/dir/page", &UrlIdentity::default()).unwrap()
}

pub(crate) fn facts(text: &str) -> PageFacts {
    let head = DocumentHeaders { content_type: Some("text/html; charset=utf-8"), ..DocumentHeaders::default() };
    read(text.as_bytes(), &head, &page(), &Limits::default())
}

/// The facts by the reader.
pub(crate) fn ours(text: &str) -> Seen {
    let facts = facts(text);
    let mut seen = Seen {
        scripts: facts.scripts as usize,
        headings: facts.headings.len(),
        ids: facts.ids.iter().cloned().collect(),
        ..Seen::default()
    };
    for link in &facts.links {
        if link.kind == LinkKind::Refresh || link.kind.is_resource() {
            continue;
        }
        let url = link.url.as_ref().map_or("broken", |url| url.as_str());
        seen.links.insert((format!("{:?}", link.kind), url.to_owned()));
    }
    for canonical in &facts.canonicals {
        seen.canonicals.insert((canonical.raw.clone(), canonical.place == FactLocation::Head));
    }
    for directives in &facts.directives {
        seen.robots.insert((directives.directives.noindex, directives.place == FactLocation::Head));
    }
    seen.titles.extend(facts.title);
    seen
}

/// The tree of a document.
pub(crate) fn tree(text: &str) -> Html {
    let tree_builder = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
    let options = ParseOpts { tree_builder, ..ParseOpts::default() };
    parse_document(HtmlTreeSink::new(Html::new_document()), options).one(text)
}

/// Its elements in the order of their tags, which is that of their creation, without those in templates.
pub(crate) fn elements(html: &Html) -> Vec<ElementRef<'_>> {
    let mut elements: Vec<ElementRef<'_>> = html
        .tree
        .root()
        .descendants()
        .filter(|node| !node.ancestors().any(|above| matches!(above.value(), Node::Fragment)))
        .filter_map(ElementRef::wrap)
        .collect();
    elements.sort_unstable_by_key(|element| element.id());
    elements
}

/// Returns true for an HTML element with this name.
pub(crate) fn is_html(element: &ElementRef<'_>, name: &str) -> bool {
    element.value().name() == name && &*element.value().name.ns == HTML
}

/// The base URL of the document.
pub(crate) fn base(elements: &[ElementRef<'_>]) -> url::Url {
    let base = elements.iter().filter(|element| is_html(element, "base")).find_map(|element| element.attr("href"));
    base.and_then(|href| page().as_url().join(href).ok())
        .filter(|base| !matches!(base.scheme(), "data" | "javascript"))
        .unwrap_or_else(|| page().as_url().clone())
}

/// The facts by the tree.
pub(crate) fn theirs(text: &str) -> Seen {
    let html = tree(text);
    let elements = elements(&html);
    let base = base(&elements);
    let mut seen = Seen::default();
    for element in &elements {
        look_at(element, &base, &mut seen);
    }
    seen.titles =
        elements.iter().find(|element| is_html(element, "title")).map(|title| collapse(title)).into_iter().collect();
    seen
}

pub(crate) fn collapse(element: &ElementRef<'_>) -> String {
    element.text().collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
}

fn look_at(element: &ElementRef<'_>, base: &url::Url, seen: &mut Seen) {
    let value = element.value();
    let namespace = &*value.name.ns;
    let is_html = namespace == HTML;
    if value.name() == "script" {
        seen.scripts += 1;
    }
    seen.ids.extend(value.attr("id").filter(|id| !id.is_empty()).map(str::to_owned));
    let mut link = |kind: &str, href: Option<&str>| {
        if let Some(href) = href {
            match PageUrl::join(base, href.trim(), encoding_rs::UTF_8, &UrlIdentity::default()) {
                Ok(url) => drop(seen.links.insert((kind.to_owned(), url.as_str().to_owned()))),
                Err(mapwright_web::UrlError::NotHttp { .. }) => {}
                Err(_) => drop(seen.links.insert((kind.to_owned(), "broken".to_owned()))),
            }
        }
    };
    let in_head = element.ancestors().filter_map(ElementRef::wrap).any(|above| above.value().name() == "head");
    match value.name() {
        "a" if is_html => {
            seen.ids.extend(value.attr("name").filter(|id| !id.is_empty()).map(str::to_owned));
            link("Anchor", value.attr("href"));
        }
        "a" if namespace == SVG => {
            link("Anchor", value.attr("href"));
            let xlink = value.attrs.iter().find(|(name, _)| &*name.local == "href" && !name.ns.is_empty());
            if value.attr("href").is_none() {
                link("Anchor", xlink.map(|(_, value)| &**value));
            }
        }
        "area" if is_html => link("Area", value.attr("href")),
        "iframe" if is_html => link("Frame", value.attr("src").filter(|src| !src.trim().is_empty())),
        "link" if is_html && value.attr("rel") == Some("canonical") => {
            link("Canonical", value.attr("href"));
            seen.canonicals.extend(value.attr("href").map(|href| (href.trim().to_owned(), in_head)));
        }
        "link" if is_html && value.attr("rel") == Some("next") => {
            link("Sequence", value.attr("href").filter(|href| !href.is_empty()));
        }
        "meta" if is_html && value.attr("name") == Some("robots") => {
            let noindex = value.attr("content").map(|content| content.contains("noindex"));
            seen.robots.extend(noindex.map(|noindex| (noindex, in_head)));
        }
        "h1" | "h2" | "h3" if is_html => seen.headings += 1,
        _ => {}
    }
}

/// Returns true if a `noscript` in `head` contains an element that would end the head without scripts. There the reader
/// follows browsers that run them.
fn noscript_ends_head(text: &str) -> bool {
    let scripted = parse_document(HtmlTreeSink::new(Html::new_document()), ParseOpts::default()).one(text);
    let noscripts: Vec<String> = elements(&scripted)
        .iter()
        .filter(|element| is_html(element, "noscript"))
        .filter(|element| element.ancestors().filter_map(ElementRef::wrap).any(|above| is_html(&above, "head")))
        .map(|noscript| noscript.text().collect())
        .collect();
    noscripts.iter().any(|content| {
        let tree = tree(content);
        let known =
            |element: &ElementRef<'_>| matches!(element.value().name(), "html" | "head" | "body" | "link" | "meta");
        let elements = elements(&tree);
        let is_blank = elements.iter().all(|element| element.text().collect::<String>().trim().is_empty());
        content.contains(['!', '?']) || !is_blank || !elements.iter().all(known)
    })
}

/// The difference in a document, if there is one.
pub(crate) fn difference(text: &str) -> Option<String> {
    if text.contains("noscript") && noscript_ends_head(text) {
        return None;
    }
    let (ours, theirs) = (ours(text), theirs(text));
    (ours != theirs).then(|| format!("{text:?}\n  read: {ours:?}\n  tree: {theirs:?}"))
}
