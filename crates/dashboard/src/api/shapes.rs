//! Jobs, and the figures of a running one, as JSON, without paths of this machine.

use crate::text::note;
use jiff::Timestamp;
use mapwright_service::{JobRun, JobState, JobView, Live, Phase};
use serde::Serialize;
use utoipa::ToSchema;

/// A job.
#[derive(Serialize, ToSchema)]
#[schema(as = Job)]
pub(super) struct JobJson<'j> {
    name: &'j str,
    /// Its start URLs.
    urls: &'j [String],
    /// `sitemap`, `audit` or `both`.
    task: &'static str,
    /// Its schedule, in words.
    schedule: &'j str,
    #[schema(required)]
    next_run: Option<Timestamp>,
    state: JobState,
    /// If a run waits for a slot: since when, and which jobs hold the slots.
    #[schema(required)]
    waiting: Option<&'j str>,
    /// No run begins until the job is resumed; one in progress continues.
    paused: bool,
    /// It publishes sitemaps.
    publishes: bool,
    /// It writes reports.
    audits: bool,
    #[schema(required)]
    newest_run: Option<&'j JobRun>,
}

impl<'j> From<&'j JobView> for JobJson<'j> {
    fn from(job: &'j JobView) -> Self {
        Self {
            name: &job.name,
            urls: &job.urls,
            task: job.task,
            schedule: &job.schedule,
            next_run: job.next,
            state: job.state,
            waiting: job.waiting.as_deref(),
            paused: job.paused,
            publishes: job.sitemaps.is_some(),
            audits: job.reports.is_some(),
            newest_run: job.newest.as_ref(),
        }
    }
}

/// The progress of a running crawl.
#[derive(Serialize, ToSchema)]
#[schema(as = Live)]
pub(super) struct LiveJson<'l> {
    phase: Phase,
    /// Pages done.
    done: u64,
    /// URLs in the queue.
    queued: u64,
    /// Pages with an error.
    errors: u64,
    /// Pages a second, over the last five seconds.
    rate: f64,
    /// The reason, in words, if the site does not answer, or if the run mostly waits for it and holds no slot.
    #[schema(required)]
    note: Option<String>,
    /// Time since the run began or was resumed.
    elapsed_ms: u64,
    /// The latest errors, newest first.
    #[schema(max_items = 20)]
    latest: Vec<UrlAndWhat<'l>>,
}

impl<'l> From<&'l Live> for LiveJson<'l> {
    fn from(live: &'l Live) -> Self {
        Self {
            phase: live.phase,
            done: live.done,
            queued: live.queued,
            errors: live.errors,
            rate: live.rate,
            note: note(live),
            elapsed_ms: u64::try_from(live.elapsed.as_millis()).unwrap_or(u64::MAX),
            latest: live.latest.iter().map(UrlAndWhat::from).collect(),
        }
    }
}

/// A URL, and what happened there.
#[derive(Serialize, ToSchema)]
pub(super) struct UrlAndWhat<'u> {
    url: &'u str,
    what: &'u str,
}

impl<'u> From<&'u (String, String)> for UrlAndWhat<'u> {
    fn from((url, what): &'u (String, String)) -> Self {
        Self { url, what }
    }
}
