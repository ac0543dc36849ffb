//! The notifications about a run.

use crate::dispatcher;
use crate::job::Job;
use crate::job_run_state::JobRunState;
use crate::job_store::{IncidentChange, RunNotification};
use crate::run_key::RunKey;
use crate::runner::{JobRunner, RunResult};
use jiff::Timestamp;
use mapwright_crawl::CrawlError;
use mapwright_notify::{EventKind, FindingChanges, Message, PageSample, RunEvent, message};
use mapwright_schedule::SkipReason;
use mapwright_store::RunState;
use url::Url;

impl JobRunner {
    /// Returns the notification about run `number`, which was due at `due`, and the change of the incident.
    pub(crate) fn notices(&self, number: i64, key: RunKey, ended: &RunResult) -> Result<RunNotification, CrawlError> {
        let job = &self.job;
        let channels = dispatcher::labels(&job.channels);
        let known = self.job_store.incident(&job.name)?;
        let reason = || ended.reason.clone();
        let (outcome, incident) = match &ended.incident {
            Some(incident) if ended.state == JobRunState::Refused => {
                (EventKind::Refused { reason: reason() }, IncidentChange::Opened(incident.clone()))
            }
            Some(incident) => (EventKind::Failed { reason: reason() }, IncidentChange::Opened(incident.clone())),
            None if ended.state != JobRunState::Done => {
                return Ok(RunNotification { message: None, channels, incident: IncidentChange::Ongoing });
            }
            // Other runs were skipped because of this one: the incident is not resolved.
            None if self.still_skips(key.scheduled_for, known.as_deref())? => {
                (EventKind::Done, IncidentChange::Ongoing)
            }
            None if known.is_some() => (EventKind::Recovered, IncidentChange::Resolved),
            None => (EventKind::Done, IncidentChange::Resolved),
        };
        let changes = &ended.changes;
        let before = self.job_store.hints_before(&job.name, number)?;
        let again = ended.incident.is_some() && ended.incident == known;
        let job_run = RunEvent {
            run: (changes.run > 0).then_some(changes.run),
            listed: (changes.state == Some(RunState::Complete)).then_some(changes.counts.listed),
            listed_before: changes.listed_before,
            added: changes.added.clone(),
            removed: changes.removed.clone(),
            findings: changes.findings.clone(),
            hints: ended.hints.iter().flatten().filter(|line| !before.contains(line)).cloned().collect(),
            incident: ended.incident.clone(),
            incident_ongoing: again,
            ..quiet(job, key, outcome, self.link.as_ref(), &format!("runs/{number}"))
        };
        Ok(RunNotification { message: message(&job_run), channels, incident })
    }

    /// Returns whether skipped runs of the job were reported, and runs due after `due` were skipped too.
    fn still_skips(&self, due: Timestamp, known: Option<&str>) -> Result<bool, CrawlError> {
        Ok(known == Some(JobRunState::Skipped.as_str()) && self.job_store.skipped_since(&self.job.name, due)?)
    }
}

/// Returns the notification about a run that was due and did not begin; none if that was intended or is known already.
pub(crate) fn not_started(
    job: &Job,
    scheduled_for: Timestamp,
    (reason, words): (SkipReason, &str),
    link: Option<&Url>,
    known: Option<&str>,
) -> RunNotification {
    let channels = dispatcher::labels(&job.channels);
    let incident = match reason {
        SkipReason::Down | SkipReason::CaughtUp => JobRunState::Missed.as_str(),
        SkipReason::Unfinished | SkipReason::Queued | SkipReason::NoSlot => JobRunState::Skipped.as_str(),
        SkipReason::Paused | SkipReason::Stopped | SkipReason::Removed => {
            return RunNotification { message: None, channels, incident: IncidentChange::Ongoing };
        }
    };
    let outcome = EventKind::Missed { reason: words.to_owned() };
    let job_run = RunEvent {
        incident_ongoing: known == Some(incident),
        ..quiet(job, RunKey::first(scheduled_for), outcome, link, "")
    };
    RunNotification { message: message(&job_run), channels, incident: IncidentChange::Opened(incident.to_owned()) }
}

/// Returns a notification about the service itself, in the name of a job.
pub(crate) fn of_outage(job: &Job, now: Timestamp, outcome: EventKind, link: Option<&Url>) -> Option<Message> {
    let incident = Some("service".to_owned());
    message(&RunEvent { incident, ..quiet(job, RunKey::first(now), outcome, link, "") })
}

/// Returns an event without changes. `page` is the page of the run on the dashboard, below that of the job.
fn quiet(job: &Job, key: RunKey, kind: EventKind, link: Option<&Url>, page: &str) -> RunEvent {
    let page = format!("jobs/{}/{page}", job.name);
    RunEvent {
        job: job.name.clone(),
        site: job.urls().into_iter().next().unwrap_or_default(),
        scheduled_for: key.scheduled_for,
        occurrence: key.occurrence,
        run: None,
        kind,
        incident: None,
        incident_ongoing: false,
        listed: None,
        listed_before: None,
        added: PageSample::default(),
        removed: PageSample::default(),
        findings: FindingChanges::default(),
        hints: Vec::new(),
        link: link.and_then(|link| link.join(page.trim_end_matches('/')).ok()).map(Into::into),
    }
}
