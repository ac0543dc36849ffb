//! The state of an interrupted run.

use mapwright_web::{Origin, PageUrl, UrlKey};

/// The state of a run when it was interrupted.
#[derive(Debug, Clone, Default)]
pub struct Resumed {
    /// Roots of the scope, after redirects of the start URLs moved them.
    pub roots: Vec<PageUrl>,
    /// A start URL has answered 200.
    pub start_answered: bool,
    /// Sitemaps and feeds that were admitted.
    pub files: Vec<UrlKey>,
    /// Origins that have pages in the run.
    pub origins: Vec<Origin>,
    /// URLs that the budgets of crawl traps refused.
    pub endless: Vec<PageUrl>,
}
