//! What a night came to.

use jiff::Timestamp;

/// Examples kept of each list of pages, at most.
pub const MOST_EXAMPLES: usize = 20;

/// What a night came to, as far as people may want to hear of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Night {
    /// The job's name.
    pub job: String,
    /// The start URL of its site.
    pub site: String,
    /// When the job was due: with its name this says which night it was.
    pub due: Timestamp,
    /// The number of the run in the record, where there was one.
    pub run: Option<i64>,
    /// How it ended.
    pub outcome: NightOutcome,
    /// Which trouble it is, where it is any: keeps apart messages of one night that goes on and fails twice, each time
    /// by something else.
    pub trouble: Option<String>,
    /// People were told of the same trouble before: only what else changed is news.
    pub again: bool,
    /// Pages in the sitemap now.
    pub listed: Option<u64>,
    /// Pages in the sitemap that it is compared with; `None` where there is nothing to compare with.
    pub listed_before: Option<u64>,
    /// Pages that came into the sitemap.
    pub gained: Listing,
    /// Pages that left the sitemap.
    pub lost: Listing,
    /// How the findings of the audit differ from those before.
    pub findings: FindingChanges,
    /// What is to be done at the site and was not said before, a sentence each.
    pub advice: Vec<String>,
    /// URL of the dashboard's page on this night. One that is neither http nor https is left out of messages.
    pub link: Option<String>,
}

/// How a night ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NightOutcome {
    /// Crawled and published.
    Done,
    /// The crawl, or what follows it, failed.
    Failed {
        /// The reason, in one sentence.
        why: String,
    },
    /// The guard kept the sitemap that was there.
    Refused {
        /// The reason, in one sentence.
        why: String,
    },
    /// The job was due and did not run.
    Missed {
        /// The reason as far as known, in one sentence.
        why: String,
    },
    /// The first good night after a bad one.
    Recovered,
    /// None: somebody wants to see whether messages arrive.
    Test,
}

impl NightOutcome {
    /// The word for the kind of message that this outcome makes.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            NightOutcome::Done => "changes",
            NightOutcome::Failed { .. } => "failed",
            NightOutcome::Refused { .. } => "refused",
            NightOutcome::Missed { .. } => "missed",
            NightOutcome::Recovered => "recovered",
            NightOutcome::Test => "test",
        }
    }

    /// Why the night went wrong, where it did.
    pub(crate) fn why(&self) -> Option<&str> {
        match self {
            NightOutcome::Failed { why } | NightOutcome::Refused { why } | NightOutcome::Missed { why } => Some(why),
            NightOutcome::Done | NightOutcome::Recovered | NightOutcome::Test => None,
        }
    }
}

/// A list of pages: how many, and some of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// How many there are.
    pub count: u64,
    /// The first of them: messages show [`MOST_EXAMPLES`] at most.
    pub examples: Vec<String>,
}

impl Listing {
    /// A list of `count` pages, of which the first [`MOST_EXAMPLES`] are kept.
    #[must_use]
    pub fn new(count: u64, examples: impl IntoIterator<Item = String>) -> Listing {
        Listing { count, examples: examples.into_iter().take(MOST_EXAMPLES).collect() }
    }
}

/// How the findings differ from those of the night before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FindingChanges {
    /// Seen for the first time.
    pub new: Vec<FindingLine>,
    /// No longer there.
    pub fixed: Vec<FindingLine>,
    /// Fixed once, and there again.
    pub regressed: Vec<FindingLine>,
}

/// The findings of one code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FindingLine {
    /// The code, such as `broken-link`.
    pub code: String,
    /// The word for its severity: `error`, `warning` or `notice`.
    pub severity: String,
    /// What it means, in a few words.
    pub title: String,
    /// How many there are.
    pub count: u64,
    /// URLs of the first of them.
    pub examples: Vec<String>,
}

impl Night {
    /// Whether anything differs from the night before.
    pub(crate) fn changed(&self) -> bool {
        let findings = &self.findings;
        self.gained.count > 0
            || self.lost.count > 0
            || self.listed_before.is_some_and(|before| self.listed.is_some_and(|now| now != before))
            || !self.advice.is_empty()
            || [&findings.new, &findings.fixed, &findings.regressed].iter().any(|lines| total(lines) > 0)
    }

    /// The link to the dashboard, where it is one that may be followed.
    pub(crate) fn safe_link(&self) -> Option<String> {
        let url = url::Url::parse(self.link.as_deref()?).ok()?;
        matches!(url.scheme(), "http" | "https").then(|| url.to_string())
    }
}

/// How many findings these lines stand for.
pub(crate) fn total(lines: &[FindingLine]) -> u64 {
    lines.iter().fold(0, |sum, line| sum.saturating_add(line.count))
}
