//! The parts of the explanation of one URL.

use crate::read::explain_scripts::ExplainedScripts;
use crate::run_state::RunState;
use mapwright_model::{Outcome, Via};
use mapwright_verdict::Reason;
use mapwright_web::page::facts::PlacedDirectives;
use mapwright_web::robots::RuleLine;

/// Everything known about a URL.
#[derive(Debug, Clone, Default)]
pub struct Explained {
    /// The newest run.
    pub run: i64,
    /// The state of the newest run.
    pub run_state: RunState,
    /// True if the newest run published its sitemap; `None` where it has not ended.
    pub published: Option<bool>,
    /// True if a sitemap published by a run of this record is in its directory.
    pub sitemap_in_place: bool,
    /// The verdict of the newest run; `None` where that run did not find the URL.
    pub verdict: Option<StoredVerdict>,
    /// The last run that found the URL, with its verdict.
    pub last_found: Option<(i64, StoredVerdict)>,
    /// True if that run published its sitemap.
    pub last_published: bool,
    /// The page that seems to replace it, by title and text, where the newest run did not find it.
    pub seems_moved_to: Option<String>,
    /// The first discovery of the URL in the last run that found it: the way, and the page or file that names it.
    pub found: Option<(Via, Option<String>)>,
    /// The shortest click path from a start URL, with the anchor texts.
    pub path: Vec<Step>,
    /// The site's own sitemaps and feeds that list it, each with its date for the URL.
    pub listed_in: Vec<(String, Option<String>)>,
    /// Pages that redirect here; the first twenty.
    pub redirects_here: Vec<String>,
    /// Pages that name it as their canonical; the first twenty.
    pub canonical_of: Vec<String>,
    /// Its latest twenty responses, newest first.
    pub answers: Vec<ResponseRow>,
    /// The robots.txt rule for the URL.
    pub robots: Option<RobotsRuling>,
    /// Its robots directives.
    pub directives: Vec<PlacedDirectives>,
    /// Its canonical, that one's canonical, and so on.
    pub canonicals: Vec<String>,
    /// Other pages with the same bytes; the first twenty.
    pub duplicates: Vec<String>,
    /// Its scripts; `None` where they were no question.
    pub scripts: Option<ExplainedScripts>,
    /// The history of its content.
    pub history: Option<History>,
}

/// The history of a page's content, with times in milliseconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct History {
    /// The time of the first visit.
    pub first: Option<i64>,
    /// The time of the visit that saw the last change.
    pub changed: Option<i64>,
    /// The number of changes seen.
    pub changes: u32,
}

/// A verdict from the record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredVerdict {
    /// The reason for its exclusion; `None` where it is listed.
    pub reason: Option<Reason>,
    /// The URL that the reason rests on.
    pub evidence: Option<String>,
    /// The number of pages that link to it.
    pub inlinks: u32,
    /// Clicks from the start.
    pub depth: Option<u32>,
    /// Its last modification date, and the source of that date.
    pub lastmod: Option<(String, String)>,
    /// The number of runs for which it has been failing while it stays listed.
    pub kept: u32,
}

/// One click.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The page that it leads to.
    pub url: String,
    /// The text of the link; `None` for the start, and for redirects.
    pub anchor: Option<String>,
}

/// One response, or the decision not to request the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResponseRow {
    /// The run.
    pub run: i64,
    /// The time, in milliseconds since 1970.
    pub at: i64,
    /// The outcome.
    pub outcome: Outcome,
    /// The status.
    pub status: Option<u16>,
    /// The code of the failure, where there was no status.
    pub failure: Option<String>,
    /// The failure in words.
    pub detail: Option<String>,
    /// The duration of the complete request in milliseconds.
    pub total_ms: Option<u64>,
    /// 0 for a response, 1 where a 304 revalidated the one before, 2 where the page was not requested.
    pub reused: u8,
    /// The target of its redirect.
    pub target: Option<String>,
    /// It was retried afterwards.
    pub again: bool,
}

/// The robots.txt rule for a URL.
#[derive(Debug, Clone, PartialEq)]
pub struct RobotsRuling {
    /// The file.
    pub file: String,
    /// Its status.
    pub status: Option<u16>,
    /// True if the URL may be fetched, with the line that decided; `None` where no rules are known.
    pub ruling: Option<(bool, Option<RuleLine>)>,
}
