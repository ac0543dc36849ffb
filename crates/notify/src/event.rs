//! The events of runs.

use jiff::Timestamp;

/// Examples kept of each list of pages, at most.
pub const MAX_EXAMPLES: usize = 20;

/// The result of a run, as a notification reports it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunEvent {
    /// The job's name.
    pub job: String,
    /// The start URL of its site.
    pub site: String,
    /// The instant at which the job was due, which identifies the run together with the job's name.
    pub scheduled_for: Timestamp,
    /// 0, unless the clock was set back and the same time was due again.
    pub occurrence: u32,
    /// The number of the run in the record, if there was one.
    pub run: Option<i64>,
    /// The kind of the event.
    pub kind: EventKind,
    /// The incident, if there is one. It distinguishes the messages of a run that is resumed and fails twice, each time
    /// for another reason.
    pub incident: Option<String>,
    /// The same incident was reported before, so only other changes are reported.
    pub incident_ongoing: bool,
    /// Pages in the sitemap now.
    pub listed: Option<u64>,
    /// Pages in the sitemap that it is compared with; `None` if there is none.
    pub listed_before: Option<u64>,
    /// Pages added to the sitemap.
    pub added: PageSample,
    /// Pages removed from the sitemap.
    pub removed: PageSample,
    /// The changes of the audit's findings.
    pub findings: FindingChanges,
    /// Advice about the site that was not given before, a sentence each.
    pub hints: Vec<String>,
    /// The URL of the run's page on the dashboard. A URL that is neither http nor https is left out of messages.
    pub link: Option<String>,
}

/// The kind of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// The run crawled and published.
    Done,
    /// The crawl, or a later step, failed.
    Failed {
        /// The reason, in one sentence.
        reason: String,
    },
    /// The shrink guard kept the previous sitemap.
    Refused {
        /// The reason, in one sentence.
        reason: String,
    },
    /// The job was due and did not run.
    Missed {
        /// The reason, as far as it is known, in one sentence.
        reason: String,
    },
    /// The first successful run after an incident.
    Recovered,
    /// A test of whether messages arrive.
    Test,
}

impl EventKind {
    /// Returns the word for the kind of the message.
    pub(crate) fn as_str(&self) -> &'static str {
        match self {
            EventKind::Done => "changes",
            EventKind::Failed { .. } => "failed",
            EventKind::Refused { .. } => "refused",
            EventKind::Missed { .. } => "missed",
            EventKind::Recovered => "recovered",
            EventKind::Test => "test",
        }
    }

    /// Returns the reason of a failure.
    pub(crate) fn reason(&self) -> Option<&str> {
        match self {
            EventKind::Failed { reason } | EventKind::Refused { reason } | EventKind::Missed { reason } => Some(reason),
            EventKind::Done | EventKind::Recovered | EventKind::Test => None,
        }
    }
}

/// A list of pages: their number, and the first of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageSample {
    /// The number of pages.
    pub count: u64,
    /// The first pages. Messages show at most [`MAX_EXAMPLES`].
    pub examples: Vec<String>,
}

impl PageSample {
    /// Builds a list of `count` pages that keeps the first [`MAX_EXAMPLES`] examples.
    #[must_use]
    pub fn new(count: u64, examples: impl IntoIterator<Item = String>) -> PageSample {
        PageSample { count, examples: examples.into_iter().take(MAX_EXAMPLES).collect() }
    }
}

/// The changes of findings since the previous audit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FindingChanges {
    /// Found for the first time.
    pub new: Vec<FindingLine>,
    /// No longer found.
    pub fixed: Vec<FindingLine>,
    /// Fixed before, and found again.
    pub regressed: Vec<FindingLine>,
}

/// The findings of one code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FindingLine {
    /// The code, such as `broken-link`.
    pub code: String,
    /// The word for its severity: `error`, `warning` or `notice`.
    pub severity: String,
    /// The title of the check, in a few words.
    pub title: String,
    /// The number of findings.
    pub count: u64,
    /// URLs of the first findings.
    pub examples: Vec<String>,
}

impl RunEvent {
    /// Returns whether anything changed since the previous run.
    pub(crate) fn changed(&self) -> bool {
        let findings = &self.findings;
        self.added.count > 0
            || self.removed.count > 0
            || self.listed_before.is_some_and(|before| self.listed.is_some_and(|now| now != before))
            || !self.hints.is_empty()
            || [&findings.new, &findings.fixed, &findings.regressed].iter().any(|lines| total(lines) > 0)
    }

    /// Returns the link to the dashboard, if its scheme is http or https.
    pub(crate) fn safe_link(&self) -> Option<String> {
        let url = url::Url::parse(self.link.as_deref()?).ok()?;
        matches!(url.scheme(), "http" | "https").then(|| url.to_string())
    }
}

/// Returns the number of findings in these lines.
pub(crate) fn total(lines: &[FindingLine]) -> u64 {
    lines.iter().fold(0, |sum, line| sum.saturating_add(line.count))
}
