//! The entries of sitemaps and feeds, and the faults of the files.

use crate::discovery::Target;

/// One entry of a sitemap or feed.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadEntry {
    /// The URL listed.
    pub target: Target,
    /// `lastmod`, where it is a valid date.
    pub lastmod: Option<String>,
    /// Its alternates in other languages, each with the code as written.
    pub alternates: Vec<(String, Target)>,
}

/// A rule of the protocol that a sitemap breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SitemapFault {
    /// The rule's stable name.
    pub rule: &'static str,
    /// The line of the first such place, from 1.
    pub line: u64,
    /// Description of the fault at that place.
    pub what: String,
    /// Number of such places.
    pub count: u64,
}

/// Code of the fault of a sitemap or feed that was not read to its end, or is neither.
pub const UNFINISHED: &str = "unfinished";
