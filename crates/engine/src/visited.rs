//! The results of a visit, in the form in which the record stores them.

use crate::links::Links;
use jiff::Timestamp;
use mapwright_fetch::FailureKind;
use mapwright_frontier::{DistinctContent, Refusal, Target, Task, UrlId};
use mapwright_web::directives::Binding;
use mapwright_web::media::{Kinds, Media};
use mapwright_web::page::facts::LinkKind;
use mapwright_web::{PageFacts, PageUrl};
use std::time::Duration;

/// The outcome of one request. Failures of the site are data, recorded like any page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// 200 (or 203, RFC 9110 section 15.3.4) with a document that is read for links.
    Page,
    /// 200 (or 203) with any other document: recorded, not read for links.
    File,
    /// Any other status that is no redirect.
    Status,
    /// A redirect with a usable `Location`.
    Redirect,
    /// No response head, or none that HTTP allows.
    NoAnswer,
    /// The response broke off, or its coding is corrupt.
    Broken,
    /// The server requested a longer wait than the limit, or its firewall challenged the crawler. Not a broken page.
    Throttled,
    /// Not fetched: robots.txt forbids it, or was not available.
    Refused,
    /// Not fetched: the address guard blocks its address.
    Guarded,
    /// A bug of mapwright: the visit panicked.
    Failed,
}

impl Outcome {
    /// All outcomes, in the order of their codes.
    pub const ALL: [Self; 10] = [
        Self::Page,
        Self::File,
        Self::Status,
        Self::Redirect,
        Self::NoAnswer,
        Self::Broken,
        Self::Throttled,
        Self::Refused,
        Self::Guarded,
        Self::Failed,
    ];

    /// Stable number, for the record.
    #[must_use]
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The word used in reports and exports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Page => "page",
            Self::File => "file",
            Self::Status => "status",
            Self::Redirect => "redirect",
            Self::NoAnswer => "no-answer",
            Self::Broken => "broken",
            Self::Throttled => "throttled",
            Self::Refused => "blocked",
            Self::Guarded => "guarded",
            Self::Failed => "failed",
        }
    }
}

/// One entry of a sitemap or feed.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadEntry {
    /// The URL listed.
    pub target: Target,
    /// `lastmod`, where it is a valid date.
    pub lastmod: Option<String>,
    /// Its alternates in other languages, each with the code as written.
    pub alternates: Vec<(String, Target)>,
}

/// A rule of the protocol that a sitemap breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SitemapFault {
    /// The rule's stable name.
    pub rule: &'static str,
    /// The line of the first such place, from 1.
    pub line: u64,
    /// Description of the fault at that place.
    pub what: String,
    /// Number of such places.
    pub count: u64,
}

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

    /// Returns the content of the page, or the hash of a file, by which it differs from others; `None` where it is only
    /// remembered. Data files have none, unless their kind is one of those `listed`.
    #[must_use]
    pub fn content(&self, listed: Kinds) -> Option<DistinctContent<'_>> {
        if self.reused.is_some() {
            return None;
        }
        if self.outcome == Outcome::File {
            let is_data = self.media.as_ref().is_some_and(|media| media.is_data() && !listed.contains(media.kind));
            let blocks = if is_data { &[] } else { self.fingerprint.hash.as_slice() };
            return Some(DistinctContent { blocks, numbers: 0, all_blocks: &[], has_new_media: false, is_data });
        }
        let facts = self.facts.as_ref()?;
        let has_new_media = self.links.iter().any(|(target, link)| {
            let is_shown = matches!(link.kind, LinkKind::Image | LinkKind::Media | LinkKind::Frame);
            is_shown && matches!(target, Target::New(..))
        });
        let (blocks, numbers) = (facts.unnumbered.blocks.as_slice(), facts.unnumbered.numbers);
        Some(DistinctContent { blocks, numbers, all_blocks: &facts.blocks, has_new_media, is_data: false })
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
