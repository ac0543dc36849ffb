//! Link relations: the `rel` of tags and of `Link` headers.

use crate::page::facts::{LinkKind, Rel};
use crate::page::syntax::scan::is_blank;

/// A relation that a crawl uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Relation {
    /// `canonical`.
    Canonical,
    /// `next`, `prev`, `previous`.
    Sequence,
    /// `alternate` of HTML or without a type.
    Alternate,
    /// `alternate` of an RSS or Atom type.
    Feed,
}

impl Relation {
    pub(crate) fn kind(self) -> LinkKind {
        match self {
            Self::Canonical => LinkKind::Canonical,
            Self::Sequence => LinkKind::Sequence,
            Self::Alternate => LinkKind::Alternate,
            Self::Feed => LinkKind::Feed,
        }
    }
}

/// The kind of resource that a `link` element loads (HTML, section 4.6.7), or `amphtml`; none for other relations. Header fields are
/// not read for them.
pub(crate) fn resource(rel: &str) -> Option<LinkKind> {
    tokens(rel).find_map(|token| {
        let of = |(name, kind): &(&str, LinkKind)| token.eq_ignore_ascii_case(name.as_bytes()).then_some(*kind);
        RESOURCES.iter().find_map(of)
    })
}

const RESOURCES: [(&str, LinkKind); 9] = [
    ("stylesheet", LinkKind::Stylesheet),
    ("icon", LinkKind::Icon),
    ("apple-touch-icon", LinkKind::Icon),
    ("apple-touch-icon-precomposed", LinkKind::Icon),
    ("mask-icon", LinkKind::Icon),
    ("manifest", LinkKind::Manifest),
    ("preload", LinkKind::Preload),
    ("modulepreload", LinkKind::Preload),
    ("amphtml", LinkKind::Amp),
];

fn tokens(rel: &str) -> impl Iterator<Item = &[u8]> {
    rel.as_bytes().split(|byte| is_blank(*byte)).filter(|token| !token.is_empty())
}

fn has(rel: &str, name: &str) -> bool {
    tokens(rel).any(|token| token.eq_ignore_ascii_case(name.as_bytes()))
}

/// Returns true if a link leads to the previous or next page of a series.
pub(crate) fn is_in_sequence(rel: &str) -> bool {
    ["next", "prev", "previous"].iter().any(|name| has(rel, name))
}

/// The tokens of `rel` that qualify a link.
pub(crate) fn rel(rel: &str) -> Rel {
    Rel { nofollow: has(rel, "nofollow"), ugc: has(rel, "ugc"), sponsored: has(rel, "sponsored") }
}

/// The relations in `rel` and `type`, each once.
pub(crate) fn relations(rel: &str, media_type: Option<&str>) -> impl Iterator<Item = Relation> {
    let sequence = ["next", "prev", "previous"].iter().any(|name| has(rel, name));
    let alternate = has(rel, "alternate") && !has(rel, "stylesheet");
    [
        has(rel, "canonical").then_some(Relation::Canonical),
        sequence.then_some(Relation::Sequence),
        if alternate { alternate_of(media_type) } else { None },
    ]
    .into_iter()
    .flatten()
}

fn alternate_of(media_type: Option<&str>) -> Option<Relation> {
    let essence = media_type.unwrap_or_default().split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    match essence.as_str() {
        "" | "text/html" | "application/xhtml+xml" => Some(Relation::Alternate),
        "application/rss+xml" | "application/atom+xml" => Some(Relation::Feed),
        _ => None,
    }
}
