//! The events that observers receive, for progress, metrics and logs.

use mapwright_model::Outcome;
use std::time::Duration;

/// An event of a crawl. Texts come from the site and are hostile: escape them before they are shown.
#[derive(Debug)]
pub enum Event<'a> {
    /// A request has ended, or was refused.
    Visited {
        /// The requested URL.
        url: &'a str,
        /// The URL is a page, not a robots file or a sitemap.
        is_page: bool,
        /// The outcome.
        outcome: Outcome,
        /// The status, if there was one.
        status: Option<u16>,
        /// Duration of the entire attempt.
        total: Option<Duration>,
        /// The request will be retried.
        will_retry: bool,
    },
    /// A batch was committed.
    Committed {
        /// Tasks queued and not leased.
        queued: u64,
        /// Pages whose scripts run, or wait for that.
        rendering: u64,
    },
    /// The last request has ended, and everything is committed.
    Ended,
    /// A message for the user to see at once.
    Notice {
        /// One line.
        text: &'a str,
    },
    /// A start URL redirected within its registrable domain, and the scope moved with it.
    ScopeMoved {
        /// The start URL.
        from: &'a str,
        /// The target of the redirect.
        to: &'a str,
        /// The root of the scope from now on.
        root: &'a str,
    },
    /// A start URL redirected to another site, which is not followed.
    StartOnOtherSite {
        /// The start URL.
        from: &'a str,
        /// The target of the redirect.
        to: &'a str,
    },
}

/// Receives every event, from the engine's loop: it must be quick, and must not block.
pub trait Observer: Send + Sync + 'static {
    /// Handles an event.
    fn see(&self, event: &Event<'_>);
}

/// An observer that ignores all events.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoObserver;

impl Observer for NoObserver {
    fn see(&self, _: &Event<'_>) {}
}
