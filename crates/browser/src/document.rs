//! A document before and after its scripts ran.

use crate::StartError;
use mapwright_fetch::Headers;
use mapwright_model::Rendering;
use mapwright_web::PageUrl;

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
    /// The events on the way.
    pub rendering: Rendering,
}

/// The reason for which a document could not be rendered.
#[derive(Debug, thiserror::Error)]
pub enum RenderFailure {
    /// The browser cannot be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The page crashed, or the browser did not answer.
    #[error("the page could not be rendered: {0}")]
    Page(String),
    /// The browser ended, and so did its next ones.
    #[error("the page could not be rendered: the browser has ended")]
    Ended,
    /// The browser ended several times in a row without having rendered a page.
    #[error("the browser ends again and again, and is not started any more")]
    Unusable,
}

impl RenderFailure {
    /// Reports whether the browser itself does not work, whatever the page.
    #[must_use]
    pub fn is_of_browser(&self) -> bool {
        matches!(self, Self::Start(_) | Self::Unusable)
    }
}
