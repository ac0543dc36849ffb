//! The report of a run, for people and machines.

use mapwright_audit::Severity;
use mapwright_audit::figures::Tally;
use mapwright_engine::{Completeness, LimitCounts};
use mapwright_publish::{PublishedSet, ShrinkRefusal};
use mapwright_store::{Arrivals, Counts};
use mapwright_text::counted;
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// The contents of the summary of one run.
#[derive(Debug)]
pub struct RunReport {
    /// Number of the run in its record.
    pub run: i64,
    /// The folder of the record.
    pub state: PathBuf,
    /// The completeness of the crawl: complete, or interrupted and why.
    pub how: Completeness,
    /// The answers of the start URLs, if nothing could be crawled; empty if one answered 200.
    pub unanswered: Vec<StartAnswer>,
    /// Directives that keep search engines from start pages, each in a sentence.
    pub starts_excluded: Vec<String>,
    /// Figures.
    pub counts: Counts,
    /// The browser that ran the scripts of pages, in words, if it was started.
    pub browser: Option<String>,
    /// Tasks still queued.
    pub queued: u64,
    /// The limit `--max-urls` was reached.
    pub budget_spent: bool,
    /// The numbers that the limits refused.
    pub refused: LimitCounts,
    /// Origins that went down.
    pub down: Vec<String>,
    /// The result of the publication.
    pub publication: Publication,
    /// The result of the audit, if one was requested.
    pub audited: Option<Audited>,
    /// The `Sitemap:` lines that the robots.txt of the hosts lack.
    pub robots_lines: Vec<RobotsLine>,
    /// Notices that were reported when the run began.
    pub notices: Vec<String>,
    /// Assumptions and observations, and what to do about them.
    pub notes: Vec<String>,
    /// Wall-clock time.
    pub took: Duration,
}

/// A `Sitemap:` line that the robots.txt of a host lacks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RobotsLine {
    /// The host's origin.
    pub host: String,
    /// The line.
    pub line: String,
    /// The robots.txt of the host was requested and has no such line. Otherwise its content is not known.
    pub requested: bool,
}

/// The answer of a start URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartAnswer {
    /// The start URL.
    pub url: String,
    /// The answer, in words.
    pub what: String,
    /// The behaviour in place of a 200 answer, the same from run to run.
    pub instead: Option<&'static str>,
    /// The hint.
    pub hint: &'static str,
}

/// The result of the publication of a sitemap.
#[derive(Debug)]
pub enum Publication {
    /// Published into this directory.
    Published(PathBuf, PublishedSet),
    /// Written to standard output.
    Printed(PublishedSet),
    /// Not published; the previous sitemap is unchanged.
    NotPublished(NotPublished),
    /// Not published, because the job publishes no sitemap.
    NotRequested,
}

/// The result of an audit.
#[derive(Debug)]
pub struct Audited {
    /// The files that were written.
    pub files: Vec<PathBuf>,
    /// The number of findings of each kind.
    pub tallies: Vec<Tally>,
    /// Findings by severity, without those of the baseline.
    pub counts: [(Severity, u64); 3],
    /// Findings of the previous audit that are fixed.
    pub fixed: u64,
    /// Directives that keep search engines from start pages, each in a sentence.
    pub starts_excluded: Vec<String>,
    /// Checks that did not run, and why.
    pub notes: Vec<String>,
    /// Rules that are broken, each in a sentence.
    pub broken_rules: Vec<String>,
}

impl Audited {
    /// Returns the number of new and of regressed findings by kind, for the record, which stores the URLs of a group
    /// one by one and not that they are one finding.
    pub(crate) fn arrivals(&self) -> BTreeMap<String, Arrivals> {
        let come = self.tallies.iter().filter(|tally| tally.new_or_regressed > 0);
        let counts = |tally: &Tally| {
            let arrivals = Arrivals { new: tally.new_or_regressed - tally.regressed, regressed: tally.regressed };
            (tally.check.code.to_owned(), arrivals)
        };
        come.map(counts).collect()
    }
}

/// The reason why a sitemap was not published.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotPublished {
    /// No start URL answered 200.
    NothingCrawled,
    /// The crawl was interrupted.
    Cut,
    /// The shrink guard refused it.
    Refused(ShrinkRefusal),
}

impl fmt::Display for NotPublished {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NothingCrawled => f.write_str("no start URL answered 200"),
            Self::Cut => f.write_str("the crawl was cut short"),
            Self::Refused(ShrinkRefusal::Empty) => f.write_str("no page is to be listed"),
            Self::Refused(ShrinkRefusal::Shrunk { before, now }) => {
                write!(f, "the sitemap would shrink from {before} to {}", counted(*now, "URL"))
            }
        }
    }
}
