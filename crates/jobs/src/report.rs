//! What happened, for people and machines.

use mapwright_audit::Severity;
use mapwright_audit::figures::Tally;
use mapwright_engine::{How, Refused};
use mapwright_publish::{Published, Refusal};
use mapwright_store::Counts;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// Everything a summary tells of one run.
#[derive(Debug)]
pub struct Report {
    /// Number of the run in its record.
    pub run: i64,
    /// Where the record is.
    pub state: PathBuf,
    /// Whether the crawl is whole.
    pub how: How,
    /// Why nothing could be crawled: what each start URL answered; empty if one answered 200.
    pub unanswered: Vec<Answer>,
    /// What keeps search engines from start pages, each in a sentence.
    pub starts_kept_out: Vec<String>,
    /// Figures.
    pub counts: Counts,
    /// Tasks still queued.
    pub queued: u64,
    /// `--max-urls` was reached.
    pub budget_spent: bool,
    /// What limits refused.
    pub refused: Refused,
    /// Origins that went down.
    pub down: Vec<String>,
    /// What became of the sitemap.
    pub publication: Publication,
    /// What the audit came to, where one was asked for.
    pub audited: Option<Audited>,
    /// The `Sitemap:` lines that robots.txt of the hosts is to have.
    pub robots_lines: Vec<RobotsLine>,
    /// What was told when the run began.
    pub notices: Vec<String>,
    /// What was assumed or noticed, and what to do about it.
    pub notes: Vec<String>,
    /// Wall-clock time.
    pub took: Duration,
}

/// A `Sitemap:` line that a host's robots.txt is to have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RobotsLine {
    /// The host's origin.
    pub host: String,
    /// The line.
    pub line: String,
    /// The host's robots.txt was asked for, and has no such line; else it is not known what it has.
    pub asked: bool,
}

/// What became of a start URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The start URL.
    pub url: String,
    /// What it answered, in words.
    pub what: String,
    /// What it does instead of answering well, see [`mapwright_store::StartFate::instead`].
    pub instead: Option<&'static str>,
    /// What to do about it.
    pub remedy: &'static str,
}

/// What became of the sitemap.
#[derive(Debug)]
pub enum Publication {
    /// Published into this directory.
    Published(PathBuf, Published),
    /// Written to standard output.
    Printed(Published),
    /// Not published; what was there is as it was.
    Held(Held),
    /// None was to be published.
    NotAsked,
}

/// What an audit came to.
#[derive(Debug)]
pub struct Audited {
    /// The files that were written.
    pub files: Vec<PathBuf>,
    /// How often each kind of finding was made.
    pub tallies: Vec<Tally>,
    /// Findings by severity, those of the baseline apart.
    pub counts: [(Severity, u64); 3],
    /// Findings of the audit before that are gone.
    pub fixed: u64,
    /// What keeps search engines from start pages, each in a sentence.
    pub starts_kept_out: Vec<String>,
    /// Checks that were not made, and why.
    pub notes: Vec<String>,
    /// Rules that are broken, each in a sentence.
    pub broken_rules: Vec<String>,
}

impl Audited {
    /// How many findings are new and back, by kind, as the record keeps it: of a group of URLs it knows each, and not
    /// that they are one finding.
    pub(crate) fn arrivals(&self) -> serde_json::Value {
        let come = self.tallies.iter().filter(|tally| tally.fresh > 0);
        let counts = |tally: &Tally| {
            let counts = serde_json::json!({ "new": tally.fresh - tally.regressed, "regressed": tally.regressed });
            (tally.code.as_str().to_owned(), counts)
        };
        come.map(counts).collect::<serde_json::Map<_, _>>().into()
    }
}

/// Why a sitemap was not published.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Held {
    /// No start URL answered 200.
    NothingCrawled,
    /// The crawl was cut.
    Cut,
    /// A guard refused.
    Refused(Refusal),
}

impl fmt::Display for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NothingCrawled => f.write_str("no start URL answered 200"),
            Self::Cut => f.write_str("the crawl was cut short"),
            Self::Refused(Refusal::Empty) => f.write_str("no page is to be listed"),
            Self::Refused(Refusal::Shrunk { before, now }) => {
                write!(f, "the sitemap would shrink from {before} to {now} URLs")
            }
        }
    }
}
