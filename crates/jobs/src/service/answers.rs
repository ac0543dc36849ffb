//! What the service answers and may be asked to do.

use super::nightly::{Nightly, State};
use super::places;
use super::plan::Plan;
use super::test_messages::{Tested, test_messages};
use super::view::{Denied, Figures, JobRun, JobStanding, JobView, Live, Outage, Service};
use crate::error::JobError;
use jiff::Timestamp;
use mapwright_schedule::{Refused, Standing};
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// Lost letters that are shown.
const SHOWN_LOST: usize = 5;

impl Service for Nightly {
    fn jobs(&self) -> Vec<JobView> {
        let now = self.now();
        let views: Vec<JobView> = {
            let state = self.state();
            state.plans.values().map(|plan| view(plan, &state, now)).collect()
        };
        views.into_iter().map(|view| self.with_runs(view)).collect()
    }

    fn job(&self, name: &str) -> Option<JobView> {
        let now = self.now();
        let view = {
            let state = self.state();
            state.plans.get(name).map(|plan| view(plan, &state, now))
        };
        view.map(|view| self.with_runs(view))
    }

    fn runs(&self, job: &str, before: Option<i64>, most: usize) -> Result<Vec<JobRun>, JobError> {
        self.0.ledger.runs(job, before, most)
    }

    fn live(&self, job: &str) -> Option<watch::Receiver<Live>> {
        self.state().running.get(job).map(|running| running.live.clone())
    }

    fn start(&self, job: &str) -> Result<(), Denied> {
        if self.0.ending.is_cancelled() {
            return Err(Denied::Ending);
        }
        if !self.check_database() {
            return Err(Denied::Outage);
        }
        let now = self.now();
        self.state().agenda.start_now(job, now).map_err(|refused| match refused {
            Refused::Unknown => Denied::Unknown,
            _ => Denied::Running,
        })?;
        self.keep_order(job);
        Ok(())
    }

    fn stop(&self, job: &str) -> Result<(), Denied> {
        let mut state = self.state();
        if !state.plans.contains_key(job) {
            return Err(Denied::Unknown);
        }
        state.agenda.stop(job).map_err(|_| Denied::Idle)?;
        drop(state);
        self.keep_order(job);
        Ok(())
    }

    fn pause(&self, job: &str, paused: bool) -> Result<(), Denied> {
        let now = self.now();
        {
            let mut state = self.state();
            if !state.plans.contains_key(job) {
                return Err(Denied::Unknown);
            }
            state.agenda.pause(job, paused, now).map_err(|_| Denied::Unknown)?;
        }
        self.keep_order(job);
        Ok(())
    }

    fn test_messages(&self, job: &str) -> Result<JoinHandle<Vec<Tested>>, Denied> {
        let state = self.state();
        let (plan, link) = (state.plans.get(job).cloned().ok_or(Denied::Unknown)?, state.link.clone());
        Ok(tokio::spawn(async move { test_messages(plan, link.as_ref()).await }))
    }

    fn figures(&self) -> Figures {
        let counts = self.0.ledger.letter_counts();
        let readable = counts.is_ok();
        let (notifications_pending, notifications_failed) = counts.unwrap_or_default();
        let lost = self.0.ledger.failed_notifications(SHOWN_LOST).unwrap_or_default();
        let state = self.state();
        Figures {
            runs: state.nights.iter().map(|((job, state), count)| (job.clone(), *state, *count)).collect(),
            pages: state.pages.iter().map(|(job, count)| (job.clone(), *count)).collect(),
            notifications_pending,
            notifications_failed,
            failed_notifications: lost.into_iter().map(|lost| (lost.job, lost.channel, lost.why)).collect(),
            fault: state.fault.clone(),
            ready: readable && state.outage.is_none() && !self.0.ending.is_cancelled(),
            writable: state.outage.is_none(),
        }
    }

    fn outage(&self) -> Option<Outage> {
        self.state().outage.clone()
    }
}

impl Nightly {
    /// Keeps what was ordered before it is acknowledged: a kill right after that does not lose it.
    fn keep_order(&self, job: &str) {
        if let Err(error) = self.note_standings() {
            tracing::error!(job, "the order is not kept over a restart: {error}");
        }
        self.0.wake.notify_one();
    }

    /// A job with its newest runs. Where the database cannot be read there are none, and the service is not ready.
    fn with_runs(&self, view: JobView) -> JobView {
        let of = |ran| self.0.ledger.newest_run(&view.name, ran).ok().flatten();
        let (newest, last_run) = (of(false), of(true));
        let in_trouble = self.0.ledger.trouble(&view.name).is_ok_and(|trouble| trouble.is_some());
        JobView { newest, last_run, in_trouble, ..view }
    }
}

fn view(plan: &Plan, state: &State, now: Timestamp) -> JobView {
    let standing = state.agenda.standing(&plan.name);
    let paused = standing.is_some_and(Standing::is_paused);
    let standing = match standing {
        _ if state.running.contains_key(&plan.name) => JobStanding::Running,
        Some(standing) if standing.is_by_hand() => JobStanding::Waiting,
        _ if paused => JobStanding::Paused,
        Some(standing) if standing.unfinished().is_some() => JobStanding::Waiting,
        _ => JobStanding::Idle,
    };
    JobView {
        name: plan.name.clone(),
        urls: plan.urls(),
        task: plan.settings.job.task.as_str(),
        schedule: plan.timetable.describe(),
        next: state.agenda.next(&plan.name, now),
        waiting: places::waiting(&plan.name, state, now).filter(|_| standing == JobStanding::Waiting),
        standing,
        paused,
        record: plan.record.clone(),
        sitemaps: plan.sitemaps.clone(),
        reports: plan.reports.clone(),
        newest: None,
        last_run: None,
        tells: plan.tells(),
        in_trouble: false,
    }
}
