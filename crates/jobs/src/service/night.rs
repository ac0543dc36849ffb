//! One night of one job: crawl, publish, bring it further, tell.
//!
//! Each step can be done again after a kill, and what was done is read from the record: a run that is whole is not
//! crawled again, files that are where they belong are not sent again, and what is told goes into the outbox in the one
//! transaction that settles the night.

use super::changes::Changes;
use super::clock::Clock;
use super::ledger::{Ledger, Outcome, Told};
use super::plan::Plan;
use super::postman;
use super::view::NightView;
use crate::error::{JobError, JobFault};
use crate::recorded::begun_with;
use crate::report::Report;
use crate::{run, wire};
use jiff::Timestamp;
use mapwright_engine::{Cut, How, Observer};
use mapwright_publish::Directory;
use mapwright_publish::mirror::{Files, MirrorOptions, mirror};
use mapwright_store::Record;
use mapwright_tell::{Night as Telling, NightOutcome, message};
use std::sync::Arc;
use tokio::task::JoinError;
use tokio_util::sync::CancellationToken;
use url::Url;

/// How a night ended.
#[derive(Debug)]
pub struct Kept {
    /// Its number in the ledger.
    pub number: i64,
    /// `done`, `unfinished`, `failed` or `refused`.
    pub state: &'static str,
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
        let number = self.ledger.begin(&self.plan.name, due, self.clock.now())?;
        let night = self.ledger.night(number)?;
        // In a task of its own: a defect that makes it panic fails this night, and takes no job out of the service.
        let keeping = self.clone();
        let crawling = tokio::spawn(async move { keeping.crawl(night.as_ref(), observer, stop).await });
        let (mut ended, report, fault) = match crawling.await.unwrap_or_else(|error| Err(defect(&error))) {
            Ok(report) => (self.ended(report.as_ref()).await?, report, None),
            Err(error) => (Ended::failed(&error), None, Some(error.fault)),
        };
        if ended.state == "done"
            && let Err(error) = self.bring_further(&ended.changes).await
        {
            (ended.state, ended.why) = ("failed", error.to_string());
        }
        self.settle(number, due, &ended)?;
        for (host, line) in report.iter().flat_map(|report| &report.robots_lines) {
            tracing::warn!(job = self.plan.name, "{host}/robots.txt does not name the sitemap; put into it: {line}");
        }
        Ok(Kept { number, state: ended.state, why: ended.why, report, fault })
    }

    /// Crawls, unless a run of this night has ended already.
    async fn crawl(
        &self,
        night: Option<&NightView>,
        observer: Arc<dyn Observer>,
        stop: CancellationToken,
    ) -> Result<Option<Report>, JobError> {
        let plan = Arc::clone(&self.plan);
        let known = blocking(move || Known::of(&plan)).await?;
        if night.is_some_and(|night| known.has_ended(night)) {
            return Ok(None);
        }
        if let (Some(night), Some(run)) = (night, known.unfinished) {
            self.ledger.set_run(night.number, run)?;
        }
        let job = self.plan.job(known.unfinished.is_some())?;
        run::run(job, observer, stop).await.map(Some)
    }

    async fn ended(&self, report: Option<&Report>) -> Result<Ended, JobError> {
        let record = self.plan.record.clone();
        let changes = blocking(move || Changes::of(&record)).await?.unwrap_or_default();
        let (state, why) = match (changes.state.as_str(), &changes.held) {
            ("whole", None) => ("done", String::new()),
            ("whole", Some(held)) => ("refused", held.clone()),
            ("failed", _) => ("failed", unanswered(report)),
            _ => ("unfinished", cut(report).to_owned()),
        };
        Ok(Ended { state, why, changes })
    }

    /// Brings what was published to the mirrors, and tells the search engines.
    async fn bring_further(&self, changes: &Changes) -> Result<(), JobError> {
        let plan = &self.plan;
        let Some(folder) = plan.sitemaps.as_ref().filter(|_| changes.published) else { return Ok(()) };
        let failed = |what: String, place: &str| JobError {
            fault: JobFault::Output,
            what,
            place: format!("job {}, {place}", plan.name),
            remedy: "what was there is whole; the next night brings it up to date".to_owned(),
        };
        let directory = Directory::prepare(folder).map_err(|error| failed(error.to_string(), "the sitemaps"))?;
        let Some(files) = Files::from_directory(&directory) else { return Ok(()) };
        drop(directory);
        for place in &plan.mirrors {
            let options = MirrorOptions {
                grace: plan.settings.publish.grace.unwrap_or_default(),
                timeout: plan.settings.publish.mirror_timeout,
                now: self.clock.now(),
                environment: environment(),
                state: Some(plan.record.clone()),
            };
            mirror(place, &files, &options).await.map_err(|error| failed(error.to_string(), &place.label()))?;
        }
        let sitemap = self.sitemap_url(&files)?;
        let urls = self.published(&changes.urls)?;
        let faults = plan.announcing.announce(&self.ledger, &plan.name, &urls, &sitemap, self.clock.now()).await?;
        for fault in faults {
            // Search engines come by themselves as well: what they refuse spoils no night.
            tracing::warn!(job = plan.name, "a search engine was not told: {fault}");
        }
        Ok(())
    }

    /// URLs as they are published.
    fn published(&self, urls: &[String]) -> Result<Vec<String>, JobError> {
        let rewrites = wire::rewrites(&self.plan.settings)?;
        let rewritten = |url: &String| rewrites.iter().find_map(|rewrite| rewrite.apply(url));
        Ok(urls.iter().map(|url| rewritten(url).unwrap_or_else(|| url.clone())).collect())
    }

    /// Where the entry point is served.
    fn sitemap_url(&self, files: &Files) -> Result<Url, JobError> {
        let job = self.plan.job(false)?;
        let base = wire::publish_plan(&self.plan.settings, &job.scope)?.series.base;
        base.join(&files.entry_point).map_err(|error| JobError::usage("key sitemap.sitemap-base", error, "give a URL"))
    }

    fn settle(&self, number: i64, due: Timestamp, ended: &Ended) -> Result<(), JobError> {
        let before = self.ledger.state_before(&self.plan.name, number)?;
        let changes = &ended.changes;
        let outcome = Outcome {
            state: ended.state,
            why: ended.why.clone(),
            run: (changes.run > 0).then_some(changes.run),
            counts: changes.counts,
        };
        let message = self.heard(ended, before.as_deref()).and_then(|outcome| {
            let of_run = matches!(outcome, NightOutcome::Done | NightOutcome::Recovered | NightOutcome::Refused { .. });
            let changes = if of_run { changes.clone() } else { Changes::default() };
            message(&Telling {
                job: self.plan.name.clone(),
                site: self.plan.settings.job.url.first().cloned().unwrap_or_default(),
                due,
                run: (changes.run > 0).then_some(changes.run),
                outcome,
                listed: of_run.then_some(changes.counts.listed),
                listed_before: changes.listed_before,
                gained: changes.gained,
                lost: changes.lost,
                findings: changes.findings,
                link: self.link.as_ref().and_then(|link| link_to(link, &self.plan.name, number)),
            })
        });
        let channels = postman::labels(&self.plan.channels);
        self.ledger.settle(number, &outcome, &Told { message, channels }, self.clock.now())
    }

    /// How people are to hear of it; nothing where the night before ended in the same trouble, or this one goes on.
    fn heard(&self, ended: &Ended, before: Option<&str>) -> Option<NightOutcome> {
        let trouble = matches!(before, Some("failed" | "refused" | "missed"));
        match ended.state {
            "done" if trouble => Some(NightOutcome::Recovered),
            "done" => Some(NightOutcome::Done),
            "failed" if before != Some("failed") => Some(NightOutcome::Failed { why: ended.why.clone() }),
            "refused" if before != Some("refused") => Some(NightOutcome::Refused { why: ended.why.clone() }),
            _ => None,
        }
    }
}

/// How a night ended, and what it changed.
struct Ended {
    state: &'static str,
    why: String,
    changes: Changes,
}

impl Ended {
    fn failed(error: &JobError) -> Self {
        Self { state: "failed", why: error.to_string(), changes: Changes::default() }
    }
}

/// What the record knows before a night begins.
#[derive(Default)]
struct Known {
    /// The newest run, if it has ended: its number, and when it began in milliseconds since 1970.
    ended: Option<(i64, i64)>,
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
            let ended = newest.filter(|run| matches!(run.state.as_str(), "whole" | "failed"));
            Ok((ended.map(|run| (run.run, run.started)), record.unfinished()?))
        };
        let (ended, unfinished) =
            look().map_err(|error: mapwright_store::StoreError| JobError::from(error).in_record(&plan.record))?;
        // A run that was begun for other start URLs is let go.
        let Some(unfinished) = unfinished else { return Ok(Self { ended, unfinished: None }) };
        let (begun_at, _) = begun_with(&unfinished);
        let starts: Vec<String> = plan.job(false)?.start_urls().iter().map(ToString::to_string).collect();
        Ok(Self { ended, unfinished: (begun_at == starts).then_some(unfinished.run) })
    }

    /// Whether the newest run is this night's, and over: it was killed after that.
    fn has_ended(&self, night: &NightView) -> bool {
        self.ended.is_some_and(|(run, started)| {
            night.run == Some(run) || night.began.is_some_and(|began| started >= began.as_millisecond())
        })
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

/// What the tools of object storage take their credentials from.
fn environment() -> Vec<(String, String)> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect()
}

fn link_to(root: &Url, job: &str, number: i64) -> Option<String> {
    root.join(&format!("jobs/{job}/nights/{number}")).ok().map(Into::into)
}

/// Runs what blocks beside the runtime.
async fn blocking<T: Send + 'static>(
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
    }
}
