//! The list of jobs: which are wanted, in which order, and how many fail.

use mapwright_service::{JobRunState, JobState, JobView};
use serde::Deserialize;

/// The filter and the order of the list; an empty field does not filter, and orders by name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(crate) struct JobListQuery {
    /// A part of the name or of a start URL, in any case.
    pub(crate) q: String,
    /// One of [`STATES`].
    pub(crate) state: String,
    /// One of [`ORDERS`].
    pub(crate) sort: String,
}

/// The states to filter by, each with its label.
pub(crate) const STATES: [(&str, &str); 5] =
    [("failing", "failing"), ("running", "running"), ("waiting", "waiting"), ("paused", "paused"), ("idle", "idle")];
/// The orders besides that by name, each with its label.
pub(crate) const ORDERS: [(&str, &str); 3] =
    [("failing", "failing first"), ("next", "next run first"), ("newest", "newest run first")];

/// Returns true for a job whose last run failed or was refused, or that has an incident which is not resolved.
pub(crate) fn is_failing(job: &JobView) -> bool {
    let failed = |state: JobRunState| matches!(state, JobRunState::Failed | JobRunState::Refused);
    job.has_incident || job.last_run.as_ref().is_some_and(|run| failed(run.state))
}

impl JobListQuery {
    /// Returns the wanted jobs in the wanted order. An unknown state filters nothing, and an unknown order is that by
    /// name.
    pub(crate) fn select(&self, mut jobs: Vec<JobView>) -> Vec<JobView> {
        let needle = self.q.trim().to_lowercase();
        jobs.retain(|job| self.is_in_state(job) && (needle.is_empty() || mentions(job, &needle)));
        match self.sort.as_str() {
            "failing" => jobs.sort_by_key(|job| !is_failing(job)),
            "next" => jobs.sort_by_key(|job| (job.next.is_none(), job.next)),
            "newest" => jobs.sort_by_key(|job| std::cmp::Reverse(job.newest.as_ref().map(|run| run.key.scheduled_for))),
            _ => {}
        }
        jobs
    }

    fn is_in_state(&self, job: &JobView) -> bool {
        match self.state.as_str() {
            "failing" => is_failing(job),
            "running" => job.state == JobState::Running,
            "waiting" => job.state == JobState::Waiting,
            "paused" => job.paused,
            "idle" => job.state == JobState::Idle,
            _ => true,
        }
    }
}

fn mentions(job: &JobView, needle: &str) -> bool {
    let texts = [&job.name].into_iter().chain(&job.urls);
    texts.into_iter().any(|text| text.to_lowercase().contains(needle))
}
