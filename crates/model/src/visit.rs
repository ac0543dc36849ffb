//! The results of a visit, in the form in which the record stores them.

use crate::discovery::Target;
use crate::failure_kind::FailureKind;
use crate::links::Links;
use crate::outcome::Outcome;
use crate::refusal::Refusal;
use crate::sitemap_entry::{ReadEntry, SitemapFault};
use crate::task::{Task, UrlId};
use jiff::Timestamp;
use mapwright_web::directives::Binding;
use mapwright_web::media::Media;
use mapwright_web::{PageFacts, PageUrl};
use std::time::Duration;

/// The canonical that applies, of those that a page gives.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum CanonicalGiven {
    /// No canonical in `head` or header.
    #[default]
    None,
    /// One canonical.
    One(Target),
    /// Several that conflict: ignored, and reported.
    Conflict,
    /// A canonical that is no http(s) URL: ignored, and reported.
    Unusable,
}

/// The fingerprint of a response body.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fingerprint {
    /// `ETag`, bounded.
    pub etag: Option<String>,
    /// `Last-Modified` as sent, bounded.
    pub last_modified: Option<String>,
    /// Keyed hash of the decoded body.
    pub hash: Option<u64>,
}

/// The reason why a visit reuses the results of an earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reused {
    /// The server revalidated it: 304 Not Modified.
    Revalidated,
    /// The page was not requested.
    NotRequested,
}

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
    /// The status, if there was a response head.
    pub status: Option<u16>,
    /// The cause, if there was no response.
    pub failure: Option<FailureKind>,
    /// Description of the failure; bounded.
    pub detail: Option<String>,
    /// The reason for not fetching.
    pub refusal: Option<Refusal>,
    /// Time to the first byte of the head.
    pub first_byte: Option<Duration>,
    /// Duration of the entire attempt.
    pub total: Option<Duration>,
    /// Bytes on the wire.
    pub wire_bytes: u64,
    /// Bytes of the decoded body.
    pub body_bytes: u64,
    /// The body was longer than the limit, and was cut there.
    pub cut: bool,
    /// The media type of the body.
    pub media: Option<Media>,
    /// The fingerprint of the body.
    pub fingerprint: Fingerprint,
    /// The target of a redirect or an instant refresh.
    pub target: Option<Target>,
    /// The canonical that applies.
    pub canonical: CanonicalGiven,
    /// The directives that apply.
    pub binding: Binding,
    /// The facts of the page.
    pub facts: Option<Box<PageFacts>>,
    /// Its links and resources.
    pub links: Links,
    /// Known pages of its own pattern that it links to, where that pattern may be one of identifiers.
    pub relinked: Vec<UrlId>,
    /// Entries of a sitemap or feed.
    pub entries: Vec<ReadEntry>,
    /// The sitemap or feed was not read to its end, or is neither.
    pub unfinished: bool,
    /// The faults of a sitemap, in an audit.
    pub faults: Vec<SitemapFault>,
    /// The text of a robots file.
    pub robots_text: Option<String>,
    /// The results of an earlier run are reused: the record carries them over.
    pub reused: Option<Reused>,
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
            status: None,
            failure: None,
            detail: None,
            refusal: None,
            first_byte: None,
            total: None,
            wire_bytes: 0,
            body_bytes: 0,
            cut: false,
            media: None,
            fingerprint: Fingerprint::default(),
            target: None,
            canonical: CanonicalGiven::None,
            binding: Binding::default(),
            facts: None,
            links: Links::default(),
            relinked: Vec::new(),
            entries: Vec::new(),
            unfinished: false,
            faults: Vec::new(),
            robots_text: None,
            reused: None,
        }
    }

    /// Returns the requested URL.
    #[must_use]
    pub fn url(&self) -> &PageUrl {
        &self.task.url
    }

    /// Reports whether the failure may be transient: no response, a broken one, throttling, 5xx.
    #[must_use]
    pub fn is_transient_failure(&self) -> bool {
        match self.outcome {
            Outcome::NoAnswer | Outcome::Broken | Outcome::Throttled => true,
            Outcome::Status => self.status.is_some_and(|status| status >= 500),
            _ => false,
        }
    }

    /// Reports whether the response is a success of its URL: 200, 203, or 304 for a page that was one of them.
    #[must_use]
    pub fn answered_well(&self) -> bool {
        matches!(self.status, Some(200 | 203)) && matches!(self.outcome, Outcome::Page | Outcome::File)
    }
}
