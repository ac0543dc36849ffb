//! The habits of a site's sections towards a crawler that comes back.

use Dates::{Article, JsonLd, Undated};
use Markup::{Divs, Semantic};

/// What stands in `ETag`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tag {
    /// No such field.
    Missing,
    /// Of the bytes: it changes with any of them.
    Strong,
    /// Of the text alone: boilerplate does not change it.
    Weak,
    /// The same for ever, whatever changes: plain wrong, and never answered with 304.
    Fixed,
    /// Another at each fetch.
    Fresh,
}

/// What stands in `Last-Modified`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Modified {
    /// No such field.
    Missing,
    /// When the text last changed.
    Honest,
    /// The time of the request.
    Now,
    /// When the last byte changed, boilerplate included: the time of a generated file.
    OfBytes,
    /// At least the time of the last deploy, so that all pages of the section get one value then.
    OfDeploy,
}

/// Which conditional requests are answered with 304.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Honours {
    /// None at all.
    Nothing,
    /// `If-None-Match`.
    NoneMatch,
    /// `If-Modified-Since`.
    ModifiedSince,
    /// Both; the former decides alone where it is sent (RFC 9110, 13.2.2).
    Both,
}

/// Where a page tells its own date.
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

/// What pages are built of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Markup {
    /// `main`, `article`, `p`, `aside`, `footer`, …
    Semantic,
    /// `div` and nothing else.
    Divs,
}

/// A section and its habits.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Section {
    pub(super) name: &'static str,
    pub(super) tag: Tag,
    pub(super) modified: Modified,
    pub(super) honours: Honours,
    pub(super) dates: Dates,
    pub(super) markup: Markup,
    /// Compressed, where the client takes that.
    pub(super) gzip: bool,
    /// Pages with a table, whose cells say yes or no.
    pub(super) tables: bool,
}

impl Section {
    /// Whether a 304 is to be had here.
    pub(super) fn answers_304(&self) -> bool {
        self.honours != Honours::Nothing && self.tag != Tag::Fresh
    }

    /// Whether a crawler that asks conditionally is shown every change of the bytes, boilerplate included.
    pub(super) fn shows_every_byte(&self) -> bool {
        !self.answers_304() || self.tag == Tag::Strong
    }
}

/// The start page, which belongs to no section.
pub(super) static HOME: Section =
    section("home", Tag::Strong, Modified::Missing, Honours::NoneMatch, Undated, Semantic).gzip();

/// Every section of the site.
pub(super) static SECTIONS: [Section; 10] = [
    section("guide", Tag::Strong, Modified::Honest, Honours::Both, JsonLd, Semantic).gzip(),
    section("news", Tag::Weak, Modified::Honest, Honours::Both, Article, Semantic),
    section("shop", Tag::Missing, Modified::Now, Honours::Nothing, Undated, Divs).tables().gzip(),
    section("blog", Tag::Strong, Modified::Missing, Honours::NoneMatch, Dates::SomeJsonLd, Semantic),
    section("wiki", Tag::Fixed, Modified::Missing, Honours::Nothing, Undated, Semantic).tables(),
    section("docs", Tag::Missing, Modified::Honest, Honours::ModifiedSince, Undated, Divs),
    section("forum", Tag::Fresh, Modified::Now, Honours::NoneMatch, Undated, Divs).gzip(),
    section("press", Tag::Weak, Modified::Missing, Honours::NoneMatch, Article, Semantic),
    section("data", Tag::Strong, Modified::OfBytes, Honours::Both, Undated, Semantic).tables().gzip(),
    section("archive", Tag::Missing, Modified::OfDeploy, Honours::ModifiedSince, Undated, Divs),
];

const fn section(
    name: &'static str,
    tag: Tag,
    modified: Modified,
    honours: Honours,
    dates: Dates,
    markup: Markup,
) -> Section {
    Section { name, tag, modified, honours, dates, markup, gzip: false, tables: false }
}

impl Section {
    const fn gzip(self) -> Section {
        Section { gzip: true, ..self }
    }

    const fn tables(self) -> Section {
        Section { tables: true, ..self }
    }
}
