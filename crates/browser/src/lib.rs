//! Renders pages whose links or content only scripts make.
//!
//! The browser has no network. Each of its requests is paused and answered by the crawler's own fetcher, so that
//! guard, limits, cookies and secrets are those of the plain crawl; whatever is not paused ends at a proxy that refuses
//! every connection. The time of a page is virtual: five seconds of it pass as fast as the page computes, and stand
//! while a request of the page is open, so that a loaded machine renders the same document as an idle one.
//!
//! [`Renderer`] starts the browser at the first [`Render::render`], and keeps tabs over many pages.

mod answer;
mod client;
mod dead_proxy;
mod document;
mod flags;
mod memory;
mod page_script;
mod paused;
mod pipe;
mod process;
mod profile;
mod program;
mod renderer;
mod script_errors;
mod settle;
mod start;
mod start_error;
mod tab;

use std::future::Future;

pub use document::{Document, FailedReason, FailedRequest, Navigation, RenderFailure, Rendered};
pub use program::{BrowserKind, Program};
pub use renderer::{RenderOptions, Renderer};
pub use start::Sandbox;
pub use start_error::StartError;

/// An implementation that runs the scripts of documents.
pub trait Render: Send + Sync + 'static {
    /// Runs the scripts of a document, and returns the document that they made.
    fn render(&self, document: &Document) -> impl Future<Output = Result<Rendered, RenderFailure>> + Send;
}
