//! The contract between the engine and the backend of the queue.

use crate::seen::Seen;
use mapwright_model::{Discovery, Listing, Refusal, Task, TemplateId, UrlId};
use mapwright_web::{Origin, PageUrl, Robots};
use std::collections::HashSet;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

/// The source of tasks and the sink of results.
///
/// All times are counted from the start of the crawl, on a monotonic clock. A leased task stays unfinished until a
/// commit settles it, so a crash repeats at most the leased tasks.
pub trait Frontier: Send + Sync + 'static {
    /// The engine's record of a visit; the frontier passes it on without reading it.
    type Visit: Send + 'static;
    /// The record's memory of a page from earlier runs.
    type Memory: Send + 'static;
    /// A failure of the record, such as a full disk or a database error. Failures of the site are data, not errors.
    type Error: std::error::Error + Send + Sync + 'static;

    /// Leases up to `room` orders that may be carried out now.
    ///
    /// # Errors
    /// When the queue cannot be read.
    fn lease(&self, now: Duration, room: usize) -> impl Future<Output = Result<Lease, Self::Error>> + Send;

    /// Frees the place of a request that has ended, and reports how the origin responded.
    fn ended(&self, now: Duration, task: &Task, signal: &ResponseSignal);

    /// Takes the next turn at an origin for a request that a page makes, which is no task, and returns the time at which
    /// it may start. `crawl_delay` is that of the origin's robots.txt, in seconds.
    fn turn(&self, now: Duration, origin: &Origin, crawl_delay: Option<f64>) -> Duration;

    /// Notes that an origin throttled a request that a page made, so that all requests to it slow down.
    fn throttled(&self, now: Duration, origin: &Origin, signal: &ResponseSignal);

    /// Records what visits saw and discovered, and settles their tasks, in one transaction.
    ///
    /// # Errors
    /// When the record cannot be written; nothing of the batch is then recorded.
    fn commit(
        &self,
        now: Duration,
        batch: Vec<Finished<Self::Visit>>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send;

    /// Returns what an earlier run saw of a page, to reuse when the server answers 304 Not Modified; `None` where the
    /// record holds nothing usable.
    ///
    /// # Errors
    /// When the record cannot be read.
    fn recall(&self, url: UrlId) -> impl Future<Output = Result<Option<Self::Memory>, Self::Error>> + Send;

    /// Returns what a sitemap or feed listed when an earlier run last read it, to use while the file cannot be read;
    /// empty where no run has read it.
    ///
    /// # Errors
    /// When the record cannot be read.
    fn recall_file(&self, file: UrlId) -> impl Future<Output = Result<Listing, Self::Error>> + Send;

    /// Returns the target to which a URL redirected in an earlier run, to use while the redirect fails; `None` where
    /// the URL was no redirect.
    ///
    /// # Errors
    /// When the record cannot be read.
    fn recall_redirect(&self, url: UrlId) -> impl Future<Output = Result<Option<PageUrl>, Self::Error>> + Send;

    /// Returns at most `most` URLs of these origins that this run found only as an image or another resource, in or out
    /// of the scope.
    ///
    /// # Errors
    /// When the record cannot be read.
    fn resources(
        &self,
        origins: HashSet<Origin>,
        most: u64,
    ) -> impl Future<Output = Result<Vec<PageUrl>, Self::Error>> + Send;

    /// Queues again, to be requested unconditionally, the pages of this run of a template that were read without their
    /// scripts because those made no difference. Returns their number.
    ///
    /// # Errors
    /// When the record cannot be read or written.
    fn request_again(&self, template: TemplateId) -> impl Future<Output = Result<u64, Self::Error>> + Send;

    /// Settles the scope with these roots: from now on every task may be leased, not only the start URLs. A resumed run
    /// uses the same roots.
    ///
    /// # Errors
    /// When the record cannot be written.
    fn open(&self, roots: Vec<PageUrl>) -> impl Future<Output = Result<(), Self::Error>> + Send;

    /// The URLs known so far.
    fn seen(&self) -> Arc<Seen>;

    /// Returns the state of the queue.
    fn queue_state(&self) -> QueueState;
}

/// The answer to a lease.
#[derive(Debug)]
pub enum Lease {
    /// Orders to carry out now.
    Orders(Vec<Order>),
    /// Nothing to do now. Lease again at this time, or when a visit has ended or was committed.
    Idle {
        /// The time of the next task, if it is known.
        until: Option<Duration>,
        /// An origin could be requested now, and has no task until its visits are committed.
        starved: bool,
    },
    /// The crawl is over: nothing is queued and nothing is leased. The answer is exact.
    Drained,
}

/// A single order of a lease.
#[derive(Debug)]
pub enum Order {
    /// Fetch this task.
    Fetch(Task),
    /// Request this page again as a health probe of its origin, and record nothing.
    HealthProbe(Task),
    /// Do not request this page: reuse what the record remembers of it.
    Recall(Task),
    /// Do not fetch this task: record the refusal.
    Refuse(Task, Refusal),
    /// Settle this task and record nothing: the URL was in two lanes and its other task was handed out before, or its
    /// origin is another site that has requested too many pauses.
    Drop(Task),
}

/// A visit that has ended, with its results.
#[derive(Debug)]
pub struct Finished<V> {
    /// The task and how it is settled; `None` for discoveries that come without a task (start URLs, lists).
    pub settles: Option<(Task, Settlement)>,
    /// The URLs found, each with the decision on whether it may be fetched.
    pub found: Vec<Discovery>,
    /// The observations, for the record.
    pub visit: Option<V>,
}

/// The settlement of a task.
#[derive(Debug, Clone)]
pub enum Settlement {
    /// The task is finished.
    Done,
    /// The task is retried, not before `after` has passed.
    Retry {
        /// The wait that the server requested, if any; the scheduler adds its own backoff.
        after: Option<Duration>,
        /// The cost of the retry.
        cost: RetryCost,
    },
    /// The robots file of `task.robots_of` is known or unavailable.
    Robots(RobotsAnswer),
    /// The task was not requested and does not count against the budget. It stays queued in the record, and is leased
    /// again once it is settled as [`Settlement::Queued`].
    Deferred,
    /// A deferred task may be leased again.
    Queued,
}

/// The cost of a retry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RetryCost {
    /// No try, and the retry is unconditional: the failure was not the site's.
    Nothing,
    /// No try: the response was slow, and the page is requested again for its response time, alone and after everything
    /// else.
    Timing,
    /// One try of the URL.
    Try,
    /// One try of the URL, unless the origin exceeds its rate limit: then the rejection says nothing about the URL and
    /// costs no try, up to a limit. Only the scheduler can decide that; the record counts no try.
    TryUnlessRateLimited,
}

/// The outcome of a request for robots.txt (RFC 9309 section 2.3.1).
#[derive(Debug, Clone)]
pub enum RobotsAnswer {
    /// 2xx: the file's rules apply.
    Rules(Arc<Robots>),
    /// 4xx other than 429, or too many redirects: no restrictions.
    Free,
    /// A redirect, which is followed across hosts.
    Hop(PageUrl),
    /// A failure; the request is retried after this wait, if the server named one.
    Retry(Option<Duration>),
    /// 429 or 5xx, after retries: everything is disallowed.
    Status(u16),
    /// No answer, after retries: everything is disallowed, for the cause named.
    Silent(&'static str),
}

/// The response of an origin to one request, as a signal of its load.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ResponseSignal {
    /// Time to the first byte of the response head; `None` without a head.
    pub first_byte: Option<Duration>,
    /// The server throttled the client (429, 503).
    pub throttled: bool,
    /// The response was a server error or 429.
    pub rejected: bool,
    /// The connection was refused or reset.
    pub connection_lost: bool,
    /// The wait that the server requested (`Retry-After`).
    pub retry_after: Option<Duration>,
    /// No request was sent, or its result says nothing about the origin.
    pub irrelevant: bool,
}

/// The state of the queue.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct QueueState {
    /// Tasks queued and not leased.
    pub queued: u64,
    /// Pages leased so far, without retries: the count that `--max-urls` limits.
    pub pages: u64,
    /// Origins that went down; their queues stay in the record.
    pub down: Vec<String>,
    /// The budget of URLs is spent, so the queued tasks are not fetched.
    pub budget_spent: bool,
}
