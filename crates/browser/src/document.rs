//! A document before and after its scripts ran.

use mapwright_fetch::Headers;
use mapwright_model::FailureKind;
use mapwright_web::PageUrl;
use std::time::Duration;

/// A document as the server sent it.
#[derive(Debug, Clone)]
pub struct Document {
    /// Its URL.
    pub url: PageUrl,
    /// The header fields of the response.
    pub headers: Headers,
    /// The decoded body.
    pub body: Vec<u8>,
}

/// A document after its scripts ran.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    /// The document as HTML, shadow roots included as declarative templates.
    pub html: String,
    /// The URL of the document at the end, the base of its relative links: scripts may have changed its path.
    pub url: String,
    /// The other page to which the document wanted to go, if it did.
    pub navigation: Option<Navigation>,
    /// The document was read before it had settled, because it took too long.
    pub cut: bool,
    /// The number of requests that the document made, itself excluded.
    pub requests: u32,
    /// Their bytes as received.
    pub bytes: u64,
    /// The first of its requests that got no good answer.
    pub failed: Vec<FailedRequest>,
    /// The first uncaught errors of its scripts.
    pub errors: Vec<String>,
    /// The time from start to end.
    pub took: Duration,
}

/// A request of a document that got no good answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedRequest {
    /// Its URL.
    pub url: String,
    /// The reason.
    pub reason: FailedReason,
}

/// The reason for which a request of a document got no good answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailedReason {
    /// The status of the response, 400 or above.
    Status(u16),
    /// No response came: the site failed, or the fetcher refused.
    Failure(FailureKind),
    /// No response came in time, while the page waited.
    TimedOut,
}

/// A navigation that scripts or a refresh began. It is not followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Navigation {
    /// The target.
    pub url: String,
    /// The cause, as Chromium names it, such as `scriptInitiated` or `metaTagRefresh`.
    pub reason: String,
    /// It began in the first second of the document's time: it is a redirect.
    pub at_once: bool,
}

/// The reason for which a document could not be rendered.
#[derive(Debug, thiserror::Error)]
pub enum RenderFailure {
    /// The browser cannot be started.
    #[error(transparent)]
    Start(#[from] crate::StartError),
    /// The page crashed, or the browser ended or did not answer.
    #[error("the page could not be rendered: {0}")]
    Page(String),
    /// The browser ended several times in a row without having rendered a page.
    #[error("the browser ends again and again, and is not started any more")]
    Unusable,
}
