//! The options of a crawl of the fake web.

use mapwright_engine::Checks;

/// The options of a crawl of the host of the start URL.
#[derive(Clone, Default)]
pub struct CrawlPlan {
    /// Patterns of URLs that are excluded.
    pub(crate) exclude: Vec<String>,
    /// `--max-urls`.
    pub(crate) max_urls: Option<u64>,
    /// The URL list of the user.
    pub(crate) list: Vec<String>,
    /// Crawls only the list, without a start URL.
    pub(crate) startless: bool,
    /// The settings that the record notes, as JSON; empty for the defaults.
    pub settings: String,
    /// Further requests of the audit.
    pub checks: Checks,
}
