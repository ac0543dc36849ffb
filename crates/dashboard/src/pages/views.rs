//! Jobs and runs as pages show them.

use crate::text::{Link, Time, plural, segment, shown, size, took};
use mapwright_audit::report::grouped;
use mapwright_jobs::service::{JobRun, JobRunState, JobStanding, JobView};

/// Start URLs that are named; the rest is counted.
const URLS: usize = 3;

/// A job.
pub(crate) struct Job {
    pub(crate) name: String,
    /// The path of its page.
    pub(crate) path: String,
    pub(crate) urls: Vec<Link>,
    pub(crate) more_urls: usize,
    pub(crate) task: &'static str,
    pub(crate) schedule: String,
    pub(crate) next: Time,
    pub(crate) standing: &'static str,
    /// Of a run that waits for a place: since when, and who holds them.
    pub(crate) waiting: Option<String>,
    /// What is said beside that of a run after which none will begin.
    pub(crate) aside: Option<&'static str>,
    /// It can be started.
    pub(crate) starts: bool,
    /// There is a run that can be stopped.
    pub(crate) stops: bool,
    pub(crate) paused: bool,
    /// Somebody hears of it.
    pub(crate) tells: bool,
    /// There is a run that has not begun yet, or is about to show how it goes.
    pub(crate) waits: bool,
    pub(crate) newest: Option<Run>,
}

impl Job {
    pub(crate) fn of(job: &JobView) -> Self {
        // One that waits by hand begins though the job is paused.
        let has_run = matches!(job.standing, JobStanding::Running | JobStanding::Waiting);
        let next = match job.next {
            Some(next) if !job.paused || job.standing == JobStanding::Waiting => Time::At(next),
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
            standing: job.standing.as_str(),
            waiting: job.waiting.as_deref().map(shown),
            aside: (job.paused && has_run).then_some("paused after this run"),
            starts: job.standing != JobStanding::Running,
            stops: has_run,
            paused: job.paused,
            tells: job.tells,
            waits: has_run,
            newest: job.newest.as_ref().map(Run::of),
        }
    }
}

/// What a job does, in words.
fn task(task: &'static str) -> &'static str {
    if task == "both" { "sitemap and audit" } else { task }
}

/// The path of a job's page.
pub(crate) fn path(job: &str) -> String {
    format!("/jobs/{}", segment(job))
}

/// A run.
pub(crate) struct Run {
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
    pub(crate) listed: String,
    pub(crate) gained: String,
    pub(crate) lost: String,
    pub(crate) errors: String,
    pub(crate) warnings: String,
    pub(crate) notices: String,
    pub(crate) new: String,
    pub(crate) fixed: String,
    pub(crate) regressed: String,
    pub(crate) bytes: String,
    pub(crate) median: String,
    pub(crate) took: String,
    /// Its counts, in one line.
    pub(crate) summary: String,
    /// What is to be done at the site.
    pub(crate) advice: Vec<String>,
}

impl Run {
    pub(crate) fn of(run: &JobRun) -> Self {
        let counts = &run.counts;
        Self {
            number: run.number,
            path: format!("{}/runs/{}", path(&run.job), run.number),
            due: Time::At(run.due),
            began: Time::of(run.began),
            ended: Time::of(run.ended),
            record_run: run.run,
            outcome: run.outcome.as_str(),
            grade: grade(run.outcome),
            why: shown(&run.why),
            fetched: grouped(counts.fetched),
            listed: grouped(counts.listed),
            gained: grouped(counts.gained),
            lost: grouped(counts.lost),
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
            advice: run.advice.iter().map(|line| shown(line)).collect(),
        }
    }
}

fn summary(run: &JobRun) -> String {
    let counts = &run.counts;
    let mut parts = Vec::new();
    if counts.fetched > 0 {
        parts.push(format!("{} fetched", plural(counts.fetched, "page", "pages")));
    }
    if counts.listed > 0 {
        parts.push(format!("{} listed", grouped(counts.listed)));
    }
    let findings = [(counts.errors, "error"), (counts.warnings, "warning"), (counts.notices, "notice")];
    parts.extend(findings.iter().filter(|(n, _)| *n > 0).map(|(n, word)| plural(*n, word, &format!("{word}s"))));
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
