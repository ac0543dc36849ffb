//! The views of the service, and the commands that it accepts.

use crate::effective_settings::EffectiveSetting;
use crate::job_run::JobRun;
use crate::job_run_state::JobRunState;
use crate::log_line::LogLine;
use jiff::Timestamp;
use mapwright_crawl::CrawlError;
use serde::Serialize;
use std::path::PathBuf;
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use utoipa::ToSchema;

/// The service as the dashboard sees it. Calls read memory or make short look-ups in the database, which block: call
/// from a blocking task.
pub trait JobControl: Send + Sync + 'static {
    /// Returns all jobs, ordered by name.
    fn jobs(&self) -> Vec<JobView>;

    /// Returns one job.
    fn job(&self, name: &str) -> Option<JobView>;

    /// Returns the settings of a job as they apply, in the order of the documentation.
    fn settings(&self, name: &str) -> Option<Vec<EffectiveSetting>>;

    /// Returns the runs of a job that are older than number `before`, newest first, at most `most`.
    ///
    /// # Errors
    /// If the database cannot be read.
    fn runs(&self, job: &str, before: Option<i64>, most: usize) -> Result<Vec<JobRun>, CrawlError>;

    /// Returns the log of a run of a job; empty if it is not kept.
    ///
    /// # Errors
    /// If the database cannot be read.
    fn run_log(&self, job: &str, run: i64) -> Result<Vec<LogLine>, CrawlError>;

    /// Returns the figures of a running crawl; `None` if the job is not running. The channel closes when the run ends.
    fn live(&self, job: &str) -> Option<watch::Receiver<Live>>;

    /// Starts a job now, whatever its schedule says.
    ///
    /// # Errors
    /// If it cannot be started.
    fn start(&self, job: &str) -> Result<(), Denied>;

    /// Stops a running job. Its progress is kept, and its next run resumes it.
    ///
    /// # Errors
    /// If it cannot be stopped.
    fn stop(&self, job: &str) -> Result<(), Denied>;

    /// Pauses a job. No run of a paused job begins; a run in progress continues.
    ///
    /// # Errors
    /// If there is no such job.
    fn pause(&self, job: &str) -> Result<(), Denied>;

    /// Resumes a paused job.
    ///
    /// # Errors
    /// If there is no such job.
    fn resume(&self, job: &str) -> Result<(), Denied>;

    /// Sends a test notification to every receiver of a job. The task returns the answers. Call it inside a runtime.
    ///
    /// # Errors
    /// If there is no such job.
    fn test_messages(&self, job: &str) -> Result<JoinHandle<Vec<Tested>>, Denied>;

    /// Returns the figures of the service.
    fn figures(&self) -> ServiceFigures;

    /// Returns the outage that keeps runs from beginning, if any. Answers at once, whatever else is in progress.
    fn outage(&self) -> Option<Outage>;
}

/// An outage of the service's database: it is gone or cannot be written, and no run begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outage {
    /// The fault, in one line.
    pub what: String,
    /// The file was removed or replaced, and cannot come back while the service runs.
    pub is_lost: bool,
}

/// The reason why a command was not carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Denied {
    /// There is no such job.
    #[error("there is no job of this name")]
    Unknown,
    /// It is running already.
    #[error("the job is running already")]
    Running,
    /// It is not running.
    #[error("the job is not running")]
    Idle,
    /// The service is ending.
    #[error("the service is ending")]
    Ending,
    /// The service's database is gone, or cannot be written.
    #[error("the service's database is gone or cannot be written, and no run begins")]
    Outage,
}

/// The state of a job.
#[derive(Debug, Clone)]
pub struct JobView {
    /// Its name in the file.
    pub name: String,
    /// Its start URLs.
    pub urls: Vec<String>,
    /// Its task: `sitemap`, `audit` or `both`.
    pub task: &'static str,
    /// Its schedule, in words.
    pub schedule: String,
    /// The time of its next run.
    pub next: Option<Timestamp>,
    /// Its current activity.
    pub state: JobState,
    /// For a run that waits for a slot: since when, and which jobs hold the slots, in words.
    pub waiting: Option<String>,
    /// The job is paused: no run begins, and a run in progress continues.
    pub paused: bool,
    /// The folder of its record.
    pub record: PathBuf,
    /// The directory that it publishes sitemaps into.
    pub sitemaps: Option<PathBuf>,
    /// The directory that it writes reports into.
    pub reports: Option<PathBuf>,
    /// Its newest run, including one that did not begin.
    pub newest: Option<JobRun>,
    /// Its newest run that began and has ended.
    pub last_run: Option<JobRun>,
    /// The number of URLs in its published sitemap, if it has published one.
    pub published_urls: Option<u64>,
    /// It notifies anyone, including a watchdog.
    pub notifies: bool,
    /// An incident of the job was reported, and is not resolved.
    pub has_incident: bool,
}

/// The activity of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum JobState {
    /// Waiting for its next due instant.
    Idle,
    /// Crawling, judging, publishing or notifying.
    Running,
    /// Due, and waiting for its window or for a slot.
    Waiting,
    /// Paused: no run begins until it is resumed.
    Paused,
}

impl JobState {
    /// Returns its word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Running => "running",
            Self::Waiting => "waiting",
            Self::Paused => "paused",
        }
    }
}

/// The phase of a running job.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// It requests pages.
    #[default]
    Crawling,
    /// The crawl has ended: the job judges, writes reports, publishes and notifies.
    Finishing,
}

impl Phase {
    /// Returns its word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Crawling => "crawling",
            Self::Finishing => "finishing",
        }
    }
}

/// The figures of a running job, updated at each batch of pages and each second.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Live {
    /// Its phase.
    pub phase: Phase,
    /// Pages done.
    pub done: u64,
    /// URLs in the queue.
    pub queued: u64,
    /// Pages with an error.
    pub errors: u64,
    /// Pages a second, over the last five seconds.
    pub rate: f64,
    /// Time since the run began or was resumed.
    pub elapsed: Duration,
    /// It mostly waits for its site, and holds no slot (see [`mapwright_crawl::CrawlSpeed::waits_for_site`]).
    pub waits: bool,
    /// Time since the last answer of the site, if it is ten seconds or more.
    pub silence: Option<Duration>,
    /// The latest errors, newest first, at most twenty: URL and answer.
    pub latest: Vec<(String, String)>,
}

/// Figures of the service.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ServiceFigures {
    /// Runs by job and state since the service began.
    pub runs: Vec<(String, JobRunState, u64)>,
    /// Pages fetched since the service began, by job.
    pub pages: Vec<(String, u64)>,
    /// Notifications that wait to be delivered.
    pub notifications_pending: u64,
    /// Notifications of the last 30 days that could not be delivered.
    pub notifications_failed: u64,
    /// The last of them, newest first, at most five: job, receiver and fault.
    pub failed_notifications: Vec<(String, String, String)>,
    /// The fault of the file at the last reload, in one line.
    pub fault: Option<String>,
    /// The service accepts work: it is neither starting nor ending, and its database can be read and written.
    pub ready: bool,
    /// The service's database can be written.
    pub writable: bool,
}

/// A receiver that a test message was sent to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Tested {
    /// The receiver, without secrets.
    pub receiver: String,
    /// The fault, if it did not accept the message.
    #[schema(required)]
    pub fault: Option<String>,
}
