//! The findings of an audit of a job, read from its `report.json`: one per line, the most severe first.

use crate::deadline::Deadline;
use crate::problem::Problem;
use axum::http::StatusCode;
use mapwright_audit::figures::AuditedRun;
use mapwright_audit::rendered_finding::RenderedFinding;
use mapwright_audit::report::json::{ReportLine, ReportReader, Rule};
use mapwright_service::{JobView, KeptReports};
use serde::Deserialize;
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use utoipa::IntoParams;

/// The report that findings are read from.
pub(crate) const REPORT: &str = "report.json";
/// Number of findings on a page.
pub(crate) const PAGE: u64 = 100;
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
    /// The number of the crawl that was audited; without it, that of the newest audit.
    pub(crate) run: String,
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

/// The findings that match.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) run: AuditedRun,
    pub(crate) rules: Vec<Rule>,
    /// The number of all findings.
    pub(crate) all: u64,
    /// The number of matching findings.
    pub(crate) matching: u64,
    /// A page of matching findings.
    pub(crate) findings: Vec<RenderedFinding>,
}

/// The reports of a job: the newest, and those of earlier audits.
#[derive(Debug)]
pub(crate) struct JobReports {
    newest: PathBuf,
    kept: KeptReports,
}

impl JobReports {
    /// The reports of a job.
    ///
    /// # Errors
    /// When the job makes no audit.
    pub(crate) fn of(job: &JobView) -> Result<Self, Problem> {
        let none = || Problem::new(StatusCode::NOT_FOUND, "this job makes no audit, and has no findings");
        let reports: &Path = job.reports.as_ref().ok_or_else(none)?;
        Ok(Self { newest: reports.join(REPORT), kept: KeptReports::of(&job.record) })
    }

    /// Returns the crawls whose audits are kept, the newest first.
    pub(crate) fn runs(&self) -> Vec<i64> {
        self.kept.runs()
    }

    /// Opens the report on this crawl, or the newest report where `run` is empty.
    fn open(&self, run: &str) -> Result<Box<dyn Read>, Problem> {
        if run.is_empty() {
            let missing = "there is no report yet: no run of this job has ended with one";
            let file = File::open(&self.newest).map_err(|_| Problem::new(StatusCode::NOT_FOUND, missing))?;
            return Ok(Box::new(file));
        }
        let missing =
            || Problem::new(StatusCode::NOT_FOUND, "there is no report on this crawl, or it is kept no longer");
        let run = run.parse().map_err(|_| missing())?;
        Ok(Box::new(self.kept.open(run).map_err(|_| missing())?))
    }
}

/// Reads the report that a filter names.
///
/// # Errors
/// When there is no such report, it is invalid, or reading takes too long.
pub(crate) fn read(reports: &JobReports, filter: &FindingFilter, deadline: Deadline) -> Result<Found, Problem> {
    let unreadable = || Problem::new(StatusCode::SERVICE_UNAVAILABLE, "the report (report.json) cannot be read");
    let file = reports.open(filter.run.trim())?;
    let lines = ReportReader::new(BufReader::with_capacity(1 << 16, file));
    let (mut run, mut rules, mut page, mut number) = (None, Vec::new(), FindingsPage::new(filter), 0_u64);
    for line in lines {
        match line.map_err(|_| unreadable())? {
            ReportLine::Run(read) => run = Some(read),
            ReportLine::Rule(rule) => rules.push(rule),
            ReportLine::Finding(finding) => page.take(*finding),
            ReportLine::Other => {}
        }
        number += 1;
        if number.is_multiple_of(STRIDE) {
            deadline.check()?;
        }
    }
    let FindingsPage { all, matching, findings, .. } = page;
    Ok(Found { run: run.ok_or_else(unreadable)?, rules, all, matching, findings })
}

/// The page of findings that a filter selects.
struct FindingsPage<'f> {
    filter: &'f FindingFilter,
    /// The text of the filter, in lower case.
    needle: String,
    all: u64,
    matching: u64,
    findings: Vec<RenderedFinding>,
}

impl<'f> FindingsPage<'f> {
    fn new(filter: &'f FindingFilter) -> Self {
        let needle = filter.q.trim().to_lowercase();
        Self { filter, needle, all: 0, matching: 0, findings: Vec::new() }
    }

    fn take(&mut self, finding: RenderedFinding) {
        self.all += 1;
        if !self.filter.fits(&finding) || !(self.needle.is_empty() || mentions(&finding, &self.needle)) {
            return;
        }
        let first = self.filter.page.saturating_sub(1).saturating_mul(PAGE);
        if self.matching >= first && self.matching < first.saturating_add(PAGE) {
            self.findings.push(finding);
        }
        self.matching += 1;
    }
}

/// Returns whether the subject or the message of a finding contains a text.
fn mentions(finding: &RenderedFinding, needle: &str) -> bool {
    let texts = [finding.subject.name(), finding.message.as_str()].into_iter();
    let texts = texts.chain(finding.subject.others().iter().map(String::as_str));
    texts.into_iter().any(|text| text.to_lowercase().contains(needle))
}

impl FindingFilter {
    /// Checks that the filter's values exist. (Pages show all findings if they do not.)
    ///
    /// # Errors
    /// When the severity, the state or the page does not exist, or the run is no number.
    pub(crate) fn check(&self) -> Result<(), Problem> {
        one_of("severity", &self.severity, &SEVERITIES)?;
        one_of("state", &self.state, &STATES.map(|(word, _)| word))?;
        if !self.run.trim().is_empty() && self.run.trim().parse::<i64>().is_err() {
            return Err(Problem::new(
                StatusCode::BAD_REQUEST,
                "run is the number of a crawl, as `mapwright runs` lists it",
            ));
        }
        if self.page == 0 { Err(Problem::new(StatusCode::BAD_REQUEST, "pages are counted from 1")) } else { Ok(()) }
    }

    /// Returns whether it selects the first page of all findings of an audit.
    pub(crate) fn is_empty(&self) -> bool {
        let Self { code, severity, state, q, page, run: _ } = self;
        *page <= 1 && [code, severity, state, q].iter().all(|field| field.trim().is_empty())
    }

    fn fits(&self, finding: &RenderedFinding) -> bool {
        let any = |filter: &str, is: &str| filter.is_empty() || filter == is;
        let state = match self.state.as_str() {
            "accepted" => finding.accepted,
            "open" => !finding.accepted,
            state => any(state, finding.state.as_str()),
        };
        state && any(&self.code, finding.check.code) && any(&self.severity, finding.severity.as_str())
    }
}

/// Refuses a word that is not in the list; an empty one is allowed.
fn one_of(field: &str, word: &str, words: &[&str]) -> Result<(), Problem> {
    if word.is_empty() || words.contains(&word) {
        return Ok(());
    }
    Err(Problem::new(StatusCode::BAD_REQUEST, format!("{field} is one of {}", words.join(", "))))
}
