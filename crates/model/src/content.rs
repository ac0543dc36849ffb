//! The content of a response, by the purpose of its request.

use crate::discovery::Target;
use crate::links::Links;
use crate::render_choice::RenderChoice;
use crate::rendering::Rendering;
use crate::sitemap_entry::{ReadEntry, SitemapFault};
use mapwright_web::PageFacts;
use mapwright_web::directives::Binding;

/// The content of a response, as far as it was read.
#[derive(Debug, Clone, Default)]
pub enum Content {
    /// Nothing was read.
    #[default]
    None,
    /// A page, another file, or an error page.
    Page(Box<PageContent>),
    /// A sitemap or feed.
    Listing(ListingContent),
    /// The text of a robots file.
    Robots(String),
    /// A style sheet, a script or a manifest.
    Code(CodeContent),
    /// The content of an earlier run is reused: the record carries it over.
    Reused(ReusedContent),
}

/// The content of a page or another file.
#[derive(Debug, Clone, Default)]
pub struct PageContent {
    /// Its facts: of a file that is no page, and of an error page, those of the header alone or without links.
    pub facts: PageFacts,
    /// Its links and resources.
    pub links: Links,
    /// The canonical that applies.
    pub canonical: CanonicalGiven,
    /// The directives that apply.
    pub binding: Binding,
    /// The rendering of the page; `None` where its scripts did not run.
    pub rendering: Option<Box<Rendering>>,
    /// The choice whether its scripts run; `None` where that was no question.
    pub choice: Option<RenderChoice>,
    /// Its links to other pages of its own site.
    pub own_links: OwnLinks,
    /// The first of the links that only scripts made.
    pub links_by_script: Vec<Target>,
}

/// The links of a page to other pages of its own site. They are counted only where pages may be rendered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OwnLinks {
    /// URLs that the document itself leads to.
    pub before: u32,
    /// Further URLs that scripts added.
    pub added: u32,
}

/// The content of a style sheet, a script or a manifest.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CodeContent {
    /// The bytes that remain without those of [`mapwright_web::spare_bytes`].
    pub bytes: u32,
    /// It is a manifest that browsers cannot read: see [`mapwright_web::manifest::is_manifest`].
    pub is_malformed: bool,
}

/// The canonical that applies, of those that a page gives.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum CanonicalGiven {
    /// No canonical in `head` or header.
    #[default]
    None,
    /// One canonical.
    One(Target),
    /// Several that conflict: ignored, and reported.
    Conflict,
    /// A canonical that is no http(s) URL: ignored, and reported.
    Unusable,
}

/// The content of a sitemap or feed.
#[derive(Debug, Clone, Default)]
pub struct ListingContent {
    /// Its entries.
    pub entries: Vec<ReadEntry>,
    /// It was not read to its end, or is neither a sitemap nor a feed.
    pub unfinished: bool,
    /// The faults of a sitemap, in an audit.
    pub faults: Vec<SitemapFault>,
}

/// The content of an earlier run that is reused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReusedContent {
    /// The reason.
    pub reused: Reused,
    /// The directives that apply today.
    pub binding: Binding,
}

/// The reason why a visit reuses the results of an earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reused {
    /// The server revalidated it: 304 Not Modified.
    Revalidated,
    /// The page was not requested.
    NotRequested,
}
