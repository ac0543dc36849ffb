//! Jobs and runs as pages show them.

use crate::text::{Link, Time, segment, shown, took};
use mapwright_service::{JobRun, JobRunState, JobState, JobView};
use mapwright_text::{counted_in_groups, grouped, size};

/// Maximum number of start URLs that are shown; the rest is counted.
const URLS: usize = 3;

/// A job.
pub(crate) struct JobSummary {
    pub(crate) name: String,
    /// The path of its page.
    pub(crate) path: String,
    pub(crate) urls: Vec<Link>,
    pub(crate) more_urls: usize,
    pub(crate) task: &'static str,
    pub(crate) schedule: String,
    pub(crate) next: Time,
    pub(crate) state: &'static str,
    /// The wait of a queued run: since when, and which runs hold the slots.
    pub(crate) waiting: Option<String>,
    /// The notice on the last run before a pause.
    pub(crate) pause_notice: Option<&'static str>,
    /// The job can be started.
    pub(crate) can_start: bool,
    /// There is a run that can be stopped.
    pub(crate) can_stop: bool,
    pub(crate) paused: bool,
    /// The job has receivers of notifications.
    pub(crate) notifies: bool,
    /// A run has not begun yet, or has no progress to show yet.
    pub(crate) has_live_status: bool,
    pub(crate) newest: Option<RunSummary>,
}

impl JobSummary {
    pub(crate) fn of(job: &JobView) -> Self {
        // A run that was started by hand and waits begins even if the job is paused.
        let has_run = matches!(job.state, JobState::Running | JobState::Waiting);
        let next = match job.next {
            Some(next) if !job.paused || job.state == JobState::Waiting => Time::At(next),
            _ if job.paused => Time::None("none while it is paused"),
            _ => Time::None("none"),
        };
        Self {
            name: shown(&job.name),
            path: path(&job.name),
            urls: job.urls.iter().take(URLS).map(|url| Link::to(url)).collect(),
            more_urls: job.urls.len().saturating_sub(URLS),
            task: task(job.task),
            schedule: shown(&job.schedule),
            next,
            state: job.state.as_str(),
            waiting: job.waiting.as_deref().map(shown),
            pause_notice: (job.paused && has_run).then_some("paused after this run"),
            can_start: job.state != JobState::Running,
            can_stop: has_run,
            paused: job.paused,
            notifies: job.notifies,
            has_live_status: has_run,
            newest: job.newest.as_ref().map(RunSummary::of),
        }
    }
}

/// The task of a job in words.
fn task(task: &'static str) -> &'static str {
    if task == "both" { "sitemap and audit" } else { task }
}

/// The path of a job's page.
pub(crate) fn path(job: &str) -> String {
    format!("/jobs/{}", segment(job))
}

/// A run.
pub(crate) struct RunSummary {
    pub(crate) number: i64,
    pub(crate) path: String,
    pub(crate) due: Time,
    pub(crate) began: Time,
    pub(crate) ended: Time,
    pub(crate) record_run: Option<i64>,
    pub(crate) outcome: &'static str,
    /// The class of its badge.
    pub(crate) grade: &'static str,
    pub(crate) why: String,
    pub(crate) fetched: String,
    /// The number of URLs in the sitemap that the run published; otherwise empty.
    pub(crate) listed: String,
    /// The number of URLs that a run which published nothing would list; otherwise empty.
    pub(crate) would_list: String,
    pub(crate) added: String,
    pub(crate) removed: String,
    pub(crate) errors: String,
    pub(crate) warnings: String,
    pub(crate) notices: String,
    pub(crate) new: String,
    pub(crate) fixed: String,
    pub(crate) regressed: String,
    pub(crate) bytes: String,
    pub(crate) median: String,
    pub(crate) took: String,
    /// The counts in one line.
    pub(crate) summary: String,
    /// The advice for the site's operator.
    pub(crate) advice: Vec<String>,
}

impl RunSummary {
    pub(crate) fn of(run: &JobRun) -> Self {
        let counts = &run.counts;
        Self {
            number: run.number,
            path: format!("{}/runs/{}", path(&run.job), run.number),
            due: Time::At(run.key.scheduled_for),
            began: Time::of(run.started),
            ended: Time::of(run.ended),
            record_run: run.record_run,
            outcome: run.state.as_str(),
            grade: grade(run.state),
            why: shown(&run.reason),
            fetched: grouped(counts.fetched),
            listed: if run.publishes() { grouped(counts.listed) } else { String::new() },
            would_list: if run.publishes() || counts.listed == 0 { String::new() } else { grouped(counts.listed) },
            added: grouped(counts.added),
            removed: grouped(counts.removed),
            errors: grouped(counts.errors),
            warnings: grouped(counts.warnings),
            notices: grouped(counts.notices),
            new: grouped(counts.new),
            fixed: grouped(counts.fixed),
            regressed: grouped(counts.regressed),
            bytes: size(counts.bytes),
            median: took(counts.median_ms),
            took: took(counts.took_ms),
            summary: summary(run),
            advice: run.hints.iter().map(|line| shown(line)).collect(),
        }
    }
}

fn summary(run: &JobRun) -> String {
    let counts = &run.counts;
    let mut parts = Vec::new();
    if counts.fetched > 0 {
        parts.push(format!("{} fetched", counted_in_groups(counts.fetched, "page")));
    }
    if counts.listed > 0 {
        let would = if run.publishes() { "" } else { "would be " };
        parts.push(format!("{} {would}listed", grouped(counts.listed)));
    }
    let findings = [(counts.errors, "error"), (counts.warnings, "warning"), (counts.notices, "notice")];
    parts.extend(findings.iter().filter(|(n, _)| *n > 0).map(|(n, word)| counted_in_groups(*n, word)));
    parts.join(", ")
}

fn grade(outcome: JobRunState) -> &'static str {
    match outcome {
        JobRunState::Done => "good",
        JobRunState::Running => "notice",
        JobRunState::Failed | JobRunState::Refused => "error",
        JobRunState::Unfinished | JobRunState::Missed | JobRunState::Skipped => "warning",
    }
}
