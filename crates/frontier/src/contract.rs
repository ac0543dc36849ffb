//! The contract between the engine and whatever keeps the queue.

use crate::discovery::Discovery;
use crate::seen::Seen;
use crate::task::{Task, UrlId};
use mapwright_web::robots::RuleLine;
use mapwright_web::{PageUrl, Robots};
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

/// Where tasks come from and results go to.
///
/// All times are counted from the start of the crawl, on a clock that never goes back.
/// A task that was leased stays unfinished until a commit settles it: a crash repeats at most what was leased.
pub trait Frontier: Send + Sync + 'static {
    /// What the engine records of a visit; passed through to the record unread.
    type Visit: Send + 'static;
    /// What the record remembers of a page from earlier runs.
    type Memory: Send + 'static;
    /// What can go wrong on our side: a full disk, a database that fails. Never the site's failures.
    type Error: std::error::Error + Send + Sync + 'static;

    /// Up to `room` orders that may be carried out now.
    ///
    /// # Errors
    /// When the queue cannot be read.
    fn lease(&self, now: Duration, room: usize) -> impl Future<Output = Result<Lease, Self::Error>> + Send;

    /// The request of a task has ended: frees its place, and tells how the origin bears the crawl.
    fn ended(&self, now: Duration, task: &Task, weather: &Weather);

    /// Records what visits saw and discovered, and settles their tasks, in one transaction.
    ///
    /// # Errors
    /// When the record cannot be written; nothing of the batch is then recorded.
    fn commit(
        &self,
        now: Duration,
        batch: Vec<Finished<Self::Visit>>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send;

    /// What an earlier run saw of a page: the record's stand-in for an answer that says "not modified". `None` where
    /// nothing usable is remembered.
    ///
    /// # Errors
    /// When the record cannot be read.
    fn recall(&self, url: UrlId) -> impl Future<Output = Result<Option<Self::Memory>, Self::Error>> + Send;

    /// What a sitemap or feed listed when it was last read, in an earlier run: the record's stand-in for a file that
    /// cannot be read now. Empty where none read it.
    ///
    /// # Errors
    /// When the record cannot be read.
    fn recall_file(&self, file: UrlId) -> impl Future<Output = Result<Listing, Self::Error>> + Send;

    /// Where a URL redirected when it last answered, in an earlier run: the record's stand-in for a redirect that fails
    /// now. `None` where it was no redirect.
    ///
    /// # Errors
    /// When the record cannot be read.
    fn recall_redirect(&self, url: UrlId) -> impl Future<Output = Result<Option<PageUrl>, Self::Error>> + Send;

    /// What lies in scope and was found in this run as nothing but an image or the like: at most so many URLs.
    ///
    /// # Errors
    /// When the record cannot be read.
    fn resources(&self, most: u64) -> impl Future<Output = Result<Vec<PageUrl>, Self::Error>> + Send;

    /// The scope is settled, with these roots: from now on everything may be leased, not the start URLs alone. A run
    /// that goes on after a cut goes on with them.
    ///
    /// # Errors
    /// When the record cannot be written.
    fn open(&self, roots: Vec<PageUrl>) -> impl Future<Output = Result<(), Self::Error>> + Send;

    /// The URLs known so far.
    fn seen(&self) -> Arc<Seen>;

    /// How things stand.
    fn drain(&self) -> Drain;
}

/// What a sitemap or feed lists.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listing {
    /// Pages.
    pub pages: Vec<PageUrl>,
    /// Other sitemaps, where it is an index.
    pub files: Vec<PageUrl>,
}

/// The answer to a lease.
#[derive(Debug)]
pub enum Lease {
    /// What to do now.
    Orders(Vec<Order>),
    /// Nothing now. Ask again at the time given, or when a visit has ended or was committed.
    Idle(Option<Duration>),
    /// Nothing is queued and nothing is leased: the crawl is over. Exact.
    Drained,
}

/// One thing to do.
#[derive(Debug)]
pub enum Order {
    /// Fetch this.
    Fetch(Task),
    /// Ask for this page once more, and record nothing of it: only whether its origin still answers is to be known.
    Prove(Task),
    /// Do not ask for this: what the record remembers of it stands.
    Recall(Task),
    /// Do not fetch this: record that it was refused.
    Refuse(Task, Refusal),
    /// Settle this and record nothing: the URL stood in two lanes, and its other task was handed out before; or it is
    /// another site's, which asks again and again to be left alone.
    Drop(Task),
}

/// Why a task may not be fetched.
#[derive(Debug, Clone, PartialEq)]
pub enum Refusal {
    /// A rule of robots.txt; the line that decided.
    Rule(Option<RuleLine>),
    /// robots.txt answered with a status that forbids all (429, 5xx).
    RobotsStatus(u16),
    /// robots.txt got no answer; the cause, as the fetcher names it.
    RobotsSilent(&'static str),
}

/// A visit that has ended, and what it leads to.
#[derive(Debug)]
pub struct Finished<V> {
    /// What becomes of the task; `None` where discoveries come without one (start URLs, lists).
    pub settles: Option<(Task, Settlement)>,
    /// URLs found, each with the decision whether it may be fetched.
    pub found: Vec<Discovery>,
    /// What was seen, for the record.
    pub visit: Option<V>,
}

/// What becomes of a task.
#[derive(Debug, Clone)]
pub enum Settlement {
    /// Over.
    Done,
    /// To be tried again, not before `after` has passed.
    Again {
        /// What the server asked for, if anything; the scheduler adds its own backoff.
        after: Option<Duration>,
        /// What it costs.
        cost: Cost,
    },
    /// The robots file of `task.robots_of` is known (or not to be had).
    Robots(RobotsAnswer),
}

/// What a further try costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cost {
    /// Nothing, and it is asked without conditions: the failing was not the site's.
    Nothing,
    /// Nothing: it was answered late, and is requested again for its time, alone and after everything else.
    Time,
    /// One of the tries that a URL has.
    Try,
    /// The same; but nothing, for a while, where the origin bears less than it was asked for: that says nothing of the
    /// URL. The scheduler alone knows; a record counts it as no try.
    TryUnlessTurnedAway,
}

/// What asking for robots.txt led to (RFC 9309 section 2.3.1).
#[derive(Debug, Clone)]
pub enum RobotsAnswer {
    /// 2xx: its rules.
    Rules(Arc<Robots>),
    /// 4xx other than 429, or too many redirects: no restrictions.
    Free,
    /// A redirect, to be followed across hosts.
    Hop(PageUrl),
    /// Failed for now.
    Again(Option<Duration>),
    /// 429 or 5xx, after retries: everything is disallowed.
    Status(u16),
    /// No answer, after retries: everything is disallowed, for the cause named.
    Silent(&'static str),
}

/// How an origin bore one request.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Weather {
    /// Time to the first byte of a response head; `None` when there was no head.
    pub first_byte: Option<Duration>,
    /// The server asked us to slow down (429, 503).
    pub throttled: bool,
    /// The answer was a server error or 429: nothing was served.
    pub refused: bool,
    /// The connection was refused or reset.
    pub cut_off: bool,
    /// How long the server asked to be left alone.
    pub retry_after: Option<Duration>,
    /// No request was made, or none that says anything about the origin.
    pub none: bool,
}

/// How the queue stands.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Drain {
    /// Tasks queued and not leased.
    pub queued: u64,
    /// Pages leased so far, retries apart: what `--max-urls` counts.
    pub pages: u64,
    /// Origins that went down, whose queues are kept.
    pub down: Vec<String>,
    /// The budget of URLs was spent: what is queued was left by that.
    pub budget_spent: bool,
}
