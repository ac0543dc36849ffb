//! The options of an engine.

use mapwright_traps::{ParameterKey, ParameterRole};
use mapwright_web::media::Kinds;
use mapwright_web::{KeyMaker, Limits, UrlIdentity, UrlKey};
use std::collections::HashSet;
use std::time::Duration;

/// The settings of one crawl that concern the engine.
#[derive(Debug, Clone)]
pub struct EngineOptions {
    /// Highest number of requests in flight.
    pub concurrency: usize,
    /// Retries after the first try.
    pub retries: u8,
    /// Longest `Retry-After` that is obeyed; beyond it a URL counts as throttled.
    pub max_retry_after: Duration,
    /// Pages deeper than this are not fetched.
    pub max_depth: Option<u32>,
    /// Highest number of redirects in a row that are followed.
    pub max_redirects: u8,
    /// Highest number of sitemap and feed files that are read.
    pub max_sitemap_files: u64,
    /// Highest nesting of sitemap indexes that is followed.
    pub max_sitemap_depth: u8,
    /// Budget of URLs for a pattern proven endless; 0 for no limit.
    pub pattern_budget: u64,
    /// Variants of a page by parameters without effect are sampled, not crawled, and URLs that cannot exist are probed.
    pub recommended: bool,
    /// Roles of URL parameters that earlier runs learnt.
    pub roles: Vec<(ParameterKey, ParameterRole)>,
    /// Rules of robots.txt are ignored.
    pub ignore_robots: bool,
    /// URLs that the last run with the same settings left out, since a sample of their family was enough.
    pub sampled: HashSet<UrlKey>,
    /// Each visit is committed before more is leased, so that its discoveries have their turn: for crawls whose budget
    /// of URLs makes the order decide which URLs are fetched at all.
    pub in_order: bool,
    /// The crawl is cut after this time.
    pub max_time: Option<Duration>,
    /// Longest time before a batch is committed.
    pub batch_wait: Duration,
    /// Time that requests in flight may still take when the crawl is stopped.
    pub grace: Duration,
    /// Rules for reading responses.
    pub reading: Reading,
    /// Extra requests for an audit.
    pub checks: Checks,
}

/// The extra requests for checks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Checks {
    /// Errors are confirmed by a second try, each origin is probed with a URL that cannot exist, and sitemaps are
    /// validated against the protocol.
    pub audit: bool,
    /// A page that takes longer than this while other requests are in flight is requested again alone, and that time
    /// counts.
    pub slow: Duration,
    /// Highest number of slow pages requested again; 0 for none.
    pub max_timed: u32,
    /// Highest number of external URLs requested per origin; 0 for none.
    pub external: u64,
    /// Highest number of images, style sheets and other resources of the crawled hosts that are requested; 0 for none.
    pub resources: u64,
}

impl Default for EngineOptions {
    fn default() -> Self {
        Self {
            concurrency: 16,
            retries: 2,
            max_retry_after: Duration::from_secs(60),
            max_depth: None,
            max_redirects: 10,
            max_sitemap_files: 2_000,
            max_sitemap_depth: 5,
            pattern_budget: 1_000,
            recommended: false,
            roles: Vec::new(),
            ignore_robots: false,
            sampled: HashSet::new(),
            in_order: false,
            max_time: None,
            batch_wait: Duration::from_millis(250),
            grace: Duration::from_secs(5),
            reading: Reading::default(),
            checks: Checks::default(),
        }
    }
}

/// Rules for reading responses.
#[derive(Debug, Clone)]
pub struct Reading {
    /// Rules of URL identity.
    pub identity: UrlIdentity,
    /// Limits of one page, and the parts of it from which links are taken.
    pub page: Limits,
    /// Highest number of bytes read of a decoded page.
    pub max_body: u64,
    /// Kinds of documents that are read completely, up to that limit, beside pages.
    pub full_body_kinds: Kinds,
    /// Highest number of bytes read of a decoded sitemap.
    pub max_sitemap: u64,
    /// Highest number of bytes read of a robots.txt.
    pub max_robots: u64,
    /// User agents whose directives apply: the crawler's own token, and that of the search engine for which the sitemap
    /// is made.
    pub agents: Vec<String>,
    /// Nofollow links are followed too.
    pub follow_nofollow: bool,
    /// The site's own sitemaps are read.
    pub sitemaps: bool,
    /// Feeds that pages name are read.
    pub feeds: bool,
    /// Maker of the keys of URLs and the hashes of bodies.
    pub keys: KeyMaker,
}

impl Default for Reading {
    fn default() -> Self {
        Self {
            identity: UrlIdentity::default(),
            page: Limits::default(),
            max_body: 16 << 20,
            full_body_kinds: Kinds::PAGES,
            max_sitemap: 52_428_800,
            max_robots: 512 << 10,
            agents: vec!["mapwright".to_owned(), "googlebot".to_owned()],
            follow_nofollow: false,
            sitemaps: true,
            feeds: true,
            keys: KeyMaker::new(0, 0),
        }
    }
}
