//! The end of a crawl.

use crate::admission::LimitCounts;
use mapwright_frontier::QueueState;
use mapwright_web::Scope;

/// A failure of the record: a full disk, a database error. The record stays in the state of the last commit.
#[derive(Debug, thiserror::Error)]
#[error("the record could not be kept: {0}")]
pub struct EngineError<E: std::error::Error + 'static>(#[source] pub E);

/// The result of a crawl.
#[derive(Debug)]
pub struct CrawlResult {
    /// The crawl is complete, or was cut.
    pub completeness: Completeness,
    /// The state of the queue.
    pub queue: QueueState,
    /// The URLs that limits refused.
    pub refused: LimitCounts,
    /// The scope at the end.
    pub scope: Scope,
    /// A start URL, or the target of its redirect, answered 200.
    pub start_answered: bool,
    /// Start URLs that redirected to another site.
    pub starts_on_other_site: Vec<(String, String)>,
    /// The browser that ran the scripts of pages, in words, if it was started.
    pub browser: Option<String>,
}

/// The completeness of a crawl.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Completeness {
    /// Complete: everything requested was fetched.
    Complete,
    /// Cut before its end; the queued tasks stay queued.
    Cut(Cut),
}

/// The reason why a crawl was cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// It was stopped externally.
    Stopped,
    /// `--max-time` passed.
    Time,
    /// The site went down.
    SiteDown,
    /// The browser that runs the scripts of pages cannot be started, or ends again and again.
    Browser,
    /// The record's disk ran low: the caller that watches the disk stopped the crawl and sets this reason.
    Disk,
}
