//! The rendering of a page, as the record stores it.

use crate::failure_kind::FailureKind;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// The course of the rendering of a page.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Rendering {
    /// The page could not be rendered, for this reason: its facts are those without scripts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// The document was read before it had settled, because it took too long.
    pub cut: bool,
    /// The time from start to end.
    pub took: Duration,
    /// The number of requests that the page made, its document excluded.
    pub requests: u32,
    /// Their bytes as received.
    pub bytes: u64,
    /// The first of its requests that got no good answer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<FailedRequest>,
    /// The first uncaught errors of its scripts.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<String>,
    /// The other page to which the document wanted to go, if it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub navigation: Option<Navigation>,
    /// An element that scripts watch to load more was never out of view: the page has more than is loaded at once.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub scrolls_on: bool,
}

/// A request of a page that got no good answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedRequest {
    /// Its URL.
    pub url: String,
    /// The reason.
    pub reason: FailedReason,
}

/// The reason for which a request of a page got no good answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailedReason {
    /// The status of the response, 400 or above.
    Status(u16),
    /// No response came: the site failed, or the fetcher refused.
    Failure(FailureKind),
    /// No response came in time, while the page waited.
    TimedOut,
    /// The robots.txt of its host disallows it.
    Robots,
}

impl fmt::Display for FailedRequest {
    /// Writes the URL, and the reason in brackets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let url = &self.url;
        match self.reason {
            FailedReason::Status(status) => write!(f, "{url} ({status})"),
            FailedReason::Failure(kind) => write!(f, "{url} ({})", kind.as_str()),
            FailedReason::TimedOut => write!(f, "{url} (no answer in time)"),
            FailedReason::Robots => write!(f, "{url} (robots.txt disallows it)"),
        }
    }
}

/// A navigation that scripts or a refresh began. It is not followed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Navigation {
    /// The target.
    pub url: String,
    /// The cause, as Chromium names it, such as `scriptInitiated` or `metaTagRefresh`.
    pub reason: String,
    /// It began in the first second of the document's time: it is a redirect.
    pub at_once: bool,
}

/// The causes of navigations that are no click: Chromium's `Page.ClientNavigationReason`.
const UNPROMPTED: [&str; 3] = ["scriptInitiated", "metaTagRefresh", "httpHeaderRefresh"];

impl Navigation {
    /// Reports whether it began without a click, of a script's either: where a click leads, a link leads.
    #[must_use]
    pub fn is_unprompted(&self) -> bool {
        UNPROMPTED.contains(&self.reason.as_str())
    }

    /// Reports whether it is a redirect: it began at once, and without a click.
    #[must_use]
    pub fn is_redirect(&self) -> bool {
        self.at_once && self.is_unprompted()
    }
}
