//! The items that a reader yields.

use crate::{ChangeFreq, Lastmod};

/// One entry of a document.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// A page.
    Page(PageEntry),
    /// Another sitemap, named by an index.
    Sitemap {
        /// Its absolute `http` or `https` URL.
        loc: String,
        /// The time of its last change, if it has a valid date.
        lastmod: Option<Lastmod>,
    },
}

impl Item {
    /// The location of the page or sitemap.
    pub fn loc(&self) -> &str {
        match self {
            Self::Page(page) => &page.loc,
            Self::Sitemap { loc, .. } => loc,
        }
    }
}

/// A page as a document lists it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PageEntry {
    /// The absolute `http` or `https` URL: references resolved, surrounding white space removed, otherwise unchanged.
    pub loc: String,
    /// The date, if valid: W3C Datetime, or in RSS the date format of mail.
    pub lastmod: Option<Lastmod>,
    /// The text of the date as written, valid or not.
    pub lastmod_text: Option<String>,
    /// The frequency, if it is one of the seven.
    pub changefreq: Option<ChangeFreq>,
    /// The priority, if it is a number from 0.0 to 1.0.
    pub priority: Option<f32>,
    /// The page in other languages and its own: `xhtml:link` elements (Google, "Localized versions of your pages").
    pub alternates: Vec<AlternateEntry>,
    /// The line the entry begins on, from 1.
    pub line: u64,
}

/// The version of a page in another language, as an entry names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlternateEntry {
    /// The `hreflang` code as written: a language, optionally with a region.
    pub code: String,
    /// The absolute `http` or `https` URL; others are left out.
    pub loc: String,
}

/// The kind of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DocumentKind {
    /// A sitemap: `urlset`.
    UrlSet,
    /// A sitemap index: `sitemapindex`.
    Index,
    /// RSS of any version, the RDF ones included.
    Rss,
    /// Atom 0.3 or 1.0.
    Atom,
    /// A list with one URL per line.
    Text,
}
