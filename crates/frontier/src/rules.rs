//! The scheduler's rules, and its requests to the record.

use crate::pace::PaceRules;
use mapwright_model::Lane;
use mapwright_web::{Origin, PageUrl};
use std::time::Duration;

/// The rules of the scheduler.
#[derive(Debug, Clone, PartialEq)]
pub struct Rules {
    /// The pace at every origin.
    pub pace: PaceRules,
    /// Retries after the first try; the last of them comes after everything else.
    pub retries: u8,
    /// Shortest wait before the first retry; doubled for each further one.
    pub backoff: Duration,
    /// Pages that may be requested, without retries.
    pub max_urls: Option<u64>,
    /// Finishes each depth before the next begins, so that depths are exact (for `--max-depth`).
    pub by_depth: bool,
    /// The crawler's product token, for robots.txt.
    pub agent: String,
    /// Reads robots.txt and ignores its rules.
    pub ignore_robots: bool,
}

impl Rules {
    /// Returns the lane of pages that only sitemaps and feeds list: after all links, or among the links at their
    /// nominal depth, where depths are exact and no budget limits the URLs.
    #[must_use]
    pub fn listed_lane(&self) -> Lane {
        if self.by_depth && self.max_urls.is_none() { Lane::Link } else { Lane::Listed }
    }

    /// Reports whether a link to a URL that is queued from a sitemap moves the URL forward: only where the order
    /// decides which URLs are fetched at all.
    #[must_use]
    pub fn order_matters(&self) -> bool {
        self.max_urls.is_some() || self.by_depth
    }
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            pace: PaceRules::default(),
            retries: 2,
            backoff: Duration::from_millis(500),
            max_urls: None,
            by_depth: false,
            agent: "mapwright".to_owned(),
            ignore_robots: false,
        }
    }
}

/// A request for queued tasks that the record holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Refill {
    /// The origin.
    pub origin: Origin,
    /// The lane.
    pub lane: Lane,
    /// Only tasks with greater numbers are wanted.
    pub after: u64,
    /// Highest number of tasks.
    pub count: usize,
}

/// Tasks that an interrupted run left in the record.
#[derive(Debug, Clone, PartialEq)]
pub struct Backlog {
    /// The origin.
    pub origin: Origin,
    /// The lane.
    pub lane: Lane,
    /// Number of tasks.
    pub count: u64,
    /// Number of those tasks that robots.txt itself named.
    pub named_by_robots: u64,
    /// A page of the origin that responded well in that run, if there is one.
    pub good: Option<PageUrl>,
}
