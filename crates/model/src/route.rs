//! The route on which a URL was found.

/// The route on which a URL was found, from a start URL.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Route {
    /// Clicks from the start, as known when the URL was found.
    pub depth: u32,
    /// Redirects in a row that led to the URL.
    pub hops: u8,
    /// Sitemap indexes above the file.
    pub level: u8,
    /// Number of pages of the same shape in a row that led here, by which crawl traps are detected.
    pub generation: u16,
    /// A start URL, or on the redirect chain of one.
    pub seed: bool,
    /// Named by robots.txt itself, or by an index so named, and therefore not subject to its rules.
    pub named_by_robots: bool,
}
