//! The facts of a page without its scripts and with them, side by side.

use mapwright_text::size;
use mapwright_web::PageFacts;
use mapwright_web::page::facts::BeforeScripts;

/// A fact of a page, without its scripts and with them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparedFact {
    /// The fact, such as `title`.
    pub name: &'static str,
    /// Its value without scripts; `none` where there is none.
    pub without: String,
    /// Its value with them.
    pub with: String,
}

/// Compares the facts of a page that search results rest on.
#[must_use]
pub fn compare(before: &BeforeScripts, after: &PageFacts) -> [ComparedFact; 8] {
    let BeforeScripts { links, links_added, links_removed, .. } = before;
    let links_after = match (links_added, links_removed) {
        (0, 0) => links.to_string(),
        _ => format!("{} ({links_added} added, {links_removed} removed)", before.links_after()),
    };
    [
        ("title", text(before.title.as_deref()), text(after.title.as_deref())),
        ("description", text(before.description.as_deref()), text(after.description.as_deref())),
        ("first heading", text(before.heading.as_deref()), text(after.first_heading())),
        ("canonical", text(before.canonical.as_deref()), text(before.canonical_after.as_deref())),
        (
            "directives",
            directives(before.noindex, before.nofollow),
            directives(before.noindex_after, before.nofollow_after),
        ),
        ("alternates", alternates(before.hreflang), alternates(after.names_alternates())),
        ("text", size(before.text_bytes.into()), size(after.text_bytes.into())),
        ("links", links.to_string(), links_after),
    ]
    .map(|(name, without, with)| ComparedFact { name, without, with })
}

fn text(text: Option<&str>) -> String {
    text.filter(|text| !text.is_empty()).unwrap_or("none").to_owned()
}

fn directives(noindex: bool, nofollow: bool) -> String {
    let text = match (noindex, nofollow) {
        (true, true) => "noindex, nofollow",
        (true, false) => "noindex",
        (false, true) => "nofollow",
        (false, false) => "none",
    };
    text.to_owned()
}

fn alternates(given: bool) -> String {
    (if given { "given" } else { "none" }).to_owned()
}
