//! What is to be fetched, and in which order of importance.

use mapwright_web::{Origin, PageUrl, Spelling};

/// Dense number of a known URL: the row id of the record, shared by all runs. At most 30 bits are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UrlId(pub u32);

/// Why a URL is fetched: what its answer will be read as.
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
    /// A name that cannot exist: what the site answers tells its pages from what only looks like pages.
    Probe,
    /// A URL of another site that pages link to: whether it answers at all.
    External,
}

impl Purpose {
    /// All purposes, in the order of their codes.
    pub const ALL: [Self; 6] = [Self::Page, Self::Robots, Self::Sitemap, Self::Feed, Self::Probe, Self::External];

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

    /// Checks are made for the audit alone, after everything else; they too are exempt from scope and budget, and lead
    /// to no pages.
    #[must_use]
    pub fn is_check(self) -> bool {
        matches!(self, Self::Probe | Self::External)
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
    /// Sitemaps and feeds, within a bounded share of the slots. (Robots files stand before every lane.)
    Prerequisite,
    /// Start URLs, and the next hop of a redirect.
    Redirect,
    /// Links in the order found, which is by depth.
    Link,
    /// URLs known only from sitemaps and feeds.
    Listed,
    /// What is asked for the audit alone.
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

/// How a task is carried out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Mode {
    /// Fetched, whatever is known of it.
    #[default]
    Plain,
    /// Fetched only if it changed since the record last saw it (RFC 9110 section 13).
    Conditional(Box<Validators>),
    /// Not asked for: what the record remembers of it still stands.
    Remembered,
}

/// What tells one state of a document from another, as the server gave it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Validators {
    /// `ETag`, for `If-None-Match`.
    pub etag: Option<String>,
    /// `Last-Modified`, for `If-Modified-Since`.
    pub last_modified: Option<String>,
}

/// One request that is to be made.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    /// Place in the queue; unique among queued tasks. Robots tasks, which are never queued, have numbers of their own.
    pub seq: u64,
    /// The URL's number; `None` for robots tasks, whose URL may not be in the record yet.
    pub id: Option<UrlId>,
    /// What to fetch.
    pub url: PageUrl,
    /// What for.
    pub purpose: Purpose,
    /// The queue it stands in.
    pub lane: Lane,
    /// Clicks from the start, as far as known when it was found.
    pub depth: u32,
    /// Redirects that led here, one after another.
    pub hops: u8,
    /// Nesting of sitemap indexes above this file.
    pub level: u8,
    /// 0 for the first try.
    pub attempt: u8,
    /// Tries that cost nothing, since the origin turned away more than this URL.
    pub turned_away: u8,
    /// A start URL, or a hop on the way from one.
    pub seed: bool,
    /// Named by robots.txt itself (or by an index so named), hence not subject to its rules.
    pub invited: bool,
    /// For robots tasks: the origin whose rules are sought, which redirects may have left.
    pub robots_of: Option<Origin>,
    /// Pages of the same shape in a row that led here: see [`crate::Patterns`].
    pub generation: u16,
    /// Fetched again because its answer redirected to itself: with a cookie, or in another spelling.
    pub to_itself: bool,
    /// The spelling that its server insists on.
    pub spelling: Option<Spelling>,
    /// How it is carried out.
    pub mode: Mode,
    /// The record remembers an answer of an earlier run, which stands in while the page fails.
    pub remembered: bool,
    /// It was answered, and is requested again for its time: after everything else, alone.
    pub timed: bool,
    /// No other request to its origin is in flight at the same time.
    pub alone: bool,
}

impl Task {
    /// A first request for `url` in `lane`.
    #[must_use]
    pub fn new(seq: u64, id: UrlId, url: PageUrl, purpose: Purpose, lane: Lane) -> Self {
        Self {
            seq,
            id: Some(id),
            url,
            purpose,
            lane,
            depth: 0,
            hops: 0,
            level: 0,
            attempt: 0,
            turned_away: 0,
            seed: false,
            invited: false,
            robots_of: None,
            generation: 0,
            to_itself: false,
            spelling: None,
            mode: Mode::Plain,
            remembered: false,
            timed: false,
            alone: false,
        }
    }

    /// A request for a page that was answered well, to see whether its origin still answers. Never queued, and of a
    /// number that no queued task has.
    pub(crate) fn proof(ticket: u64, url: PageUrl) -> Self {
        let seq = i64::MAX.cast_unsigned() - ticket;
        Self { id: None, ..Self::new(seq, UrlId(0), url, Purpose::Probe, Lane::Check) }
    }

    /// Whether it is such a request.
    pub(crate) fn is_proof(&self) -> bool {
        self.purpose == Purpose::Probe && self.id.is_none()
    }

    /// Whether its URL was not asked for before, as this task.
    #[must_use]
    pub fn is_first(&self) -> bool {
        !self.failed_before() && !self.to_itself && !self.timed
    }

    /// Whether it failed before, or was turned away.
    #[must_use]
    pub fn failed_before(&self) -> bool {
        self.attempt > 0 || self.turned_away > 0
    }
}
