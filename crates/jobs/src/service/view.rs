//! What the service shows of itself, and what may be asked of it.

use super::job_run_state::JobRunState;
use super::test_messages::Tested;
use crate::error::JobError;
use jiff::Timestamp;
use std::path::PathBuf;
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// The service, as a dashboard sees it. Questions are answered from memory or by short look-ups in its database,
/// which block: ask from a blocking task.
pub trait Service: Send + Sync + 'static {
    /// All jobs, in the order of their names.
    fn jobs(&self) -> Vec<JobView>;

    /// One job.
    fn job(&self, name: &str) -> Option<JobView>;

    /// The runs of a job, newest first: at most `most` of those older than number `before`.
    ///
    /// # Errors
    /// When the database cannot be read.
    fn runs(&self, job: &str, before: Option<i64>, most: usize) -> Result<Vec<JobRun>, JobError>;

    /// How a running crawl goes; nothing where the job is not running. The channel closes when the run ends.
    fn live(&self, job: &str) -> Option<watch::Receiver<Live>>;

    /// Starts a job now, whatever its schedule says.
    ///
    /// # Errors
    /// Why it cannot be, in one line.
    fn start(&self, job: &str) -> Result<(), Denied>;

    /// Stops a running job; what it did is kept, and its next run goes on with it.
    ///
    /// # Errors
    /// Why it cannot be, in one line.
    fn stop(&self, job: &str) -> Result<(), Denied>;

    /// Lets no run of a job begin until it is let go on again. A run that is under way goes on.
    ///
    /// # Errors
    /// Why it cannot be, in one line.
    fn pause(&self, job: &str, paused: bool) -> Result<(), Denied>;

    /// Sends a test message to every receiver of a job. The task tells what each answered; call it inside a runtime.
    ///
    /// # Errors
    /// Why it cannot be, in one line.
    fn test_messages(&self, job: &str) -> Result<JoinHandle<Vec<Tested>>, Denied>;

    /// Figures of the service as a whole.
    fn figures(&self) -> Figures;

    /// What keeps runs from beginning, if anything does. Answered at once, whatever else is under way.
    fn outage(&self) -> Option<Outage>;
}

/// The service's database is gone, or cannot be written: no run begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outage {
    /// What is wrong, in one line.
    pub what: String,
    /// It was removed or replaced: it does not come back while the service runs.
    pub is_lost: bool,
}

/// Why something asked for was not done.
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

/// A job as it stands.
#[derive(Debug, Clone)]
pub struct JobView {
    /// Its name in the file.
    pub name: String,
    /// Its start URLs.
    pub urls: Vec<String>,
    /// What it does: `sitemap`, `audit` or `both`.
    pub task: &'static str,
    /// Its schedule, in words.
    pub schedule: String,
    /// When its next run begins.
    pub next: Option<Timestamp>,
    /// What it is doing.
    pub standing: JobStanding,
    /// Of a run that waits for a place: since when, and who holds the places, in words.
    pub waiting: Option<String>,
    /// No run of it begins until it is let go on; one that is under way goes on.
    pub paused: bool,
    /// The folder of its record.
    pub record: PathBuf,
    /// The directory that it publishes sitemaps into.
    pub sitemaps: Option<PathBuf>,
    /// The directory that it writes reports into.
    pub reports: Option<PathBuf>,
    /// Its newest run, or why there was none.
    pub newest: Option<JobRun>,
    /// Its newest run that began and has ended.
    pub last_run: Option<JobRun>,
    /// Somebody hears of it, or a watchdog.
    pub tells: bool,
    /// People were told of trouble with it, and not yet that it is over.
    pub in_trouble: bool,
}

/// What a job is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobStanding {
    /// Nothing, until its next run.
    Idle,
    /// It is crawling, judging, publishing or telling.
    Running,
    /// It is due, and waits for its window or for a place.
    Waiting,
    /// Nothing, and no run begins until it is let go on.
    Paused,
}

impl JobStanding {
    /// The word for it.
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

/// One scheduled execution of a job, or why there was none.
#[derive(Debug, Clone, PartialEq)]
pub struct JobRun {
    /// Its number in the service's database, growing.
    pub number: i64,
    /// The job.
    pub job: String,
    /// When it was due.
    pub due: Timestamp,
    /// When it began; nothing where it did not run.
    pub began: Option<Timestamp>,
    /// When it ended; nothing while it goes on.
    pub ended: Option<Timestamp>,
    /// The run in the job's record.
    pub run: Option<i64>,
    /// What came of it.
    pub outcome: JobRunState,
    /// Why, in words, where it is not `running` or `done`.
    pub why: String,
    /// What was counted.
    pub counts: JobRunCounts,
    /// What is to be done at the site, such as a line for its robots.txt.
    pub advice: Vec<String>,
}

/// The counts of a run; zero where nothing was counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct JobRunCounts {
    /// Pages fetched.
    pub fetched: u64,
    /// URLs in the sitemap.
    pub listed: u64,
    /// URLs that came into the sitemap.
    pub gained: u64,
    /// URLs that left it.
    pub lost: u64,
    /// Findings by severity.
    pub errors: u64,
    /// Findings by severity.
    pub warnings: u64,
    /// Findings by severity.
    pub notices: u64,
    /// Findings that the audit before did not have.
    pub new: u64,
    /// Findings of the audit before that are gone.
    pub fixed: u64,
    /// Findings that had been gone and are back.
    pub regressed: u64,
    /// Bytes that came over the wire.
    pub bytes: u64,
    /// Median time to a page's first byte, in milliseconds.
    pub median_ms: u64,
    /// Milliseconds that it took.
    pub took_ms: u64,
}

/// What a running job is at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Phase {
    /// It asks for pages.
    #[default]
    Crawling,
    /// The crawl has ended: it judges, writes reports, publishes and tells.
    Finishing,
}

impl Phase {
    /// The word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Crawling => "crawling",
            Self::Finishing => "finishing",
        }
    }
}

/// A running job. It is told anew at each batch of pages, and each second.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Live {
    /// What it is at.
    pub phase: Phase,
    /// Pages done.
    pub done: u64,
    /// URLs that wait.
    pub queued: u64,
    /// Pages with an error.
    pub errors: u64,
    /// Pages a second, over the last five seconds.
    pub rate: f64,
    /// Time since the run began (or went on).
    pub elapsed: Duration,
    /// It mostly waits for its site, and holds no place (see [`crate::Pace::waits`]).
    pub waits: bool,
    /// How long the site has answered nothing, from ten seconds on.
    pub silence: Option<Duration>,
    /// The latest errors, newest first, at most twenty: URL, and what it answered.
    pub latest: Vec<(String, String)>,
}

/// Figures of the service.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Figures {
    /// Runs by job and state since the service began.
    pub runs: Vec<(String, JobRunState, u64)>,
    /// Pages fetched since the service began, by job.
    pub pages: Vec<(String, u64)>,
    /// Messages that wait to be delivered.
    pub notifications_pending: u64,
    /// Messages of the last 30 days that could not be delivered, and were given up.
    pub notifications_failed: u64,
    /// The last of them, newest first, at most five: job, receiver, and why.
    pub failed_notifications: Vec<(String, String, String)>,
    /// The file was faulty at the last reload: what is wrong, in one line.
    pub fault: Option<String>,
    /// The service takes work: it is neither starting nor ending, and its database can be read and written.
    pub ready: bool,
    /// The service's database can be written.
    pub writable: bool,
}
