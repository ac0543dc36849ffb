//! What a reader yields.

use crate::{ChangeFreq, Lastmod};

/// One entry of a document.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// A page.
    Page(Page),
    /// Another sitemap, named by an index.
    Sitemap {
        /// Its absolute `http` or `https` URL.
        loc: String,
        /// When it last changed, where a valid date says so.
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
pub struct Page {
    /// Its absolute `http` or `https` URL: references resolved, blanks around it removed, nothing else changed.
    pub loc: String,
    /// The date, where it is one: W3C Datetime, or that of mail in RSS.
    pub lastmod: Option<Lastmod>,
    /// The date's text as it stands there, valid or not.
    pub lastmod_text: Option<String>,
    /// Where it is one of the seven.
    pub changefreq: Option<ChangeFreq>,
    /// Where it is a number from 0.0 to 1.0.
    pub priority: Option<f32>,
    /// The page in other languages, and itself: `xhtml:link` elements (Google, "Localized versions of your pages").
    pub alternates: Vec<Alternate>,
    /// The line the entry begins on, from 1.
    pub line: u64,
}

/// A page in another language, as an entry names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternate {
    /// The code of the language, and of the region if any, as written: `hreflang`.
    pub code: String,
    /// Its absolute `http` or `https` URL; others are left out.
    pub loc: String,
}

/// What a document is.
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
    /// One URL a line.
    Text,
}
