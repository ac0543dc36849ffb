//! The content of sitemaps and feeds.

use mapwright_web::PageUrl;

/// The URLs that a sitemap or feed lists.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listing {
    /// The listed pages.
    pub pages: Vec<PageUrl>,
    /// The listed sitemaps, where the file is a sitemap index.
    pub files: Vec<PageUrl>,
}
