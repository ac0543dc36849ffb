//! What an engine goes by.

use mapwright_traps::{Role, RoleKey};
use mapwright_web::media::Kinds;
use mapwright_web::{Identity, KeyMaker, Limits, UrlKey};
use std::collections::HashSet;
use std::time::Duration;

/// Settings of one crawl, as far as the engine is concerned.
#[derive(Debug, Clone)]
pub struct EngineOptions {
    /// Requests in flight in all.
    pub concurrency: usize,
    /// Tries after the first.
    pub retries: u8,
    /// Longest `Retry-After` that is waited for; beyond it a URL counts as throttled.
    pub max_retry_after: Duration,
    /// Pages farther than this from the start are not fetched.
    pub max_depth: Option<u32>,
    /// Redirects in a row that are followed.
    pub max_redirects: u8,
    /// Sitemap and feed files that are read.
    pub max_sitemap_files: u64,
    /// Nesting of sitemap indexes that is followed.
    pub max_sitemap_depth: u8,
    /// URLs for a pattern proven endless; 0 for no limit.
    pub pattern_budget: u64,
    /// Variants of a page by parameters without effect are sampled, not crawled, and names that cannot exist are
    /// requested to see what the site answers.
    pub recommended: bool,
    /// The roles of URL parameters that earlier runs learnt.
    pub roles: Vec<(RoleKey, Role)>,
    /// Rules of robots.txt are not heeded.
    pub ignore_robots: bool,
    /// What the last run with the same settings left out, as a sample of its family was enough.
    pub sampled: HashSet<UrlKey>,
    /// Each visit is committed before more is leased, so that what it found has its turn: where a budget of URLs makes
    /// the order decide what is fetched at all.
    pub in_order: bool,
    /// The crawl is cut after this time.
    pub max_time: Option<Duration>,
    /// A batch is committed after this time at the latest.
    pub batch_wait: Duration,
    /// How long requests in flight may still take when the crawl is stopped.
    pub grace: Duration,
    /// How answers are read.
    pub reading: Reading,
    /// What is asked beyond what a crawl needs.
    pub checks: Checks,
}

/// What an audit asks beyond what a crawl needs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Checks {
    /// Errors are confirmed by a second try, each origin is asked for a name that cannot exist, and sitemaps are judged
    /// by the protocol.
    pub audit: bool,
    /// A page that takes longer than this while other requests are in flight is requested again alone, and that time
    /// counts.
    pub slow: Option<Duration>,
    /// URLs of other sites that are asked for, per origin, at most; 0 for none.
    pub external: u64,
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

/// How answers are read.
#[derive(Debug, Clone)]
pub struct Reading {
    /// Which URLs are the same.
    pub identity: Identity,
    /// Limits of one page, and the parts of it that links are taken from.
    pub page: Limits,
    /// Bytes of a decoded page that are read.
    pub max_body: u64,
    /// The kinds of documents that are taken whole, up to there, beside pages.
    pub whole: Kinds,
    /// Bytes of a decoded sitemap that are read.
    pub max_sitemap: u64,
    /// Bytes of a robots.txt that are read.
    pub max_robots: u64,
    /// The agents whose directives bind: our own token, and the search engine's that the sitemap is for.
    pub agents: Vec<String>,
    /// Links that say nofollow are followed all the same.
    pub follow_nofollow: bool,
    /// The site's own sitemaps are read.
    pub sitemaps: bool,
    /// Feeds that pages name are read.
    pub feeds: bool,
    /// Makes the keys of URLs and the hashes of bodies.
    pub keys: KeyMaker,
}

impl Default for Reading {
    fn default() -> Self {
        Self {
            identity: Identity::default(),
            page: Limits::default(),
            max_body: 16 << 20,
            whole: Kinds::PAGES,
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
