//! The pages whose scripts run, and the documents that they make.

mod choice;

use crate::reading::Received;
use mapwright_browser::{Document, Render, RenderFailure, Rendered};
use mapwright_frontier::Finished;
use mapwright_model::{Task, Visit};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The options of rendering.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RenderRules {
    /// The pages whose scripts run.
    pub mode: RenderMode,
    /// Highest number of pages that are rendered in the run; `None` for no limit.
    pub max_renders: Option<u64>,
    /// Pages that are not to be indexed are rendered too, for the audit's comparison.
    pub noindex: bool,
}

/// The pages whose scripts run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RenderMode {
    /// All pages with scripts.
    Always,
}

/// Renders the pages of a crawl.
#[derive(Debug)]
pub(crate) struct Renders {
    renderer: Arc<dyn Render>,
    rules: RenderRules,
    /// Pages that were rendered, or are being rendered.
    count: AtomicU64,
}

impl Renders {
    pub(crate) fn new(renderer: Arc<dyn Render>, rules: RenderRules) -> Self {
        Self { renderer, rules, count: AtomicU64::new(0) }
    }

    /// Runs the scripts of a page that was read without them, if they are to run.
    pub(crate) async fn render(
        &self,
        finished: &Finished<Visit>,
        received: &Received,
    ) -> Option<Result<Rendered, RenderFailure>> {
        let task = self.chosen(finished, received)?;
        let has_room = |count: u64| (self.rules.max_renders.is_none_or(|most| count < most)).then_some(count + 1);
        self.count.fetch_update(Ordering::Relaxed, Ordering::Relaxed, has_room).ok()?;
        let reply = &received.reply;
        let document = Document { url: task.url.clone(), headers: reply.headers.clone(), body: reply.body.clone() };
        let rendered = self.renderer.render(Arc::new(document)).await;
        if let Err(error) = &rendered {
            tracing::debug!(url = %task.url, %error, "a page could not be rendered");
        }
        Some(rendered)
    }

    /// Returns the task, if its page is to be rendered.
    fn chosen<'f>(&self, finished: &'f Finished<Visit>, received: &Received) -> Option<&'f Task> {
        let (task, visit) = choice::candidate(finished, received, self.rules.noindex)?;
        let RenderMode::Always = self.rules.mode;
        (!choice::is_inert(visit, received)).then_some(task)
    }
}
