//! The findings of a job's newest audit, read from its `report.json`: one per line, the most severe first.

use crate::deadline::Deadline;
use crate::problem::Problem;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use utoipa::{IntoParams, ToSchema};

/// The report that findings are read from.
pub(crate) const REPORT: &str = "report.json";
/// Number of findings on a page.
pub(crate) const PAGE: u64 = 100;
/// Maximum length of a line, in bytes: a finding about very many URLs.
const MAX_LINE: u64 = 32 << 20;
/// Number of lines between two checks of the deadline.
const STRIDE: u64 = 512;

/// The filter of findings; an empty field does not filter.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub(crate) struct FindingFilter {
    pub(crate) code: String,
    /// `error`, `warning` or `notice`.
    pub(crate) severity: String,
    /// `new`, `persisting`, `regressed`, `accepted`, or `open`: not accepted.
    pub(crate) state: String,
    /// A part of a URL or of the message, in any case.
    pub(crate) q: String,
    /// The page number, from 1.
    #[serde(default = "first")]
    #[param(minimum = 1, default = 1)]
    pub(crate) page: u64,
}

fn first() -> u64 {
    1
}

/// The severities that a finding may have.
pub(crate) const SEVERITIES: [&str; 3] = ["error", "warning", "notice"];
/// The states to filter by, each with its label.
pub(crate) const STATES: [(&str, &str); 5] = [
    ("open", "not accepted"),
    ("new", "new"),
    ("persisting", "persisting"),
    ("regressed", "regressed"),
    ("accepted", "accepted"),
];

/// A check, and the number of its findings.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
pub(crate) struct Check {
    pub(crate) code: String,
    pub(crate) severity: String,
    pub(crate) reason: String,
    pub(crate) fix: String,
    pub(crate) count: u64,
}

/// The audited run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
pub(crate) struct AuditedRun {
    pub(crate) number: i64,
    pub(crate) started: String,
    pub(crate) complete: bool,
}

/// A page that links to the URL of a finding.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
pub(crate) struct Referrer {
    pub(crate) url: String,
    pub(crate) anchor: String,
    pub(crate) region: String,
    #[serde(default)]
    pub(crate) nofollow: bool,
}

/// A finding with its evidence.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(default)]
pub(crate) struct Finding {
    pub(crate) code: String,
    pub(crate) severity: String,
    pub(crate) state: String,
    pub(crate) accepted: bool,
    /// The URLs of the finding; the site's start URL if it is about the entire site.
    pub(crate) urls: Vec<String>,
    #[serde(skip_serializing)]
    url: Option<String>,
    #[serde(skip_serializing)]
    site: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) pattern: Option<String>,
    pub(crate) message: String,
    pub(crate) linked_from: Vec<Referrer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) linked_from_count: Option<u64>,
    pub(crate) chain: Vec<String>,
    #[serde(rename = "final", skip_serializing_if = "Option::is_none")]
    pub(crate) target: Option<String>,
    pub(crate) sitemaps: Vec<String>,
    pub(crate) entrances: Vec<String>,
    pub(crate) examples: Vec<String>,
}

/// The fields of a finding that filters need.
#[derive(Debug, Deserialize)]
struct Outline<'l> {
    #[serde(borrow)]
    code: Cow<'l, str>,
    #[serde(borrow)]
    severity: Cow<'l, str>,
    #[serde(borrow)]
    state: Cow<'l, str>,
    #[serde(default)]
    accepted: bool,
}

/// The findings that match.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) run: AuditedRun,
    pub(crate) checks: Vec<Check>,
    /// The number of all findings.
    pub(crate) all: u64,
    /// The number of matching findings.
    pub(crate) matching: u64,
    /// A page of matching findings.
    pub(crate) findings: Vec<Finding>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    Rules,
    Findings,
    Other,
}

/// Reads the report in this directory.
///
/// # Errors
/// When there is no report, it is invalid, or reading takes too long.
pub(crate) fn read(reports: &Path, filter: &FindingFilter, deadline: Deadline) -> Result<Found, Problem> {
    let missing =
        || Problem::new(StatusCode::NOT_FOUND, "there is no report yet: no run of this job has ended with one");
    let unreadable = |_| Problem::new(StatusCode::SERVICE_UNAVAILABLE, "the report (report.json) cannot be read");
    let mut lines = BufReader::with_capacity(1 << 16, File::open(reports.join(REPORT)).map_err(|_| missing())?);
    let (mut found, mut section, mut number, mut line) = (Found::default(), Section::Other, 0_u64, Vec::new());
    let needle = filter.q.trim().to_lowercase();
    loop {
        line.clear();
        let read = (&mut lines).take(MAX_LINE).read_until(b'\n', &mut line).map_err(unreadable)?;
        if read == 0 {
            return Ok(found);
        }
        number += 1;
        if number.is_multiple_of(STRIDE) {
            deadline.check()?;
        }
        let row = line.trim_ascii_end().strip_suffix(b",").unwrap_or(line.trim_ascii_end());
        match (row.first(), section) {
            (Some(b'"'), _) => section = begin(row, &mut found),
            (Some(b'{'), Section::Rules) => found.checks.extend(serde_json::from_slice::<Check>(row).ok()),
            (Some(b'{'), Section::Findings) => take(row, filter, &needle, &mut found),
            _ => {}
        }
    }
}

/// A member of the report's object.
fn begin(row: &[u8], found: &mut Found) -> Section {
    if let Some(run) = row.strip_prefix(b"\"run\": ") {
        found.run = serde_json::from_slice(run).unwrap_or_default();
    }
    match row {
        b"\"rules\": [" => Section::Rules,
        b"\"findings\": [" => Section::Findings,
        _ => Section::Other,
    }
}

fn take(row: &[u8], filter: &FindingFilter, needle: &str, found: &mut Found) {
    found.all += 1;
    let Ok(outline) = serde_json::from_slice::<Outline<'_>>(row) else { return };
    if !filter.fits(&outline) || !(needle.is_empty() || mentions(row, needle)) {
        return;
    }
    let first = filter.page.saturating_sub(1).saturating_mul(PAGE);
    if found.matching >= first && found.matching < first.saturating_add(PAGE) {
        found.findings.extend(Finding::read(row));
    }
    found.matching += 1;
}

/// Returns whether the URLs or the message of a finding contain a text.
fn mentions(row: &[u8], needle: &str) -> bool {
    Finding::read(row).is_some_and(|finding| {
        let texts = finding.urls.iter().chain(&finding.pattern).chain([&finding.message]);
        texts.into_iter().any(|text| text.to_lowercase().contains(needle))
    })
}

impl FindingFilter {
    /// Checks that the filter's values exist. (Pages show all findings if they do not.)
    ///
    /// # Errors
    /// When the severity, the state or the page does not exist.
    pub(crate) fn check(&self) -> Result<(), Problem> {
        one_of("severity", &self.severity, &SEVERITIES)?;
        one_of("state", &self.state, &STATES.map(|(word, _)| word))?;
        if self.page == 0 { Err(Problem::new(StatusCode::BAD_REQUEST, "pages are counted from 1")) } else { Ok(()) }
    }

    fn fits(&self, finding: &Outline<'_>) -> bool {
        let any = |filter: &str, is: &str| filter.is_empty() || filter == is;
        let state = match self.state.as_str() {
            "accepted" => finding.accepted,
            "open" => !finding.accepted,
            state => any(state, &finding.state),
        };
        state && any(&self.code, &finding.code) && any(&self.severity, &finding.severity)
    }
}

/// Refuses a word that is not in the list; an empty one is allowed.
fn one_of(field: &str, word: &str, words: &[&str]) -> Result<(), Problem> {
    if word.is_empty() || words.contains(&word) {
        return Ok(());
    }
    Err(Problem::new(StatusCode::BAD_REQUEST, format!("{field} is one of {}", words.join(", "))))
}

impl Finding {
    fn read(row: &[u8]) -> Option<Self> {
        let mut finding: Self = serde_json::from_slice(row).ok()?;
        let one = finding.url.take().or_else(|| finding.site.take());
        finding.urls.extend(one);
        Some(finding)
    }

    /// The text that identifies the finding.
    pub(crate) fn name(&self) -> &str {
        self.pattern.as_deref().or_else(|| self.urls.first().map(String::as_str)).unwrap_or_default()
    }
}
