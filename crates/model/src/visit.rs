//! The results of a visit, in the form in which the record stores them.

use crate::content::{Content, ListingContent, PageContent, Reused};
use crate::outcome::Outcome;
use crate::recorded_response::RecordedResponse;
use crate::refusal::Refusal;
use crate::task::{Task, UrlId};
use jiff::Timestamp;
use mapwright_web::PageUrl;
use mapwright_web::directives::Binding;

/// Everything that the record stores of one request, or of the decision not to make it.
#[derive(Debug, Clone)]
pub struct Visit {
    /// The task.
    pub task: Task,
    /// Time of the request.
    pub at: Timestamp,
    /// The outcome.
    pub outcome: Outcome,
    /// The task will be retried, so this outcome is not final.
    pub will_retry: bool,
    /// The reason for not fetching.
    pub refusal: Option<Refusal>,
    /// The response.
    pub response: RecordedResponse,
    /// The content of the response.
    pub content: Content,
    /// Known pages of its own pattern that it links to, where that pattern may be one of identifiers.
    pub relinked: Vec<UrlId>,
}

impl Visit {
    /// Returns a visit without results.
    #[must_use]
    pub fn new(task: Task, at: Timestamp, outcome: Outcome) -> Self {
        Self {
            task,
            at,
            outcome,
            will_retry: false,
            refusal: None,
            response: RecordedResponse::default(),
            content: Content::None,
            relinked: Vec::new(),
        }
    }

    /// Returns the requested URL.
    #[must_use]
    pub fn url(&self) -> &PageUrl {
        &self.task.url
    }

    /// Returns the content of a page or another file, if it was read.
    #[must_use]
    pub fn page(&self) -> Option<&PageContent> {
        if let Content::Page(page) = &self.content { Some(page) } else { None }
    }

    /// Returns the content of a sitemap or feed, if it was read.
    #[must_use]
    pub fn listing(&self) -> Option<&ListingContent> {
        if let Content::Listing(listing) = &self.content { Some(listing) } else { None }
    }

    /// Returns the directives that apply.
    #[must_use]
    pub fn binding(&self) -> Binding {
        match &self.content {
            Content::Page(page) => page.binding,
            Content::Reused(content) => content.binding,
            Content::Listing(_) | Content::Robots(_) | Content::Code(_) | Content::None => Binding::default(),
        }
    }

    /// Returns the reason for which results of an earlier run are reused, if they are.
    #[must_use]
    pub fn reused(&self) -> Option<Reused> {
        if let Content::Reused(content) = &self.content { Some(content.reused) } else { None }
    }

    /// Reports whether the failure may be transient: no response, a broken one, throttling, 5xx.
    #[must_use]
    pub fn is_transient_failure(&self) -> bool {
        match self.outcome {
            Outcome::NoAnswer | Outcome::Broken | Outcome::Throttled => true,
            Outcome::Status => self.response.status.is_some_and(|status| status >= 500),
            _ => false,
        }
    }

    /// Reports whether the response is a success of its URL: 200, 203, or 304 for a page that was one of them.
    #[must_use]
    pub fn answered_well(&self) -> bool {
        matches!(self.response.status, Some(200 | 203)) && matches!(self.outcome, Outcome::Page | Outcome::File)
    }
}
