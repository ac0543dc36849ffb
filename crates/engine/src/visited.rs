//! What a visit saw, in the form the record keeps it.

use crate::links::Links;
use jiff::Timestamp;
use mapwright_fetch::FailureKind;
use mapwright_frontier::{Content, Refusal, Target, Task, UrlId};
use mapwright_web::directives::Binding;
use mapwright_web::media::{Kinds, Media};
use mapwright_web::page::facts::LinkKind;
use mapwright_web::{PageFacts, PageUrl};
use std::time::Duration;

/// What became of one request. What goes wrong on the site is data, recorded like any page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// 200 (or 203, RFC 9110 section 15.3.4) with a document that is read for links.
    Page,
    /// 200 with anything else: recorded, not read.
    File,
    /// Any other status that is no redirect.
    Status,
    /// A redirect with a usable `Location`.
    Redirect,
    /// No response head, or none that HTTP allows.
    NoAnswer,
    /// The answer broke off, or its coding is corrupt.
    Broken,
    /// The server asked to be left alone for longer than we wait, or its firewall challenged us. Not a broken page.
    Throttled,
    /// Not fetched: robots.txt forbids it, or could not be had.
    Refused,
    /// Not fetched: the address guard refuses where it points.
    Guarded,
    /// Our own failing: a visit that panicked.
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
            Self::Refused => "refused",
            Self::Guarded => "guarded",
            Self::Failed => "failed",
        }
    }
}

/// One entry of a sitemap or feed.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
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
    /// What was found there, in words.
    pub what: String,
    /// How many such places.
    pub count: u64,
}

/// The canonical that counts, of those a page gives.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum CanonicalGiven {
    /// None, in `head` or header.
    #[default]
    None,
    /// One.
    One(Target),
    /// Several that conflict: ignored, and reported.
    Conflict,
    /// One that is no http(s) URL: ignored, and reported.
    Unusable,
}

/// What identifies the bytes of an answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Seal {
    /// `ETag`, bounded.
    pub etag: Option<String>,
    /// `Last-Modified` as sent, bounded.
    pub last_modified: Option<String>,
    /// Keyed hash of the decoded body.
    pub hash: Option<u64>,
}

/// Why a visit says what an earlier one saw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Carried {
    /// The server vouched for it: 304.
    Vouched,
    /// It was not asked for.
    Unasked,
}

/// Everything that the record keeps of one request (or of the decision not to make it).
#[derive(Debug, Clone)]
pub struct Visit {
    /// What was asked.
    pub task: Task,
    /// When.
    pub at: Timestamp,
    /// What became of it.
    pub outcome: Outcome,
    /// Whether the task will be tried again: then this is not the last word.
    pub to_be_tried_again: bool,
    /// The status, where there was a response head.
    pub status: Option<u16>,
    /// The cause, where there was no answer.
    pub failure: Option<FailureKind>,
    /// What went wrong, in words; bounded.
    pub detail: Option<String>,
    /// Why it was not fetched.
    pub refusal: Option<Refusal>,
    /// Time to the first byte of the head.
    pub first_byte: Option<Duration>,
    /// Time of the whole attempt.
    pub total: Option<Duration>,
    /// Bytes on the wire.
    pub wire_bytes: u64,
    /// Bytes of the decoded body.
    pub body_bytes: u64,
    /// The body was longer than the limit, and was cut there.
    pub cut: bool,
    /// What the body is.
    pub media: Option<Media>,
    /// What identifies it.
    pub seal: Seal,
    /// Where a redirect (or an instant refresh) leads.
    pub target: Option<Target>,
    /// The canonical that counts.
    pub canonical: CanonicalGiven,
    /// The directives that bind.
    pub binding: Binding,
    /// What the page says.
    pub facts: Option<Box<PageFacts>>,
    /// Its links and resources.
    pub links: Links,
    /// Pages of its own pattern that it links and that were known before, where that pattern may be one of identifiers.
    pub again: Vec<UrlId>,
    /// Entries, where it is a sitemap or feed.
    pub entries: Vec<Entry>,
    /// It is a sitemap or feed that was not read to its end, or is none.
    pub unfinished: bool,
    /// What is wrong with a sitemap, where an audit asks.
    pub faults: Vec<SitemapFault>,
    /// The text of a robots file.
    pub robots_text: Option<String>,
    /// What an earlier run saw stands: the record carries it over.
    pub carried: Option<Carried>,
}

impl Visit {
    /// A visit of which nothing is known yet.
    #[must_use]
    pub fn new(task: Task, at: Timestamp, outcome: Outcome) -> Self {
        Self {
            task,
            at,
            outcome,
            to_be_tried_again: false,
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
            seal: Seal::default(),
            target: None,
            canonical: CanonicalGiven::None,
            binding: Binding::default(),
            facts: None,
            links: Links::default(),
            again: Vec::new(),
            entries: Vec::new(),
            unfinished: false,
            faults: Vec::new(),
            robots_text: None,
            carried: None,
        }
    }

    /// The URL that was asked for.
    #[must_use]
    pub fn url(&self) -> &PageUrl {
        &self.task.url
    }

    /// What the page says, or the bytes of a file, by which it may be told from others; `None` where that is only
    /// remembered. Data says nothing, but where its kind is one of those `listed`.
    #[must_use]
    pub fn content(&self, listed: Kinds) -> Option<Content<'_>> {
        if self.carried.is_some() {
            return None;
        }
        if self.outcome == Outcome::File {
            let is_data = self.media.as_ref().is_some_and(|media| media.is_data() && !listed.contains(media.kind));
            let blocks = if is_data { &[] } else { self.seal.hash.as_slice() };
            return Some(Content { blocks, numbers: 0, whole: &[], has_new_media: false, is_data });
        }
        let facts = self.facts.as_ref()?;
        let has_new_media = self.links.iter().any(|(target, link)| {
            let is_shown = matches!(link.kind, LinkKind::Image | LinkKind::Media | LinkKind::Frame);
            is_shown && matches!(target, Target::New(..))
        });
        let (blocks, numbers) = (facts.unnumbered.blocks.as_slice(), facts.unnumbered.numbers);
        Some(Content { blocks, numbers, whole: &facts.blocks, has_new_media, is_data: false })
    }

    /// Whether the failure may be one of the hour and not of the page: no answer, a broken one, throttling, 5xx.
    #[must_use]
    pub fn is_bad_hour(&self) -> bool {
        match self.outcome {
            Outcome::NoAnswer | Outcome::Broken | Outcome::Throttled => true,
            Outcome::Status => self.status.is_some_and(|status| status >= 500),
            _ => false,
        }
    }

    /// Whether the answer counts as a success of its URL: 200, 203, or 304 of what was one of them.
    #[must_use]
    pub fn answered_well(&self) -> bool {
        matches!(self.status, Some(200 | 203)) && matches!(self.outcome, Outcome::Page | Outcome::File)
    }
}
