//! The requests of the crawl, and their order of priority.

use crate::route::Route;
use mapwright_web::{Origin, PageUrl, Spelling};

/// Dense ID of a known URL: its row in the record, shared by all runs. At most 30 bits are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UrlId(pub u32);

/// The purpose of a fetch, which decides how the response is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// A page, read for facts and links.
    Page,
    /// The robots file of an origin (or a hop on the way to it).
    Robots,
    /// A sitemap file in any form the protocol knows.
    Sitemap,
    /// A feed that a page named.
    Feed,
    /// A URL that cannot exist: the response shows how the site answers missing pages, which exposes soft 404s.
    Probe,
    /// A link to another site, requested to check that it responds.
    External,
    /// An image, a style sheet or another file that pages load from the site's own hosts, requested to check that it
    /// is there. Style sheets and scripts are read, too.
    Resource,
}

impl Purpose {
    /// All purposes, in the order of their codes.
    pub const ALL: [Self; 7] =
        [Self::Page, Self::Robots, Self::Sitemap, Self::Feed, Self::Probe, Self::External, Self::Resource];

    /// Prerequisites are exempt from scope and from the budget of URLs; they have limits of their own.
    #[must_use]
    pub fn is_prerequisite(self) -> bool {
        matches!(self, Self::Robots | Self::Sitemap | Self::Feed)
    }

    /// Sitemaps and feeds: files that list URLs.
    #[must_use]
    pub fn is_listing(self) -> bool {
        matches!(self, Self::Sitemap | Self::Feed)
    }

    /// Checks are made for the audit only, after everything else. They are exempt from scope and budget, and lead to no
    /// pages.
    #[must_use]
    pub fn is_check(self) -> bool {
        matches!(self, Self::Probe | Self::External | Self::Resource)
    }

    /// Targets of links and files, of which only the response counts.
    #[must_use]
    pub fn is_target(self) -> bool {
        matches!(self, Self::External | Self::Resource)
    }

    /// Stable number, for the record.
    #[must_use]
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The purpose of a number given by [`Purpose::code`].
    #[must_use]
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code)).copied()
    }
}

/// The queues of one origin, most important first. `--max-urls` is spent in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Lane {
    /// Sitemaps and feeds, within a bounded share of the places. (Robots files precede every lane.)
    Prerequisite,
    /// Start URLs, and the next hop of a redirect.
    Redirect,
    /// Links in the order in which they were found, which is by depth.
    Link,
    /// URLs known only from sitemaps and feeds.
    Listed,
    /// Checks for the audit.
    Check,
}

impl Lane {
    /// All lanes, in order.
    pub const ALL: [Self; 5] = [Self::Prerequisite, Self::Redirect, Self::Link, Self::Listed, Self::Check];

    /// Stable number, for the record; also the index into [`Lane::ALL`].
    #[must_use]
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The lane of a number given by [`Lane::code`].
    #[must_use]
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code)).copied()
    }
}

/// The mode in which a task is carried out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum FetchMode {
    /// Fetched unconditionally.
    #[default]
    Plain,
    /// Fetched only if it changed since the record last saw it (RFC 9110 section 13).
    Conditional(Box<Validators>),
    /// Not requested: the record's memory of the page is reused.
    Remembered,
}

/// The validators of a document, as the server gave them (RFC 9110 section 8.8).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Validators {
    /// `ETag`, for `If-None-Match`.
    pub etag: Option<String>,
    /// `Last-Modified`, for `If-Modified-Since`.
    pub last_modified: Option<String>,
}

/// Identity of a task within a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TaskId {
    /// Position in the queue.
    Queued(u64),
    /// Number of a request for robots.txt, which is never queued.
    Robots(u64),
    /// Number of a health probe, which is never queued.
    Probe(u64),
}

impl TaskId {
    /// Returns the number, which is unique among tasks of the same kind.
    #[must_use]
    pub fn number(self) -> u64 {
        match self {
            Self::Queued(number) | Self::Robots(number) | Self::Probe(number) => number,
        }
    }
}

/// The tries of a task so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tries {
    /// 0 for the first try.
    pub attempt: u8,
    /// Retries that cost no try, because the origin rejected more than this URL.
    pub rate_limited: u8,
    /// Fetched again because the response redirected to the URL itself: with a cookie, or in another percent-encoding.
    pub to_itself: bool,
    /// Answered before, and requested again for its response time: after everything else, alone.
    pub timed: bool,
    /// Read before, and requested again so that its scripts run: after everything else, beyond the limit of pages.
    pub for_scripts: bool,
    /// Sent while no other request to its origin was in flight.
    pub alone: bool,
}

/// One request of the queue.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    /// The task's own ID.
    pub task_id: TaskId,
    /// The URL's ID; `None` for robots tasks, whose URL may not be in the record yet.
    pub url_id: Option<UrlId>,
    /// The URL to fetch.
    pub url: PageUrl,
    /// The purpose of the request.
    pub purpose: Purpose,
    /// The lane of the task.
    pub lane: Lane,
    /// The route on which the URL was found.
    pub route: Route,
    /// The tries so far.
    pub tries: Tries,
    /// For robots tasks: the origin whose rules are requested; redirects may lead to another origin.
    pub robots_of: Option<Origin>,
    /// The percent-encoding of the URL that its server requires.
    pub spelling: Option<Spelling>,
    /// The mode in which the task is carried out.
    pub mode: FetchMode,
    /// The record remembers a response of an earlier run, which is used while the page fails (stale-if-error).
    pub remembered: bool,
}

impl Task {
    /// A first request for `url` in `lane`, at position `seq` of the queue.
    #[must_use]
    pub fn new(seq: u64, id: UrlId, url: PageUrl, purpose: Purpose, lane: Lane) -> Self {
        Self {
            task_id: TaskId::Queued(seq),
            url_id: Some(id),
            url,
            purpose,
            lane,
            route: Route::default(),
            tries: Tries::default(),
            robots_of: None,
            spelling: None,
            mode: FetchMode::Plain,
            remembered: false,
        }
    }

    /// A health probe: a request for a page that responded well, to see whether its origin still responds.
    #[must_use]
    pub fn health_probe(number: u64, url: PageUrl) -> Self {
        let task_id = TaskId::Probe(number);
        Self { task_id, url_id: None, ..Self::new(0, UrlId(0), url, Purpose::Probe, Lane::Check) }
    }

    /// Reports whether the task is a health probe.
    #[must_use]
    pub fn is_health_probe(&self) -> bool {
        matches!(self.task_id, TaskId::Probe(_))
    }

    /// Reports whether this is the first request for the target of a link or a file, which is a HEAD request: a success
    /// needs no more, unless it is a text that is read.
    #[must_use]
    pub fn is_first_check(&self) -> bool {
        self.purpose.is_target() && self.tries.attempt == 0
    }

    /// Reports whether this is the first request of the task.
    #[must_use]
    pub fn is_first(&self) -> bool {
        let Tries { to_itself, timed, for_scripts, .. } = self.tries;
        !self.failed_before() && !to_itself && !timed && !for_scripts
    }

    /// Reports whether an earlier try failed or was rejected.
    #[must_use]
    pub fn failed_before(&self) -> bool {
        self.tries.attempt > 0 || self.tries.rate_limited > 0
    }
}
