//! The summary as JSON.

use crate::exit::Exit;
use mapwright_audit::Severity;
use mapwright_crawl::{Audited, NotPublished, Publication, RobotsLine, RunReport};
use mapwright_engine::{Completeness, Cut};
use mapwright_publish::ShrinkRefusal;
use mapwright_store::RenderingCounts;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

/// The summary of a crawl.
#[derive(Serialize)]
pub(crate) struct SummaryJson<'r> {
    exit: u8,
    /// Number of the run in its record.
    run: i64,
    /// The folder of the record.
    state: String,
    /// `complete`, or what cut the crawl short.
    ended: &'static str,
    seconds: f64,
    fetched: u64,
    not_modified: u64,
    not_requested: u64,
    listed: u64,
    refused: u64,
    /// Listed though they fail: they were fine in an earlier run.
    kept_failing: u64,
    /// URLs left out of the sitemap, by reason.
    excluded: BTreeMap<&'static str, u64>,
    other_sites: u64,
    queued: u64,
    max_urls_reached: bool,
    wire_bytes: u64,
    slowest: Vec<SlowJson<'r>>,
    starts_excluded: &'r [String],
    starts_unanswered: Vec<UnansweredJson<'r>>,
    /// Origins that went down.
    down: &'r [String],
    crawl_traps: Vec<TrapJson<'r>>,
    /// The pages whose scripts ran.
    rendering: RenderingJson<'r>,
    sitemap_files_not_read: u64,
    feeds_not_read: bool,
    sitemap: PublicationJson<'r>,
    audit: Option<AuditJson<'r>>,
    robots_lines: Vec<RobotsLineJson<'r>>,
    notes: Vec<&'r str>,
}

/// A slow page.
#[derive(Serialize)]
struct SlowJson<'r> {
    url: &'r str,
    /// Milliseconds of the complete request.
    ms: u64,
}

/// A start URL without an answer of 200.
#[derive(Serialize)]
struct UnansweredJson<'r> {
    url: &'r str,
    what: &'r str,
}

/// A URL pattern proven endless, and the number of URLs refused.
#[derive(Serialize)]
struct TrapJson<'r> {
    pattern: &'r str,
    refused: u64,
}

/// A `Sitemap:` line that a robots.txt lacks.
#[derive(Serialize)]
struct RobotsLineJson<'r> {
    host: &'r str,
    line: &'r str,
    /// The robots.txt was requested and lacks the line; otherwise its content is unknown.
    requested: bool,
}

/// The sitemap, and why none was published.
#[derive(Default, Serialize)]
struct PublicationJson<'r> {
    published: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    directory: Option<String>,
    #[serde(flatten)]
    files: Option<FilesJson<'r>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    urls: Option<u64>,
}

/// The names of the published files.
#[derive(Serialize)]
struct FilesJson<'r> {
    entry_point: &'r str,
    further_indexes: &'r [String],
    parts: &'r [String],
}

/// The pages whose scripts ran.
#[derive(Serialize)]
struct RenderingJson<'r> {
    pages: u64,
    /// Those that could not be rendered to the end.
    cut: u64,
    requests: u64,
    bytes: u64,
    /// The time of all renderings.
    seconds: f64,
    browser: Option<&'r str>,
}

impl<'r> RenderingJson<'r> {
    fn of(report: &'r RunReport) -> Self {
        let RenderingCounts { pages, cut, requests, bytes, millis } = report.counts.rendering;
        Self { pages, cut, requests, bytes, seconds: millis as f64 / 1000.0, browser: report.browser.as_deref() }
    }
}

/// The result of an audit.
#[derive(Serialize)]
pub(crate) struct AuditJson<'r> {
    files: Vec<String>,
    /// Findings by severity, without those of the baseline.
    findings: BTreeMap<&'static str, u64>,
    /// Findings by check.
    checks: BTreeMap<&'r str, TallyJson>,
    fixed: u64,
    starts_excluded: &'r [String],
    broken_rules: &'r [String],
    notes: &'r [String],
}

/// The counts of a check.
#[derive(Serialize)]
struct TallyJson {
    severity: Severity,
    count: u64,
    /// Those of the baseline.
    accepted: u64,
    new: u64,
    fixed: u64,
}

/// The result of an audit of a record, without a crawl.
#[derive(Serialize)]
pub(crate) struct AuditOfRecordJson<'r> {
    pub(crate) exit: u8,
    pub(crate) audit: AuditJson<'r>,
}

impl<'r> SummaryJson<'r> {
    pub(crate) fn of(report: &'r RunReport, exit: Exit) -> Self {
        let counts = &report.counts;
        let endless = report.refused.endless.iter();
        Self {
            exit: exit.code(),
            run: report.run,
            state: shown(&report.state),
            ended: ended(report.how),
            seconds: report.took.as_secs_f64(),
            fetched: counts.fetched,
            not_modified: counts.revalidated,
            not_requested: counts.not_requested,
            listed: counts.listed,
            refused: counts.refused,
            kept_failing: counts.kept,
            excluded: counts.excluded.iter().map(|(reason, count)| (reason.as_str(), *count)).collect(),
            other_sites: counts.other_sites,
            queued: report.queued,
            max_urls_reached: report.budget_spent,
            wire_bytes: counts.wire_bytes,
            slowest: counts.slowest.iter().map(|slow| SlowJson { url: &slow.url, ms: slow.millis }).collect(),
            starts_excluded: &report.starts_excluded,
            starts_unanswered: report
                .unanswered
                .iter()
                .map(|start| UnansweredJson { url: &start.url, what: &start.what })
                .collect(),
            down: &report.down,
            crawl_traps: endless.map(|(pattern, refused)| TrapJson { pattern, refused: *refused }).collect(),
            rendering: RenderingJson::of(report),
            sitemap_files_not_read: report.refused.sitemap_files,
            feeds_not_read: report.refused.feeds,
            sitemap: PublicationJson::of(&report.publication),
            audit: report.audited.as_ref().map(AuditJson::of),
            robots_lines: report.robots_lines.iter().map(RobotsLineJson::from).collect(),
            notes: report.notices.iter().chain(&report.notes).map(String::as_str).collect(),
        }
    }
}

impl<'r> From<&'r RobotsLine> for RobotsLineJson<'r> {
    fn from(row: &'r RobotsLine) -> Self {
        Self { host: &row.host, line: &row.line, requested: row.requested }
    }
}

impl<'r> PublicationJson<'r> {
    fn of(publication: &'r Publication) -> Self {
        let refused = |reason| Self { reason: Some(reason), ..Self::default() };
        match publication {
            Publication::Published(directory, set) => Self {
                published: true,
                directory: Some(shown(directory)),
                files: Some(FilesJson {
                    entry_point: &set.entry_point,
                    further_indexes: &set.further_indexes,
                    parts: &set.parts,
                }),
                urls: Some(set.urls),
                reason: None,
            },
            Publication::Printed(set) => Self { published: true, urls: Some(set.urls), ..Self::default() },
            Publication::NotPublished(why) => refused(reason(*why)),
            Publication::NotRequested => refused("audit"),
        }
    }
}

impl<'r> AuditJson<'r> {
    pub(crate) fn of(audited: &'r Audited) -> Self {
        let tallies = audited.tallies.iter().map(|tally| {
            let (severity, count, accepted) = (tally.severity, tally.count, tally.accepted);
            let counts = TallyJson { severity, count, accepted, new: tally.new_or_regressed, fixed: tally.fixed };
            (tally.check.code, counts)
        });
        Self {
            files: audited.files.iter().map(|file| shown(file)).collect(),
            findings: audited.counts.iter().map(|(severity, count)| (severity.as_str(), *count)).collect(),
            checks: tallies.collect(),
            fixed: audited.fixed,
            starts_excluded: &audited.starts_excluded,
            broken_rules: &audited.broken_rules,
            notes: &audited.notes,
        }
    }
}

/// A path as text: JSON has no bytes that are not Unicode.
fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn ended(how: Completeness) -> &'static str {
    match how {
        Completeness::Complete => "complete",
        Completeness::Cut(Cut::Stopped) => "stopped",
        Completeness::Cut(Cut::Time) => "time",
        Completeness::Cut(Cut::SiteDown) => "site-down",
        Completeness::Cut(Cut::Disk) => "disk",
        Completeness::Cut(Cut::Browser) => "browser",
    }
}

fn reason(why: NotPublished) -> &'static str {
    match why {
        NotPublished::NothingCrawled => "nothing-crawled",
        NotPublished::Cut => "cut",
        NotPublished::Refused(ShrinkRefusal::Empty) => "empty",
        NotPublished::Refused(ShrinkRefusal::Shrunk { .. }) => "shrunk",
    }
}
