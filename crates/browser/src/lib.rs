//! Renders pages whose links or content only scripts make.
//!
//! The browser has no network. Each of its requests is paused and answered by the crawler's own fetcher, so that
//! guard, limits, cookies and secrets are those of the plain crawl; whatever is not paused ends at a proxy that refuses
//! every connection. The time of a page is virtual: five seconds of it pass as fast as the page computes, and stand
//! while a request of the page is open, so that a loaded machine renders the same document as an idle one.
//!
//! [`Renderer`] starts the browser at the first [`Render::render`], and keeps tabs over many pages.

mod document;
mod page_fetch;
mod start_error;

use std::fmt::Debug;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

pub use document::{Document, RenderFailure, Rendered};
pub use page_fetch::{PageFetch, fetch_in_time};
pub use start_error::StartError;

#[cfg(feature = "chromium")]
mod chromium;
#[cfg(feature = "chromium")]
pub use chromium::program::{BrowserKind, Program};
#[cfg(feature = "chromium")]
pub use chromium::renderer::{RenderOptions, Renderer};
#[cfg(feature = "chromium")]
pub use chromium::start::Sandbox;

/// The outcome of a rendering, once it is there.
pub type RenderingOutcome<'r> = Pin<Box<dyn Future<Output = Result<Rendered, RenderFailure>> + Send + 'r>>;

/// An implementation that runs the scripts of documents.
pub trait Render: Debug + Send + Sync + 'static {
    /// Runs the scripts of a document, and returns the document that they made.
    fn render(&self, document: Arc<Document>) -> RenderingOutcome<'_>;

    /// Returns the browser in words, such as its version; `None` before it was started.
    fn browser(&self) -> Option<String>;
}
