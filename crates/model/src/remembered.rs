//! The record's memory of a page from earlier runs.

use crate::outcome::Outcome;
use crate::task::UrlId;
use mapwright_web::PageUrl;
use mapwright_web::page::facts::{LinkKind, PlacedDirectives, Region, Rel};

/// The record's memory of a page.
#[derive(Debug, Clone, PartialEq)]
pub struct Remembered {
    /// The outcome of the request that saw it.
    pub outcome: Outcome,
    /// Its status, 200 or 203.
    pub status: u16,
    /// The robots directives that the page gave, in tags and headers.
    pub directives: Vec<PlacedDirectives>,
    /// Its canonical, if one applies.
    pub canonical: Option<PageUrl>,
    /// The target of an instant refresh.
    pub refresh: Option<PageUrl>,
    /// Its links with targets that this run has not found yet.
    pub links: Vec<RememberedLink>,
    /// Pages of its own pattern that it links to and that this run found before, where that pattern may be one of
    /// identifiers: see [`Visit::relinked`](crate::Visit::relinked).
    pub relinked: Vec<UrlId>,
}

/// A link of a remembered page.
#[derive(Debug, Clone, PartialEq)]
pub struct RememberedLink {
    /// The target.
    pub url: PageUrl,
    /// The element that gave the link.
    pub kind: LinkKind,
    /// Its `rel`.
    pub rel: Rel,
    /// The region of the page with the link.
    pub region: Region,
}
