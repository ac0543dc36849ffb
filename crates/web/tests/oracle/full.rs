//! Every fact of a well-formed document, such as documentation: includes kinds, texts and regions, in their order.

use super::{HTML, SVG, base, collapse, elements, facts, is_html, page, tree};
use mapwright_web::directives::Directives;
use mapwright_web::page::{FactLocation, Limits, Link, PageFacts};
use mapwright_web::select::ContentSelector;
use mapwright_web::{PageUrl, UrlError, UrlIdentity};
use scraper::{ElementRef, Node};

/// The differences in a document, fact by fact; empty if there are none.
pub(crate) fn differences(text: &str) -> Vec<String> {
    let (ours, theirs) = (read_facts(&facts(text)), tree_facts(text));
    let mut found = Vec::new();
    for ((name, ours), (_, theirs)) in ours.iter().zip(&theirs) {
        let at = ours.iter().zip(theirs).position(|(ours, theirs)| ours != theirs);
        if let Some(at) = at.or((ours.len() != theirs.len()).then(|| ours.len().min(theirs.len()))) {
            found.push(format!("{name} {at}: read {:?}, in the tree {:?}", ours.get(at), theirs.get(at)));
        }
    }
    if !blocks_are_alike(text) {
        found.push("blocks of text".to_owned());
    }
    found
}

/// Each kind of fact, as text.
type Facts = Vec<(&'static str, Vec<String>)>;

fn read_facts(facts: &PageFacts) -> Facts {
    let links = facts.links.iter().filter(|link| link.kind != mapwright_web::page::LinkKind::Refresh);
    vec![
        ("link", links.map(reported).collect()),
        ("title", all_reported(&facts.title)),
        ("description", all_reported(&facts.description)),
        ("language", all_reported(&facts.language)),
        ("heading", facts.headings.iter().map(|heading| format!("{} {}", heading.level, heading.text)).collect()),
        ("canonical", facts.canonicals.iter().map(|found| format!("{:?} {}", found.place, found.raw)).collect()),
        (
            "directives",
            facts.directives.iter().map(|found| format!("{:?} {:?}", found.place, found.directives)).collect(),
        ),
        (
            "hreflang",
            facts.hreflang.iter().map(|found| format!("{:?} {} {:?}", found.place, found.code, found.url)).collect(),
        ),
        ("id", once(facts.ids.clone())),
        ("script", vec![facts.scripts.to_string()]),
    ]
}

fn all_reported<T: ToString>(found: &Option<T>) -> Vec<String> {
    found.iter().map(ToString::to_string).collect()
}

fn reported(link: &Link) -> String {
    let Link { url, fragment, kind, rel, region, anchor, raw } = link;
    let url = url.as_ref().map(PageUrl::as_str);
    let (kind, region) = (format!("{kind:?}"), format!("{region:?}"));
    line(&kind, url.or(raw.as_deref()), fragment.as_deref(), (rel.nofollow, rel.ugc, rel.sponsored), &region, anchor)
}

fn line(
    kind: &str,
    url: Option<&str>,
    fragment: Option<&str>,
    rel: (bool, bool, bool),
    region: &str,
    anchor: &str,
) -> String {
    format!("{kind} {url:?} #{fragment:?} {rel:?} {region} {anchor:?}")
}

fn tree_facts(text: &str) -> Facts {
    let html = tree(text);
    let elements = elements(&html);
    let base = base(&elements);
    let mut said = Said { base, links: vec![], headings: vec![], canonicals: vec![], hreflang: vec![], ids: vec![] };
    for element in &elements {
        said.look_at(element);
    }
    let first = |name: &str| elements.iter().find(|element| is_html(element, name));
    let metas = |name: &'static str| {
        let named = move |element: &&ElementRef<'_>| {
            is_html(element, "meta")
                && element.attr("name").is_some_and(|given| given.trim().eq_ignore_ascii_case(name))
        };
        elements.iter().filter(named).filter_map(|element| Some((place(element), element.attr("content")?)))
    };
    let directives = metas("robots").map(|(place, content)| format!("{place:?} {:?}", Directives::parse_meta(content)));
    vec![
        ("link", said.links),
        ("title", first("title").map(|title| bounded(&collapse(title))).into_iter().collect()),
        ("description", metas("description").map(|(_, content)| bounded(&squeezed(content))).take(1).collect()),
        ("language", first("html").and_then(|html| html.attr("lang")).map(squeezed).into_iter().collect()),
        ("heading", kept(said.headings, Limits::default().headings)),
        ("canonical", said.canonicals),
        ("directives", directives.collect()),
        ("hreflang", said.hreflang),
        ("id", once(kept(said.ids, Limits::default().ids))),
        ("script", vec![elements.iter().filter(|element| element.value().name() == "script").count().to_string()]),
    ]
}

/// Truncated to the limit.
fn kept(mut all: Vec<String>, limit: usize) -> Vec<String> {
    all.truncate(limit);
    all
}

/// Sorted and without duplicates: a tree copies elements that are left open, and moves some out of tables.
fn once(mut all: Vec<String>) -> Vec<String> {
    all.sort_unstable();
    all.dedup();
    all
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A text truncated to the limit.
fn bounded(text: &str) -> String {
    text[..text.floor_char_boundary(Limits::default().text_bytes)].trim_end().to_owned()
}

fn place(element: &ElementRef<'_>) -> FactLocation {
    let above = element.ancestors().filter_map(ElementRef::wrap).any(|above| is_html(&above, "head"));
    if above { FactLocation::Head } else { FactLocation::Body }
}

struct Said {
    base: url::Url,
    links: Vec<String>,
    headings: Vec<String>,
    canonicals: Vec<String>,
    hreflang: Vec<String>,
    ids: Vec<String>,
}

impl Said {
    fn look_at(&mut self, element: &ElementRef<'_>) {
        let value = element.value();
        self.ids.extend(identifier(value.attr("id")));
        match (&*value.name.ns, value.name()) {
            (HTML, "a") => {
                self.ids.extend(identifier(value.attr("name")));
                self.link(element, "Anchor", value.attr("href"), &link_name(element));
            }
            (SVG, "a") => {
                let xlink = value.attrs.iter().find(|(name, _)| &*name.local == "href");
                self.link(element, "Anchor", xlink.map(|(_, href)| &**href), &link_name(element));
            }
            (HTML, "area") => self.link(element, "Area", value.attr("href"), &alternative(element)),
            (HTML, "iframe" | "frame") => self.resource(element, "Frame", "src", ""),
            (HTML, "link") => self.relations(element),
            (HTML, "script") => self.resource(element, "Script", "src", ""),
            (HTML, "img") => {
                self.resource(element, "Image", "src", &alternative(element));
                self.image_set(element);
            }
            (HTML, "source") => {
                self.resource(element, "Media", "src", "");
                self.image_set(element);
            }
            (HTML, "video") => {
                self.resource(element, "Media", "src", "");
                self.resource(element, "Image", "poster", "");
            }
            (HTML, "audio" | "track") => self.resource(element, "Media", "src", ""),
            (HTML, "h1" | "h2" | "h3" | "h4" | "h5" | "h6") => {
                self.headings.push(format!("{} {}", &value.name()[1..], text_or_images(element)));
            }
            _ => {}
        }
    }

    fn link(&mut self, element: &ElementRef<'_>, kind: &str, href: Option<&str>, anchor: &str) {
        let Some(href) = href.map(|href| href.trim_matches(|char: char| char.is_ascii_whitespace())) else { return };
        let url = match PageUrl::join(&self.base, href, encoding_rs::UTF_8, &UrlIdentity::default()) {
            Ok(url) => Some(url),
            Err(UrlError::NotHttp { .. }) => return,
            Err(_) => None,
        };
        let fragment = href.split_once('#').map(|(_, fragment)| fragment);
        let fragment = fragment.filter(|fragment| !fragment.is_empty() && url.is_some());
        let has = |name| {
            let related = matches!(element.value().name(), "a" | "area" | "link");
            let rel = element.attr("rel").filter(|_| related).unwrap_or_default();
            rel.split_ascii_whitespace().any(|token| token.eq_ignore_ascii_case(name))
        };
        let rel = (has("nofollow"), has("ugc"), has("sponsored"));
        let url = url.as_ref().map(PageUrl::as_str);
        self.links.push(line(kind, url.or(Some(href)), fragment, rel, region(element), anchor));
    }

    fn resource(&mut self, element: &ElementRef<'_>, kind: &str, attribute: &str, anchor: &str) {
        let src = element.attr(attribute).filter(|src| !src.trim().is_empty());
        self.link(element, kind, src, anchor);
    }

    /// Candidates whose URLs contain no comma, as in documentation.
    fn image_set(&mut self, element: &ElementRef<'_>) {
        let set = element.attr("srcset").unwrap_or_default();
        for candidate in set.split(',').filter_map(|candidate| candidate.split_ascii_whitespace().next()) {
            self.link(element, "Image", Some(candidate), &alternative(element));
        }
    }

    fn relations(&mut self, element: &ElementRef<'_>) {
        let (Some(rel), Some(href)) = (element.attr("rel"), element.attr("href")) else { return };
        let has = |name: &str| rel.split_ascii_whitespace().any(|token| token.eq_ignore_ascii_case(name));
        if let Some(kind) = rel.split_ascii_whitespace().find_map(resource).filter(|_| !href.trim().is_empty()) {
            self.link(element, kind, Some(href), "");
        }
        if has("canonical") {
            self.canonicals.push(format!("{:?} {}", place(element), href.trim()));
            self.link(element, "Canonical", Some(href), "");
        }
        if href.trim().is_empty() {
            return;
        }
        if has("next") || has("prev") || has("previous") {
            self.link(element, "Sequence", Some(href), "");
        }
        if has("alternate") && !has("stylesheet") {
            let media_type = element.attr("type").unwrap_or_default().to_ascii_lowercase();
            if media_type.contains("rss") || media_type.contains("atom") {
                self.link(element, "Feed", Some(href), "");
            } else if media_type.is_empty() || media_type.contains("html") {
                self.link(element, "Alternate", Some(href), "");
                let url = PageUrl::join(&self.base, href, encoding_rs::UTF_8, &UrlIdentity::default()).ok();
                let code = element.attr("hreflang").map(squeezed);
                self.hreflang.extend(code.map(|code| format!("{:?} {code} {url:?}", place(element))));
            }
        }
    }
}

fn resource(token: &str) -> Option<&'static str> {
    match token.to_ascii_lowercase().as_str() {
        "stylesheet" => Some("Stylesheet"),
        "icon" | "apple-touch-icon" | "apple-touch-icon-precomposed" | "mask-icon" => Some("Icon"),
        "manifest" => Some("Manifest"),
        "preload" | "modulepreload" => Some("Preload"),
        _ => None,
    }
}

fn identifier(id: Option<&str>) -> Option<String> {
    id.filter(|id| !id.is_empty() && id.len() <= Limits::default().text_bytes).map(str::to_owned)
}

fn alternative(element: &ElementRef<'_>) -> String {
    bounded(&squeezed(element.attr("alt").unwrap_or_default()))
}

/// The text inside a link, or else the names of its parts, or else its own.
fn link_name(element: &ElementRef<'_>) -> String {
    let text = visible(element);
    if !text.is_empty() {
        return bounded(&text);
    }
    let parts = element.descendants().skip(1).filter_map(ElementRef::wrap);
    let names: Vec<&str> = parts
        .filter_map(|part| {
            let alt = part.attr("alt").filter(|alt| is_html(&part, "img") && !alt.is_empty());
            alt.or_else(|| label(part))
        })
        .collect();
    let names = squeezed(&names.join(" "));
    bounded(&if names.is_empty() { squeezed(label(*element).unwrap_or_default()) } else { names })
}

fn label(element: ElementRef<'_>) -> Option<&str> {
    let said = |name| element.value().attr(name).filter(|text| !text.trim().is_empty());
    said("aria-label").or_else(|| said("title"))
}

/// The text inside a heading, or else that of its images.
fn text_or_images(element: &ElementRef<'_>) -> String {
    let text = visible(element);
    if !text.is_empty() {
        return bounded(&text);
    }
    let images = element.descendants().filter_map(ElementRef::wrap).filter(|element| is_html(element, "img"));
    let alternatives: Vec<&str> = images.filter_map(|image| image.attr("alt")).collect();
    bounded(&squeezed(&alternatives.join(" ")))
}

/// The text inside an element, without that of invisible elements.
fn visible(element: &ElementRef<'_>) -> String {
    const UNSEEN: [&str; 8] = ["script", "style", "textarea", "xmp", "iframe", "noembed", "noframes", "template"];
    let seen = |node: &ego_tree::NodeRef<'_, Node>| {
        let mut above = node.ancestors().take_while(|above| above.id() != element.id());
        !above.any(|above| above.value().as_element().is_some_and(|above| UNSEEN.contains(&above.name())))
    };
    let texts = element.descendants().filter(seen).filter_map(|node| Some(&**node.value().as_text()?));
    squeezed(&texts.collect::<String>())
}

fn region(element: &ElementRef<'_>) -> &'static str {
    if place(element) == FactLocation::Head {
        return "Head";
    }
    let above: Vec<ElementRef<'_>> = element.ancestors().filter_map(ElementRef::wrap).collect();
    let is_main = |element: &ElementRef<'_>| is_html(element, "main") || is_html(element, "article");
    for (at, element) in above.iter().enumerate() {
        let in_main = above.iter().skip(at).any(is_main);
        let navigation = element.attr("role").is_some_and(|role| role.trim().eq_ignore_ascii_case("navigation"));
        match element.value().name() {
            "nav" => return "Nav",
            _ if navigation => return "Nav",
            "main" | "article" => return "Main",
            "aside" => return "Aside",
            "header" | "footer" if in_main => return "Main",
            "header" => return "Header",
            "footer" => return "Footer",
            _ => {}
        }
    }
    "Body"
}

/// Hashes of blocks are of text with undecoded references, which a tree has lost, so references are replaced. The tree
/// is that of `--content-selector`.
fn blocks_are_alike(text: &str) -> bool {
    let text = text.replace('&', "+");
    let content = ContentSelector::parse(&["body".to_owned()]).unwrap();
    let limits = Limits { content, ..Limits::default() };
    let head =
        mapwright_web::page::DocumentHeaders { content_type: Some("text/html; charset=utf-8"), ..Default::default() };
    let hashes = |facts: PageFacts| facts.blocks.iter().map(|block| block.hash).collect::<Vec<_>>();
    hashes(mapwright_web::page::read(text.as_bytes(), &head, &page(), &limits)) == hashes(facts(&text))
}
