//! A run of a job, with its counts.

use crate::job_run_state::JobRunState;
use crate::run_key::RunKey;
use jiff::Timestamp;
use serde::{Deserialize, Serialize, Serializer};
use utoipa::ToSchema;

/// One scheduled execution of a job, including one that did not begin. Commands and the API serialize it.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct JobRun {
    /// Its number in the service's database, increasing.
    pub number: i64,
    /// The job.
    pub job: String,
    /// The time it was scheduled for, which identifies it.
    #[serde(rename = "scheduled_for")]
    #[schema(value_type = Timestamp)]
    pub key: RunKey,
    /// The time it began; null if it did not begin.
    #[schema(required)]
    pub started: Option<Timestamp>,
    /// The time it ended; null while it is in progress.
    #[schema(required)]
    pub ended: Option<Timestamp>,
    /// The run in the crawl database of the job.
    #[schema(required)]
    pub record_run: Option<i64>,
    /// Its state.
    #[serde(rename = "outcome")]
    pub state: JobRunState,
    /// The reason, in words; empty (null in JSON) if it is `running` or `done`.
    #[serde(serialize_with = "null_if_empty")]
    #[schema(value_type = Option<String>, required)]
    pub reason: String,
    /// Its counts.
    pub counts: JobRunCounts,
    /// Advice about the site, such as a line for its robots.txt.
    pub hints: Vec<String>,
}

fn null_if_empty<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    Some(text).filter(|text| !text.is_empty()).serialize(serializer)
}

impl JobRun {
    /// Returns whether the run published what it lists, if its job publishes: a run that was refused, cut or failed
    /// left the sitemap as it was.
    #[must_use]
    pub fn publishes(&self) -> bool {
        self.state == JobRunState::Done
    }

    /// Returns the reason, if there is one.
    #[must_use]
    pub fn known_reason(&self) -> Option<&str> {
        Some(self.reason.as_str()).filter(|reason| !reason.is_empty())
    }
}

/// The counts of a run; zero if nothing was counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct JobRunCounts {
    /// Pages fetched.
    #[schema(required)]
    pub fetched: u64,
    /// URLs that are listed: in the sitemap if the run published it.
    #[schema(required)]
    pub listed: u64,
    /// URLs added to the sitemap.
    #[schema(required)]
    pub added: u64,
    /// URLs removed from the sitemap.
    #[schema(required)]
    pub removed: u64,
    /// Findings by severity.
    #[schema(required)]
    pub errors: u64,
    /// Findings by severity.
    #[schema(required)]
    pub warnings: u64,
    /// Findings by severity.
    #[schema(required)]
    pub notices: u64,
    /// Findings that are new since the previous audit.
    #[schema(required)]
    pub new: u64,
    /// Findings of the previous audit that are fixed.
    #[schema(required)]
    pub fixed: u64,
    /// Findings that were fixed and are back.
    #[schema(required)]
    pub regressed: u64,
    /// Bytes received over the wire.
    #[schema(required)]
    pub bytes: u64,
    /// Median time to a page's first byte, in milliseconds.
    #[schema(required)]
    pub median_ms: u64,
    /// Its duration in milliseconds.
    #[schema(required)]
    pub took_ms: u64,
    /// Pages whose scripts ran.
    #[schema(required)]
    pub rendered: u64,
    /// Requests that their scripts made.
    #[schema(required)]
    pub rendering_requests: u64,
    /// Bytes received for these requests.
    #[schema(required)]
    pub rendering_bytes: u64,
    /// The time that their renderings took together, in milliseconds.
    #[schema(required)]
    pub rendering_ms: u64,
}
