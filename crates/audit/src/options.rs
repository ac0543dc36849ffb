//! The options of an audit.

use crate::baseline::Baseline;
use crate::check_thresholds::CheckThresholds;
use crate::severities::Severities;
use mapwright_web::Robots;

/// The options of an audit.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The thresholds of findings.
    pub limits: CheckThresholds,
    /// The severities of findings.
    pub severities: Severities,
    /// The findings that are known and accepted.
    pub baseline: Baseline,
    /// A robots.txt that is not deployed yet.
    pub next_robots: Option<Robots>,
    /// The product token that robots.txt is matched against.
    pub agent: String,
    /// The crawl was complete: it fetched everything that it was to fetch.
    pub complete: bool,
    /// The number of sitemap files that were not requested, because they lay beyond the limits of number and nesting.
    pub sitemaps_over_limit: u64,
    /// The requested checks that cannot be made, in words.
    pub skipped_checks: Vec<String>,
}
