//! One run of one job: crawls, publishes, mirrors, announces, notifies.
//!
//! Each step can be repeated after a kill. The record shows the steps that were done: a complete run is not crawled
//! again, files that are in place are not sent again, and notifications enter the outbox in the transaction that
//! settles the run.

use crate::blocking::blocking;
use crate::clock::Clock;
use crate::job::Job;
use crate::job_run::JobRun;
use crate::job_run_state::JobRunState;
use crate::job_store::{JobStore, StoredOutcome};
use crate::kept_reports::KeptReports;
use crate::log_line::LogLevel;
use crate::run_changes::Changes;
use crate::run_key::RunKey;
use crate::run_log::RunLog;
use mapwright_crawl::{CrawlError, CrawlFault, RobotsLine, RunReport};
use mapwright_engine::{Completeness, Cut, Observer};
use mapwright_store::{Record, RunState};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use url::Url;

/// The outcome of a run.
#[derive(Debug)]
pub struct RunOutcome {
    /// Its number in the job store.
    pub number: i64,
    /// Its final state.
    pub state: JobRunState,
    /// The reason, in words, if the state is not `done`.
    pub reason: String,
    /// The report of the crawl, unless that had ended before.
    pub report: Option<RunReport>,
    /// The kind of the error, if mapwright failed.
    pub fault: Option<CrawlFault>,
}

/// Runs a job.
#[derive(Debug, Clone)]
pub struct JobRunner {
    /// The job.
    pub job: Arc<Job>,
    /// The store of its runs.
    pub job_store: Arc<JobStore>,
    /// The URL of the dashboard, for messages.
    pub link: Option<Url>,
    /// The clock.
    pub clock: Clock,
}

impl JobRunner {
    /// Begins or resumes the run with this key. `stop` interrupts it, so that it can be resumed.
    ///
    /// # Errors
    /// If the job store cannot be written. Any other fault is stored as the outcome of the run.
    pub async fn run(
        &self,
        key: RunKey,
        observer: Arc<dyn Observer>,
        stop: CancellationToken,
    ) -> Result<RunOutcome, CrawlError> {
        self.settle_killed(key).await?;
        let number = self.job_store.begin(&self.job.name, key, self.clock.now())?;
        let job_run = self.job_store.job_run(number)?;
        // Runs in a task of its own: a panic fails this run, and does not remove the job from the service.
        let resumes =
            job_run.as_ref().is_some_and(|job_run| job_run.counts.took_ms > 0 || job_run.record_run.is_some());
        let log = Arc::new(RunLog::new(observer, self.clock, Arc::clone(&self.job_store), number));
        log.add(LogLevel::Info, if resumes { "the run is resumed" } else { "the run begins" });
        let (runner, observer) = (self.clone(), Arc::clone(&log));
        let before = job_run.as_ref().map_or(0, |job_run| job_run.counts.took_ms);
        let going = tokio::spawn(async move { runner.go(job_run.as_ref(), observer, stop).await });
        let (mut ended, report) =
            going.await.unwrap_or_else(|error| (RunResult::failed(&CrawlError::panicked(&error)), None));
        // Counts the time of work only: a run that is resumed in another window pauses in between.
        let took = report.as_ref().map_or(0, |report| u64::try_from(report.took.as_millis()).unwrap_or(u64::MAX));
        ended.changes.counts.took_ms = before.saturating_add(took);
        log.end(ended.state, &ended.reason, &ended.changes);
        self.close(number, key, &ended).await?;
        Ok(RunOutcome { number, state: ended.state, reason: ended.reason, report, fault: ended.fault })
    }

    /// Settles a run that was killed after its crawl had ended, because its results would never be reported otherwise.
    async fn settle_killed(&self, key: RunKey) -> Result<(), CrawlError> {
        let Some(job_run) = self.job_store.unsettled(&self.job.name, key)? else { return Ok(()) };
        let (runner, number, key, took) = (self.clone(), job_run.number, job_run.key, job_run.counts.took_ms);
        let settling = tokio::spawn(async move {
            let ended = runner.has_ended(&job_run).await?;
            Ok::<_, CrawlError>(if ended { Some(runner.finish(None).await) } else { None })
        });
        let ended = settling.await.unwrap_or_else(|error| Ok(Some(RunResult::failed(&CrawlError::panicked(&error)))));
        match ended {
            Ok(Some(mut ended)) => {
                ended.changes.counts.took_ms = took;
                self.close(number, key, &ended).await
            }
            Ok(None) => Ok(()),
            // The run that begins now reports a fault of the record, if it persists.
            Err(error) => {
                tracing::warn!(job = %self.job.name, "an earlier run cannot be settled: {error}");
                Ok(())
            }
        }
    }

    /// Crawls, judges, publishes.
    async fn go(
        &self,
        job_run: Option<&JobRun>,
        observer: Arc<dyn Observer>,
        stop: CancellationToken,
    ) -> (RunResult, Option<RunReport>) {
        match self.crawl(job_run, observer, stop).await {
            Ok(report) => (self.finish(report.as_ref()).await, report),
            // The changes of the crawl are reported all the same, if it was judged.
            Err(error) => {
                let changes = self.changes(job_run).await.unwrap_or_default();
                (RunResult { changes, ..RunResult::failed(&error) }, None)
            }
        }
    }

    /// Runs the steps after the crawl.
    async fn finish(&self, report: Option<&RunReport>) -> RunResult {
        let mut ended = self.ended(report).await.unwrap_or_else(|error| RunResult::failed(&error));
        if ended.state == JobRunState::Done
            && let Err(error) = self.distribute(&ended.changes).await
        {
            let (changes, hints) = (ended.changes, ended.hints);
            ended = RunResult { changes, hints, fault: None, ..RunResult::failed(&error) };
        }
        ended
    }

    /// Crawls, unless the crawl of this run has ended already.
    async fn crawl(
        &self,
        job_run: Option<&JobRun>,
        observer: Arc<dyn Observer>,
        stop: CancellationToken,
    ) -> Result<Option<RunReport>, CrawlError> {
        let job = Arc::clone(&self.job);
        let known = blocking(move || RecordState::of(&job)).await?;
        if let Some(job_run) = job_run {
            if known.has_ended(job_run) {
                return Ok(None);
            }
            self.job_store.set_run(job_run.number, known.next())?;
        }
        let spec = self.job.crawl_spec(known.unfinished.is_some())?;
        mapwright_crawl::run(spec, observer, stop).await.map(Some)
    }

    /// Returns whether the crawl of this run has ended.
    async fn has_ended(&self, job_run: &JobRun) -> Result<bool, CrawlError> {
        let (job, job_run) = (Arc::clone(&self.job), job_run.clone());
        blocking(move || Ok(RecordState::of(&job)?.has_ended(&job_run))).await
    }

    /// Returns the changes of the crawl of this run, if it has ended.
    async fn changes(&self, job_run: Option<&JobRun>) -> Result<Changes, CrawlError> {
        // Reads the run again, because its crawl was stored when that began.
        match job_run.map(|job_run| self.job_store.job_run(job_run.number)).transpose()?.flatten() {
            Some(job_run) if self.has_ended(&job_run).await? => {
                let runner = self.clone();
                Ok(blocking(move || runner.record_changes()).await?.unwrap_or_default())
            }
            _ => Ok(Changes::default()),
        }
    }

    async fn ended(&self, report: Option<&RunReport>) -> Result<RunResult, CrawlError> {
        let runner = self.clone();
        let changes = blocking(move || {
            let changes = runner.record_changes()?.unwrap_or_default();
            runner.keep_report(changes.run);
            Ok(changes)
        });
        let changes = changes.await?;
        let (state, reason) = match (changes.state, &changes.not_published) {
            (Some(RunState::Complete), None) => (JobRunState::Done, String::new()),
            (Some(RunState::Complete), Some(not_published)) => (JobRunState::Refused, not_published.clone()),
            (Some(RunState::Failed), _) => (JobRunState::Failed, unanswered(report)),
            _ => (JobRunState::Unfinished, cut(report).to_owned()),
        };
        let incident = incident(state, report);
        let hints = report.filter(|_| changes.published).map(hints);
        Ok(RunResult { state, reason, incident, changes, hints, fault: None })
    }

    /// Keeps the report of this run for later. That it cannot be kept is no fault of the run.
    fn keep_report(&self, run: i64) {
        let Some(reports) = &self.job.reports else { return };
        if let Err(error) = KeptReports::of(&self.job.record).keep(reports, run) {
            tracing::warn!(job = self.job.name, "the report of this run is not kept for later: {error}");
        }
    }

    /// Stores the outcome of a run, and sends a heartbeat if it is done.
    async fn close(&self, number: i64, key: RunKey, ended: &RunResult) -> Result<(), CrawlError> {
        self.settle(number, key, ended)?;
        if ended.state == JobRunState::Done {
            self.beat().await;
        }
        Ok(())
    }

    /// Sends the heartbeat to a watchdog.
    async fn beat(&self) {
        let Some(heartbeat) = &self.job.heartbeat else { return };
        if let Err(error) = self.job.post.beat(heartbeat).await {
            tracing::warn!(job = self.job.name, "the heartbeat was not sent: {error}");
        }
    }

    fn settle(&self, number: i64, key: RunKey, ended: &RunResult) -> Result<(), CrawlError> {
        let outcome = StoredOutcome {
            state: ended.state,
            reason: ended.reason.clone(),
            record_run: (ended.changes.run > 0).then_some(ended.changes.run),
            counts: ended.changes.counts,
            hints: ended.hints.clone(),
        };
        let notice = self.notices(number, key, ended)?;
        self.job_store.settle(number, &outcome, &notice, self.clock.now())
    }
}

/// The outcome of a run, with its changes.
pub(crate) struct RunResult {
    pub(crate) state: JobRunState,
    pub(crate) reason: String,
    /// The incident of the run, if any. The text identifies it.
    pub(crate) incident: Option<String>,
    pub(crate) changes: Changes,
    /// Advice about the site, if the run checked it.
    pub(crate) hints: Option<Vec<String>>,
    fault: Option<CrawlFault>,
}

impl RunResult {
    fn failed(error: &CrawlError) -> Self {
        let (state, reason, fault) = (JobRunState::Failed, error.to_string(), Some(error.fault));
        // Uses the place and not the words, which may differ from run to run of one incident.
        let at = if error.place.is_empty() { &error.what } else { &error.place };
        let incident = Some(format!("failed at {at}"));
        Self { state, reason, incident, changes: Changes::default(), hints: None, fault }
    }
}

/// Returns advice about the site: lines that its robots.txt lacks, or may lack.
fn hints(report: &RunReport) -> Vec<String> {
    let line = |RobotsLine { host, line, requested }: &RobotsLine| match requested {
        true => format!("{host}/robots.txt does not name the sitemap; put into it: {line}"),
        false => format!("see that {host}/robots.txt, which was not requested, has the line: {line}"),
    };
    report.robots_lines.iter().map(line).collect()
}

/// Returns the incident of a run: `refused`; `failed` if the site does not answer, or `failed` with what it does
/// instead. An interrupted run is an incident only if an outage of the site or a full disk interrupted it.
fn incident(state: JobRunState, report: Option<&RunReport>) -> Option<String> {
    match (state, report.map(|report| report.how)) {
        (JobRunState::Refused, _) => Some(state.to_string()),
        (JobRunState::Failed, _) => {
            let instead = report.and_then(|report| report.unanswered.first()?.instead);
            Some(instead.map_or_else(|| "failed".to_owned(), |instead| format!("failed: {instead}")))
        }
        (JobRunState::Unfinished, Some(Completeness::Cut(Cut::SiteDown))) => Some("failed".to_owned()),
        (JobRunState::Unfinished, Some(Completeness::Cut(Cut::Disk))) => Some("failed at the disk".to_owned()),
        (JobRunState::Unfinished, Some(Completeness::Cut(Cut::Browser))) => Some("failed at the browser".to_owned()),
        _ => None,
    }
}

/// The state of the record before a run begins.
#[derive(Default)]
struct RecordState {
    /// The newest run's number; 0 before the first.
    newest: i64,
    /// The newest run has ended, and is not to be resumed.
    ended: bool,
    /// The unfinished run that can be resumed.
    unfinished: Option<i64>,
}

impl RecordState {
    fn of(job: &Job) -> Result<Self, CrawlError> {
        if !Record::is_in(&job.record) {
            return Ok(Self::default());
        }
        let look = || {
            let record = Record::open_to_read(&job.record)?;
            let newest = record.runs()?.into_iter().next();
            let ended = newest.is_some_and(|run| matches!(run.state, RunState::Complete | RunState::Failed));
            Ok((record.run(), ended, record.unfinished()?))
        };
        let (newest, ended, unfinished) =
            look().map_err(|error: mapwright_store::StoreError| CrawlError::from(error).in_record(&job.record))?;
        // A run with other start URLs is abandoned, and so is one with a secret that the job no longer has.
        let Some(unfinished) = unfinished else { return Ok(Self { newest, ended, unfinished: None }) };
        let resumes = job.crawl_spec(false)?.began(&unfinished);
        Ok(Self { newest, ended, unfinished: resumes.then_some(unfinished.run) })
    }

    /// Returns the number of the run that is resumed, or of the next one: runs are numbered consecutively. The number
    /// is stored before the run begins, so that the run is found again after a kill. A time could not identify it,
    /// because clocks are set back.
    fn next(&self) -> i64 {
        self.unfinished.unwrap_or(self.newest + 1)
    }

    /// Returns whether the newest run of the record belongs to this job run and has ended: the process was killed
    /// later.
    fn has_ended(&self, job_run: &JobRun) -> bool {
        self.ended && job_run.record_run == Some(self.newest)
    }
}

/// Returns the answers of the start URLs.
fn unanswered(report: Option<&RunReport>) -> String {
    let answers = report.map(|report| report.unanswered.as_slice()).unwrap_or_default();
    match answers {
        [] => "no start URL answered 200".to_owned(),
        answers => {
            answers.iter().map(|answer| format!("{}: {}", answer.url, answer.what)).collect::<Vec<_>>().join("; ")
        }
    }
}

fn cut(report: Option<&RunReport>) -> &'static str {
    match report.map(|report| report.how) {
        Some(Completeness::Cut(Cut::Time)) => "--max-time passed; the next run resumes it",
        Some(Completeness::Cut(Cut::Disk)) => "the disk is nearly full; the next run resumes it",
        Some(Completeness::Cut(Cut::Browser)) => "the browser does not work; the next run resumes it",
        Some(Completeness::Cut(Cut::SiteDown)) => "the site went down; the next run resumes it",
        _ => "it was stopped; the next run resumes it",
    }
}
