//! One night of one job: crawl, publish, bring it further, tell.
//!
//! Each step can be done again after a kill, and what was done is read from the record: a run that is whole is not
//! crawled again, files that are where they belong are not sent again, and what is told goes into the outbox in the one
//! transaction that settles the night.

use super::changes::Changes;
use super::clock::Clock;
use super::job_run_state::JobRunState;
use super::ledger::{Ledger, Outcome};
use super::plan::Plan;
use super::view::JobRun;
use crate::error::{JobError, JobFault};
use crate::recorded::{begun_with, missing_secrets};
use crate::report::{Report, RobotsLine};
use crate::run;
use jiff::Timestamp;
use mapwright_engine::{Cut, How, Observer};
use mapwright_store::{Record, RunState};
use std::sync::Arc;
use tokio::task::JoinError;
use tokio_util::sync::CancellationToken;
use url::Url;

/// How a night ended.
#[derive(Debug)]
pub struct Kept {
    /// Its number in the ledger.
    pub number: i64,
    /// What came of it.
    pub state: JobRunState,
    /// Why, in words, where it is not done.
    pub why: String,
    /// What the run told, unless it had ended before.
    pub report: Option<Report>,
    /// Whose fault it was, where mapwright could not do its work.
    pub fault: Option<JobFault>,
}

/// What a night is kept with.
#[derive(Debug, Clone)]
pub struct Keeping {
    /// The job.
    pub plan: Arc<Plan>,
    /// Where it is noted.
    pub ledger: Arc<Ledger>,
    /// The URL of the dashboard, for messages.
    pub link: Option<Url>,
    /// What tells the time.
    pub clock: Clock,
}

impl Keeping {
    /// Keeps the night that was due then, or goes on with it. `stop` cuts it: it can be gone on with.
    ///
    /// # Errors
    /// When the ledger cannot be written. What goes wrong otherwise is noted there as the night's outcome.
    pub async fn keep(
        &self,
        due: Timestamp,
        observer: Arc<dyn Observer>,
        stop: CancellationToken,
    ) -> Result<Kept, JobError> {
        self.settle_killed(due).await?;
        let number = self.ledger.begin(&self.plan.name, due, self.clock.now())?;
        let night = self.ledger.night(number)?;
        // In a task of its own: a defect that makes it panic fails this night, and takes no job out of the service.
        let keeping = self.clone();
        let before = night.as_ref().map_or(0, |night| night.counts.took_ms);
        let going = tokio::spawn(async move { keeping.go(night.as_ref(), observer, stop).await });
        let (mut ended, report) = going.await.unwrap_or_else(|error| (Ended::failed(&defect(&error)), None));
        // The time in which something ran: a run that goes on in another window rests in between.
        let took = report.as_ref().map_or(0, |report| u64::try_from(report.took.as_millis()).unwrap_or(u64::MAX));
        ended.changes.counts.took_ms = before.saturating_add(took);
        self.close(number, due, &ended).await?;
        Ok(Kept { number, state: ended.state, why: ended.why, report, fault: ended.fault })
    }

    /// Settles a night that was killed when its run had ended: what it saw would never be told.
    async fn settle_killed(&self, due: Timestamp) -> Result<(), JobError> {
        let Some(night) = self.ledger.unsettled(&self.plan.name, due)? else { return Ok(()) };
        let (keeping, number, due, took) = (self.clone(), night.number, night.due, night.counts.took_ms);
        let settling = tokio::spawn(async move {
            let ended = keeping.has_ended(&night).await?;
            Ok::<_, JobError>(if ended { Some(keeping.finish(None).await) } else { None })
        });
        let ended = settling.await.unwrap_or_else(|error| Ok(Some(Ended::failed(&defect(&error)))));
        match ended {
            Ok(Some(mut ended)) => {
                ended.changes.counts.took_ms = took;
                self.close(number, due, &ended).await
            }
            Ok(None) => Ok(()),
            // The night that begins says what is wrong with the record, if that is still so.
            Err(error) => {
                tracing::warn!(job = %self.plan.name, "an earlier night cannot be settled: {error}");
                Ok(())
            }
        }
    }

    /// Crawls, judges, publishes.
    async fn go(
        &self,
        night: Option<&JobRun>,
        observer: Arc<dyn Observer>,
        stop: CancellationToken,
    ) -> (Ended, Option<Report>) {
        match self.crawl(night, observer, stop).await {
            Ok(report) => (self.finish(report.as_ref()).await, report),
            // What the run saw is told all the same, where it could be judged.
            Err(error) => {
                let changes = self.changes(night).await.unwrap_or_default();
                (Ended { changes, ..Ended::failed(&error) }, None)
            }
        }
    }

    /// What follows the crawl.
    async fn finish(&self, report: Option<&Report>) -> Ended {
        let mut ended = self.ended(report).await.unwrap_or_else(|error| Ended::failed(&error));
        if ended.state == JobRunState::Done
            && let Err(error) = self.bring_further(&ended.changes).await
        {
            let (changes, advice) = (ended.changes, ended.advice);
            ended = Ended { changes, advice, fault: None, ..Ended::failed(&error) };
        }
        ended
    }

    /// Crawls, unless a run of this night has ended already.
    async fn crawl(
        &self,
        night: Option<&JobRun>,
        observer: Arc<dyn Observer>,
        stop: CancellationToken,
    ) -> Result<Option<Report>, JobError> {
        let plan = Arc::clone(&self.plan);
        let known = blocking(move || Known::of(&plan)).await?;
        if let Some(night) = night {
            if known.has_ended(night) {
                return Ok(None);
            }
            self.ledger.set_run(night.number, known.next())?;
        }
        let job = self.plan.job(known.unfinished.is_some())?;
        run::run(job, observer, stop).await.map(Some)
    }

    /// Whether a run of this night has ended.
    async fn has_ended(&self, night: &JobRun) -> Result<bool, JobError> {
        let (plan, night) = (Arc::clone(&self.plan), night.clone());
        blocking(move || Ok(Known::of(&plan)?.has_ended(&night))).await
    }

    /// What a run of this night changed that has ended.
    async fn changes(&self, night: Option<&JobRun>) -> Result<Changes, JobError> {
        // As it stands now: which run is its own was noted when that began.
        match night.map(|night| self.ledger.night(night.number)).transpose()?.flatten() {
            Some(night) if self.has_ended(&night).await? => {
                let keeping = self.clone();
                Ok(blocking(move || keeping.noted_changes()).await?.unwrap_or_default())
            }
            _ => Ok(Changes::default()),
        }
    }

    async fn ended(&self, report: Option<&Report>) -> Result<Ended, JobError> {
        let keeping = self.clone();
        let changes = blocking(move || keeping.noted_changes()).await?.unwrap_or_default();
        let (state, why) = match (changes.state, &changes.held) {
            (Some(RunState::Whole), None) => (JobRunState::Done, String::new()),
            (Some(RunState::Whole), Some(held)) => (JobRunState::Refused, held.clone()),
            (Some(RunState::Failed), _) => (JobRunState::Failed, unanswered(report)),
            _ => (JobRunState::Unfinished, cut(report).to_owned()),
        };
        let trouble = trouble(state, report);
        let advice = report.filter(|_| changes.published).map(advice);
        Ok(Ended { state, why, trouble, changes, advice, fault: None })
    }

    /// Notes how a night ended, and gives a sign of life where it went well.
    async fn close(&self, number: i64, due: Timestamp, ended: &Ended) -> Result<(), JobError> {
        self.settle(number, due, ended)?;
        if ended.state == JobRunState::Done {
            self.beat().await;
        }
        Ok(())
    }

    /// Tells a watchdog elsewhere that the night went well.
    async fn beat(&self) {
        let Some(heartbeat) = &self.plan.heartbeat else { return };
        if let Err(error) = self.plan.post.beat(heartbeat).await {
            tracing::warn!(job = self.plan.name, "the watchdog (heartbeat) was not told: {error}");
        }
    }

    fn settle(&self, number: i64, due: Timestamp, ended: &Ended) -> Result<(), JobError> {
        let outcome = Outcome {
            state: ended.state,
            why: ended.why.clone(),
            run: (ended.changes.run > 0).then_some(ended.changes.run),
            counts: ended.changes.counts,
            advice: ended.advice.clone(),
        };
        let told = self.news(number, due, ended)?;
        self.ledger.settle(number, &outcome, &told, self.clock.now())
    }
}

/// How a night ended, and what it changed.
pub(super) struct Ended {
    pub(super) state: JobRunState,
    pub(super) why: String,
    /// What people are to worry about, if anything, so that one trouble is told from another.
    pub(super) trouble: Option<String>,
    pub(super) changes: Changes,
    /// What is to be done at the site, where that was looked at.
    pub(super) advice: Option<Vec<String>>,
    fault: Option<JobFault>,
}

impl Ended {
    fn failed(error: &JobError) -> Self {
        let (state, why, fault) = (JobRunState::Failed, error.to_string(), Some(error.fault));
        // The place, not the words: these may differ from night to night while the trouble is the same.
        let at = if error.place.is_empty() { &error.what } else { &error.place };
        let trouble = Some(format!("failed at {at}"));
        Self { state, why, trouble, changes: Changes::default(), advice: None, fault }
    }
}

/// What is to be done at the site: lines that its robots.txt lacks, or may lack.
fn advice(report: &Report) -> Vec<String> {
    let line = |RobotsLine { host, line, asked }: &RobotsLine| match asked {
        true => format!("{host}/robots.txt does not name the sitemap; put into it: {line}"),
        false => format!("see that {host}/robots.txt, which was not asked for, has the line: {line}"),
    };
    report.robots_lines.iter().map(line).collect()
}

/// What people are to worry about: `refused`, `failed` where it is the site that does not answer, or `failed` and what it
/// does instead. A run that goes on is none, unless it was trouble that cut it.
fn trouble(state: JobRunState, report: Option<&Report>) -> Option<String> {
    match (state, report.map(|report| report.how)) {
        (JobRunState::Refused, _) => Some(state.to_string()),
        (JobRunState::Failed, _) => {
            let instead = report.and_then(|report| report.unanswered.first()?.instead);
            Some(instead.map_or_else(|| "failed".to_owned(), |instead| format!("failed: {instead}")))
        }
        (JobRunState::Unfinished, Some(How::Cut(Cut::SiteDown))) => Some("failed".to_owned()),
        (JobRunState::Unfinished, Some(How::Cut(Cut::Disk))) => Some("failed at the disk".to_owned()),
        _ => None,
    }
}

/// What the record knows before a night begins.
#[derive(Default)]
struct Known {
    /// The newest run's number; 0 before the first.
    newest: i64,
    /// It has ended, and is not to be gone on with.
    ended: bool,
    /// The unfinished run that can be gone on with.
    unfinished: Option<i64>,
}

impl Known {
    fn of(plan: &Plan) -> Result<Self, JobError> {
        if !Record::is_in(&plan.record) {
            return Ok(Self::default());
        }
        let look = || {
            let record = Record::open_to_read(&plan.record)?;
            let newest = record.runs()?.into_iter().next();
            let ended = newest.is_some_and(|run| matches!(run.state, RunState::Whole | RunState::Failed));
            Ok((record.run(), ended, record.unfinished()?))
        };
        let (newest, ended, unfinished) =
            look().map_err(|error: mapwright_store::StoreError| JobError::from(error).in_record(&plan.record))?;
        // A run that was begun for other start URLs is let go, and so is one with a secret that the job has no more.
        let Some(unfinished) = unfinished else { return Ok(Self { newest, ended, unfinished: None }) };
        let (begun_at, begun) = begun_with(&unfinished);
        let job = plan.job(false)?;
        let starts: Vec<String> = job.start_urls().iter().map(ToString::to_string).collect();
        let goes_on = begun_at == starts && missing_secrets(&begun, &job.recorded).is_empty();
        Ok(Self { newest, ended, unfinished: goes_on.then_some(unfinished.run) })
    }

    /// The run that a night goes on with, or the number that its own will have: runs are numbered one by one. It is
    /// noted before the run begins, so that a night knows its run again after a kill. No clock could tell that: clocks
    /// are set back.
    fn next(&self) -> i64 {
        self.unfinished.unwrap_or(self.newest + 1)
    }

    /// Whether the newest run is this night's, and over: it was killed after that.
    fn has_ended(&self, night: &JobRun) -> bool {
        self.ended && night.run == Some(self.newest)
    }
}

/// What the start URLs answered.
fn unanswered(report: Option<&Report>) -> String {
    let answers = report.map(|report| report.unanswered.as_slice()).unwrap_or_default();
    match answers {
        [] => "no start URL answered 200".to_owned(),
        answers => {
            answers.iter().map(|answer| format!("{}: {}", answer.url, answer.what)).collect::<Vec<_>>().join("; ")
        }
    }
}

fn cut(report: Option<&Report>) -> &'static str {
    match report.map(|report| report.how) {
        Some(How::Cut(Cut::Time)) => "the longest time (--max-time) was over; the next run goes on with it",
        Some(How::Cut(Cut::Disk)) => "the disk is nearly full; the next run goes on with it",
        Some(How::Cut(Cut::SiteDown)) => "the site went down; the next run goes on with it",
        _ => "it was stopped; the next run goes on with it",
    }
}

/// Runs what blocks beside the runtime.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, JobError> + Send + 'static,
) -> Result<T, JobError> {
    tokio::task::spawn_blocking(work).await.map_err(|error| defect(&error))?
}

/// Work that panicked.
fn defect(error: &JoinError) -> JobError {
    JobError {
        fault: JobFault::Failed,
        what: error.to_string(),
        place: "the night".to_owned(),
        remedy: "please report it".to_owned(),
        key: None,
    }
}
