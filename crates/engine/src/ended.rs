//! How a crawl ends.

use crate::admission::Refused;
use mapwright_frontier::Drain;
use mapwright_web::Scope;

/// Something went wrong on our side: a full disk, a database that fails. The record stays as the last commit left it.
#[derive(Debug, thiserror::Error)]
#[error("the record could not be kept: {0}")]
pub struct EngineError<E: std::error::Error + 'static>(#[source] pub E);

/// How a crawl ended.
#[derive(Debug)]
pub struct Ended {
    /// Whether it is whole.
    pub how: How,
    /// How the queue stood.
    pub drain: Drain,
    /// What limits refused.
    pub refused: Refused,
    /// The scope as it was settled.
    pub scope: Scope,
    /// A start URL (or what it redirects to) answered 200.
    pub start_answered: bool,
    /// Start URLs that redirected to another site.
    pub starts_left: Vec<(String, String)>,
}

/// Whether a crawl is whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// Everything that was asked for was fetched.
    Whole,
    /// Cut before its end; what is queued stays queued.
    Cut(Cut),
}

/// What cut a crawl.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// It was stopped from outside.
    Stopped,
    /// `--max-time` passed.
    Time,
    /// The site went down.
    SiteDown,
    /// The disk of the record ran low: told by whoever watches it, and stopped the crawl for it.
    Disk,
}
