//! What the scheduler goes by, and what it asks the record for.

use crate::pace::PaceRules;
use crate::task::Lane;
use mapwright_web::{Origin, PageUrl};
use std::time::Duration;

/// What the scheduler goes by.
#[derive(Debug, Clone, PartialEq)]
pub struct Rules {
    /// The pace at every origin.
    pub pace: PaceRules,
    /// Tries after the first; the last of them comes after everything else.
    pub retries: u8,
    /// Shortest wait before the first try again; doubled for each further one.
    pub backoff: Duration,
    /// Pages that may be requested, tries again apart.
    pub max_urls: Option<u64>,
    /// Finish each depth before the next begins, so that depths are exact (for `--max-depth`).
    pub by_depth: bool,
    /// Our product token, for robots.txt.
    pub agent: String,
    /// Read robots.txt, and heed none of its rules.
    pub ignore_robots: bool,
}

impl Rules {
    /// The lane of pages that sitemaps and feeds list: after all links; or among them, at the depth that they count as,
    /// where depths are to be exact and no budget is to be spent on links first.
    #[must_use]
    pub fn listed_lane(&self) -> Lane {
        if self.by_depth && self.max_urls.is_none() { Lane::Link } else { Lane::Listed }
    }

    /// Whether a URL that waits because a sitemap lists it is brought forward when a link to it is found: only where
    /// the order decides what is fetched at all.
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

/// A wish for tasks that wait in the record.
#[derive(Debug, Clone, PartialEq)]
pub struct Refill {
    /// Whose.
    pub origin: Origin,
    /// Which lane.
    pub lane: Lane,
    /// Only tasks with greater numbers.
    pub after: u64,
    /// How many, at most.
    pub count: usize,
}

/// Tasks that a run that was cut left in the record.
#[derive(Debug, Clone, PartialEq)]
pub struct Backlog {
    /// Whose.
    pub origin: Origin,
    /// In which lane.
    pub lane: Lane,
    /// How many.
    pub count: u64,
    /// How many of them robots.txt itself named.
    pub invited: u64,
    /// A page of the origin that was answered well in that run, if one was.
    pub good: Option<PageUrl>,
}
