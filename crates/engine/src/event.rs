//! What observers are told: progress, metrics and logs hang on these.

use crate::visited::Outcome;
use std::time::Duration;

/// Something that happened in a crawl. Texts come from the site and are hostile: escape them before they are shown.
#[derive(Debug)]
pub enum Event<'a> {
    /// A request has ended, or was refused.
    Visited {
        /// What was asked.
        url: &'a str,
        /// Whether it was a page, and no robots file or sitemap.
        is_page: bool,
        /// What became of it.
        outcome: Outcome,
        /// The status, if there was one.
        status: Option<u16>,
        /// Time of the whole attempt.
        total: Option<Duration>,
        /// It will be tried again.
        again: bool,
    },
    /// A batch was committed; how many tasks are queued now.
    Committed {
        /// Tasks queued and not leased.
        queued: u64,
    },
    /// Something the user is to know at once.
    Notice {
        /// One line.
        text: &'a str,
    },
    /// A start URL redirected within its registrable domain, and the scope moved with it.
    ScopeMoved {
        /// The start URL.
        from: &'a str,
        /// Where it led.
        to: &'a str,
        /// The root of the scope from now on.
        root: &'a str,
    },
    /// A start URL redirected to another site, which is not followed.
    StartLeft {
        /// The start URL.
        from: &'a str,
        /// Where it led.
        to: &'a str,
    },
}

/// Told of every event, from the engine's loop: must be quick, and must not block.
pub trait Observer: Send + Sync + 'static {
    /// Something happened.
    fn see(&self, event: &Event<'_>);
}

/// Sees nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoObserver;

impl Observer for NoObserver {
    fn see(&self, _: &Event<'_>) {}
}
