//! A document before and after its scripts ran.

use mapwright_fetch::Headers;
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
    /// The time from start to end.
    pub took: Duration,
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
}
