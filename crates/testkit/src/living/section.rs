//! The behaviour of a site's sections towards a crawler that returns.

use Dates::{Article, JsonLd, Undated};
use Markup::{Divs, Semantic};

/// The content of `ETag`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tag {
    /// No such field.
    Missing,
    /// A tag of the bytes, which changes with any of them.
    Strong,
    /// A tag of the text only, which boilerplate does not change.
    Weak,
    /// A constant tag, whatever changes: plainly wrong, and never answered with 304.
    Fixed,
    /// A new tag at each fetch.
    Fresh,
}

/// The content of `Last-Modified`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Modified {
    /// No such field.
    Missing,
    /// The time when the text last changed.
    Honest,
    /// The time of the request.
    Now,
    /// The time when any byte last changed, boilerplate included: the time of a generated file.
    OfBytes,
    /// At least the time of the last deploy, so that all pages of the section get one value then.
    OfDeploy,
}

/// The conditional requests that are answered with 304.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ConditionalSupport {
    /// None at all.
    Nothing,
    /// `If-None-Match`.
    NoneMatch,
    /// `If-Modified-Since`.
    ModifiedSince,
    /// Both; only the former counts where it is sent (RFC 9110, section 13.2.2).
    Both,
}

/// The place of a page's own date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dates {
    /// Nowhere.
    Undated,
    /// In JSON-LD.
    JsonLd,
    /// In JSON-LD, on every other page.
    SomeJsonLd,
    /// In `article:modified_time`, now and then in another time zone.
    Article,
}

/// The elements that pages consist of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Markup {
    /// `main`, `article`, `p`, `aside`, `footer`, …
    Semantic,
    /// `div` and nothing else.
    Divs,
}

/// A section and its behaviour.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Section {
    pub(super) name: &'static str,
    pub(super) tag: Tag,
    pub(super) modified: Modified,
    pub(super) conditional: ConditionalSupport,
    pub(super) dates: Dates,
    pub(super) markup: Markup,
    /// Responses are compressed if the client accepts that.
    pub(super) gzip: bool,
    /// Pages have a table with cells that say yes or no.
    pub(super) tables: bool,
}

impl Section {
    /// Returns whether the section can answer 304.
    pub(super) fn answers_304(&self) -> bool {
        self.conditional != ConditionalSupport::Nothing && self.tag != Tag::Fresh
    }

    /// Returns whether conditional requests reveal every change of the bytes, boilerplate included.
    pub(super) fn shows_every_byte(&self) -> bool {
        !self.answers_304() || self.tag == Tag::Strong
    }
}

/// The start page, which belongs to no section.
pub(super) static HOME: Section =
    section("home", Tag::Strong, Modified::Missing, ConditionalSupport::NoneMatch, Undated, Semantic).gzip();

/// Every section of the site.
pub(super) static SECTIONS: [Section; 10] = [
    section("guide", Tag::Strong, Modified::Honest, ConditionalSupport::Both, JsonLd, Semantic).gzip(),
    section("news", Tag::Weak, Modified::Honest, ConditionalSupport::Both, Article, Semantic),
    section("shop", Tag::Missing, Modified::Now, ConditionalSupport::Nothing, Undated, Divs).tables().gzip(),
    section("blog", Tag::Strong, Modified::Missing, ConditionalSupport::NoneMatch, Dates::SomeJsonLd, Semantic),
    section("wiki", Tag::Fixed, Modified::Missing, ConditionalSupport::Nothing, Undated, Semantic).tables(),
    section("docs", Tag::Missing, Modified::Honest, ConditionalSupport::ModifiedSince, Undated, Divs),
    section("forum", Tag::Fresh, Modified::Now, ConditionalSupport::NoneMatch, Undated, Divs).gzip(),
    section("press", Tag::Weak, Modified::Missing, ConditionalSupport::NoneMatch, Article, Semantic),
    section("data", Tag::Strong, Modified::OfBytes, ConditionalSupport::Both, Undated, Semantic).tables().gzip(),
    section("archive", Tag::Missing, Modified::OfDeploy, ConditionalSupport::ModifiedSince, Undated, Divs),
];

const fn section(
    name: &'static str,
    tag: Tag,
    modified: Modified,
    conditional: ConditionalSupport,
    dates: Dates,
    markup: Markup,
) -> Section {
    Section { name, tag, modified, conditional, dates, markup, gzip: false, tables: false }
}

impl Section {
    const fn gzip(self) -> Section {
        Section { gzip: true, ..self }
    }

    const fn tables(self) -> Section {
        Section { tables: true, ..self }
    }
}
