//! What a survey of a run hands over.

use mapwright_engine::Outcome;
use mapwright_fetch::FailureKind;
use mapwright_frontier::{Purpose, Unfetched, Via};
use mapwright_verdict::Reason;
use mapwright_web::PageFacts;
use mapwright_web::media::Media;
use mapwright_web::page::facts::{LinkKind, Region, Sketch};

/// The newest run, as it was begun and ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunFacts {
    /// Its number.
    pub run: i64,
    /// When it began, in milliseconds since 1970.
    pub started: i64,
    /// Its start URLs.
    pub starts: Vec<String>,
    /// The roots of its scope.
    pub roots: Vec<String>,
}

/// How a URL first became known, and why it was not fetched, if so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FoundRow {
    /// The URL.
    pub url: u32,
    /// The way it was found.
    pub via: Via,
    /// Where.
    pub parent: Option<u32>,
    /// Why it may not be fetched.
    pub refused: Option<Unfetched>,
}

/// The last word of one request, or of the decision not to make it.
#[derive(Debug, Clone)]
pub struct FetchedRow {
    /// The URL.
    pub url: u32,
    /// What it was asked for.
    pub purpose: Purpose,
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// What became of it.
    pub outcome: Outcome,
    /// The status, where there was an answer.
    pub status: Option<u16>,
    /// The cause, where there was none.
    pub failure: Option<FailureKind>,
    /// What went wrong, in words.
    pub detail: Option<String>,
    /// The status of robots.txt, where that forbids all.
    pub robots_status: Option<u16>,
    /// The line of robots.txt that forbids it, by number and text.
    pub robots_rule: Option<(u32, String)>,
    /// Milliseconds of the whole attempt.
    pub total_ms: Option<u32>,
    /// Bytes of the decoded body.
    pub body_bytes: u64,
    /// It was read in part: the body was longer than is read, or links were left out.
    pub cut: bool,
    /// The body was longer than is read.
    pub body_cut: bool,
    /// What the body is.
    pub media: Option<Media>,
    /// Where a redirect or an instant refresh leads.
    pub target: Option<u32>,
    /// The canonical that counts.
    pub canonical: Option<u32>,
    /// The page says noindex.
    pub noindex: bool,
    /// The page says nofollow.
    pub nofollow: bool,
    /// It was not asked for, or a 304 vouched for it: this is what an earlier run saw.
    pub carried: bool,
}

/// What was decided on a URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VerdictRow {
    /// The URL.
    pub url: u32,
    /// Why it is left out of the sitemap; listed without.
    pub reason: Option<Reason>,
    /// Clicks from the start, where links lead there.
    pub depth: Option<u32>,
}

/// What a page says.
#[derive(Debug, Clone)]
pub struct SaidRow {
    /// The page.
    pub url: u32,
    /// Hash of its bytes.
    pub hash: u64,
    /// Its facts, links apart.
    pub facts: PageFacts,
    /// The sets of its links.
    pub sets: Vec<u32>,
}

/// A link of a set.
#[derive(Debug, Clone, PartialEq)]
pub struct LinkRow {
    /// Where it points.
    pub target: u32,
    /// What gave it.
    pub kind: LinkKind,
    /// It says nofollow.
    pub nofollow: bool,
    /// The region it stands in.
    pub region: Region,
    /// Its text; none where it is the usual one of the target.
    pub anchor: Option<String>,
    /// Its fragment.
    pub fragment: Option<String>,
}

/// An entry of the site's own sitemaps and feeds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryRow {
    /// The file.
    pub file: u32,
    /// What it lists.
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
    /// The line of the first such place.
    pub line: u64,
    /// What was found there.
    pub what: String,
    /// How many such places.
    pub count: u64,
}

/// How a page led on when it was last read, in whatever run, and what it is compared with others by.
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
    /// Where an instant refresh led.
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
