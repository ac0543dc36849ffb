//! What an explanation of one URL consists of.

use crate::run_state::RunState;
use mapwright_engine::Outcome;
use mapwright_frontier::Via;
use mapwright_verdict::Reason;
use mapwright_web::page::facts::PlacedDirectives;
use mapwright_web::robots::RuleLine;

/// What is known of a URL.
#[derive(Debug, Clone, Default)]
pub struct Explained {
    /// The newest run.
    pub run: i64,
    /// How it stands.
    pub run_state: RunState,
    /// Whether the newest run published its sitemap; `None` where it has not ended.
    pub published: Option<bool>,
    /// Whether a sitemap that a run of this record published stands in its directory.
    pub stands: bool,
    /// The verdict of the newest run; `None` where that run did not meet the URL.
    pub verdict: Option<Judged>,
    /// The last run that met it, and the verdict then.
    pub last_met: Option<(i64, Judged)>,
    /// Whether that run published its sitemap.
    pub last_published: bool,
    /// Where the newest run did not meet it: the page that seems to stand in its place, by title and text.
    pub seems_moved_to: Option<String>,
    /// How the run that met it last came to know it first.
    pub found: Option<(Via, Option<String>)>,
    /// The shortest click path from a start URL, with the anchor texts.
    pub path: Vec<Step>,
    /// The site's own sitemaps and feeds that list it, with the date that they give.
    pub listed_in: Vec<(String, Option<String>)>,
    /// Pages that redirect here; the first twenty.
    pub redirects_here: Vec<String>,
    /// Pages that name it as their canonical; the first twenty.
    pub canonical_of: Vec<String>,
    /// Its answers, newest first; the latest twenty.
    pub answers: Vec<Answered>,
    /// What robots.txt says.
    pub robots: Option<RobotsSays>,
    /// The directives that it gave.
    pub directives: Vec<PlacedDirectives>,
    /// Its canonical, that one's canonical, and so on.
    pub canonicals: Vec<String>,
    /// Other pages with the same bytes; the first twenty.
    pub duplicates: Vec<String>,
    /// What runs have seen of its content.
    pub history: Option<History>,
}

/// What runs have seen of a page's content, in milliseconds since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct History {
    /// When it was first seen.
    pub first: Option<i64>,
    /// When it was last seen to have changed.
    pub changed: Option<i64>,
    /// How often it was.
    pub changes: u32,
}

/// A verdict, as it was recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    /// Why it is left out; `None` where it is listed.
    pub reason: Option<Reason>,
    /// The URL that the reason rests on.
    pub evidence: Option<String>,
    /// Pages that link to it.
    pub inlinks: u32,
    /// Clicks from the start.
    pub depth: Option<u32>,
    /// Its date, and where that comes from.
    pub lastmod: Option<(String, String)>,
    /// For how many runs it has been failing, and stays listed all the same.
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

/// One answer, or the decision not to ask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answered {
    /// The run.
    pub run: i64,
    /// When, in milliseconds since 1970.
    pub at: i64,
    /// What became of it.
    pub outcome: Outcome,
    /// The status.
    pub status: Option<u16>,
    /// Why there was none.
    pub failure: Option<String>,
    /// The same in words.
    pub detail: Option<String>,
    /// Milliseconds of the whole attempt.
    pub total_ms: Option<u64>,
    /// 0 for an answer, 1 where a 304 vouched for the one before, 2 where the page was not asked for.
    pub carried: u8,
    /// Where it redirects to.
    pub target: Option<String>,
    /// It was tried again after this.
    pub again: bool,
}

/// What robots.txt says of a URL.
#[derive(Debug, Clone, PartialEq)]
pub struct RobotsSays {
    /// The file.
    pub file: String,
    /// Its status.
    pub status: Option<u16>,
    /// Whether the URL may be fetched, and the line that decided; `None` where there are no rules to ask.
    pub ruling: Option<(bool, Option<RuleLine>)>,
}
