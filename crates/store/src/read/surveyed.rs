//! The rows of a survey of a run.

use mapwright_model::{FailureKind, Outcome, Purpose, Unfetched, Via};
use mapwright_verdict::Reason;
use mapwright_web::PageFacts;
use mapwright_web::media::Media;
use mapwright_web::page::facts::{LinkKind, Region, Sketch};

/// A style sheet, a script or a manifest of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CodeRow {
    /// The number of its URL.
    pub url: u32,
    /// Its bytes, decoded.
    pub bytes: u64,
    /// The bytes that a minifier would leave, at most.
    pub minified: u64,
    /// It is a manifest that browsers cannot read.
    pub is_malformed: bool,
}

/// The facts of the newest run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunFacts {
    /// Its number.
    pub run: i64,
    /// The start time, in milliseconds since 1970.
    pub started: i64,
    /// Its start URLs.
    pub starts: Vec<String>,
    /// The roots of its scope.
    pub roots: Vec<String>,
}

/// The discovery of a URL, and the reason for which it was not fetched, if any.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiscoveryRow {
    /// The URL.
    pub url: u32,
    /// The way it was found.
    pub via: Via,
    /// The page or file that names it.
    pub parent: Option<u32>,
    /// The reason for which it may not be fetched.
    pub refused: Option<Unfetched>,
}

/// The last visit of a URL for one purpose: a request, or the decision not to make it.
#[derive(Debug, Clone)]
pub struct VisitRow {
    /// The URL.
    pub url: u32,
    /// The purpose of the request.
    pub purpose: Purpose,
    /// The time, in milliseconds since 1970.
    pub at: i64,
    /// The outcome.
    pub outcome: Outcome,
    /// The status, where there was an answer.
    pub status: Option<u16>,
    /// The cause, where there was none.
    pub failure: Option<FailureKind>,
    /// The failure in words.
    pub detail: Option<String>,
    /// The status of robots.txt, where that disallows everything.
    pub robots_status: Option<u16>,
    /// The line of robots.txt that disallows it, by number and text.
    pub robots_rule: Option<(u32, String)>,
    /// The duration of the complete request in milliseconds.
    pub total_ms: Option<u32>,
    /// The size of the decoded body in bytes.
    pub body_bytes: u64,
    /// The bytes of the body that were transferred.
    pub wire_bytes: u64,
    /// It was read in part: the body exceeds the limit, or links were left out.
    pub cut: bool,
    /// The body exceeds the limit.
    pub body_cut: bool,
    /// The media type of the body.
    pub media: Option<Media>,
    /// The target of a redirect or an instant refresh.
    pub target: Option<u32>,
    /// The canonical that counts.
    pub canonical: Option<u32>,
    /// The page says noindex.
    pub noindex: bool,
    /// The page says nofollow.
    pub nofollow: bool,
    /// It was not requested, or a 304 revalidated it: this is the response of an earlier run.
    pub reused: bool,
}

/// The verdict on a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VerdictRow {
    /// The URL.
    pub url: u32,
    /// The reason for its exclusion; `None` where it is listed.
    pub reason: Option<Reason>,
    /// Clicks from the start, if links reach it.
    pub depth: Option<u32>,
}

/// The content of a page.
#[derive(Debug, Clone)]
pub struct PageRow {
    /// The page.
    pub url: u32,
    /// Hash of its bytes.
    pub hash: u64,
    /// Its facts, without links.
    pub facts: PageFacts,
    /// The sets of its links.
    pub sets: Vec<u32>,
}

/// A link of a set.
#[derive(Debug, Clone, PartialEq)]
pub struct LinkRow {
    /// The target.
    pub target: u32,
    /// The kind of link.
    pub kind: LinkKind,
    /// It says nofollow.
    pub nofollow: bool,
    /// The region of the page that it is in.
    pub region: Region,
    /// Its text; `None` where it is the usual one of the target.
    pub anchor: Option<String>,
    /// Its fragment.
    pub fragment: Option<String>,
}

/// An entry of the site's own sitemaps and feeds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryRow {
    /// The file.
    pub file: u32,
    /// The listed URL.
    pub url: u32,
    /// Its date.
    pub lastmod: Option<String>,
    /// Its alternates in other languages: code and URL of each.
    pub alternates: Vec<(String, u32)>,
}

/// A rule of the protocol that a sitemap breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FaultRow {
    /// The file.
    pub file: u32,
    /// The rule's stable name.
    pub rule: String,
    /// The line of its first occurrence.
    pub line: u64,
    /// The text found there.
    pub what: String,
    /// The number of occurrences.
    pub count: u64,
}

/// A page as it was last read in any run: its links and redirects, and the properties for comparison with others.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RecalledRow {
    /// The page.
    pub url: u32,
    /// Hash of its bytes.
    pub hash: u64,
    /// Its title.
    pub title: Option<String>,
    /// The sketch of its text.
    pub sketch: Option<Sketch>,
    /// The target of an instant refresh.
    pub target: Option<u32>,
    /// The canonical that counted.
    pub canonical: Option<u32>,
    /// It said noindex.
    pub noindex: bool,
    /// It said nofollow.
    pub nofollow: bool,
    /// Its sets of links.
    pub sets: Vec<u32>,
}
