//! Implements the control interface of the service.

use crate::effective_settings::EffectiveSetting;
use crate::job::Job;
use crate::job_run::JobRun;
use crate::log_line::LogLine;
use crate::newest::Newest;
use crate::service::{Service, State};
use crate::slot_messages;
use crate::test_messages::test_messages;
use crate::view::{Denied, JobControl, JobState, JobView, Live, Outage, ServiceFigures, Tested};
use jiff::Timestamp;
use mapwright_crawl::CrawlError;
use mapwright_schedule::{CommandError, ScheduleState};
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// Failed notifications that are shown.
const SHOWN_FAILED: usize = 5;

impl JobControl for Service {
    fn jobs(&self) -> Vec<JobView> {
        let now = self.now();
        let views: Vec<JobView> = {
            let state = self.state();
            state.jobs.values().map(|job| view(job, &state, now)).collect()
        };
        views.into_iter().map(|view| self.with_runs(view)).collect()
    }

    fn job(&self, name: &str) -> Option<JobView> {
        let now = self.now();
        let view = {
            let state = self.state();
            state.jobs.get(name).map(|job| view(job, &state, now))
        };
        view.map(|view| self.with_runs(view))
    }

    fn settings(&self, name: &str) -> Option<Vec<EffectiveSetting>> {
        self.state().jobs.get(name).map(|job| job.effective_settings())
    }

    fn runs(&self, job: &str, before: Option<i64>, most: usize) -> Result<Vec<JobRun>, CrawlError> {
        self.0.job_store.runs(job, before, most)
    }

    fn run_log(&self, job: &str, run: i64) -> Result<Vec<LogLine>, CrawlError> {
        self.0.job_store.run_log(job, run)
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
            CommandError::Unknown => Denied::Unknown,
            _ => Denied::Running,
        })?;
        self.keep_command(job);
        Ok(())
    }

    fn stop(&self, job: &str) -> Result<(), Denied> {
        let mut state = self.state();
        if !state.jobs.contains_key(job) {
            return Err(Denied::Unknown);
        }
        state.agenda.stop(job).map_err(|_| Denied::Idle)?;
        drop(state);
        self.keep_command(job);
        Ok(())
    }

    fn pause(&self, job: &str) -> Result<(), Denied> {
        let now = self.now();
        self.state().agenda.pause(job, now).map_err(|_| Denied::Unknown)?;
        self.keep_command(job);
        Ok(())
    }

    fn resume(&self, job: &str) -> Result<(), Denied> {
        let now = self.now();
        self.state().agenda.resume(job, now).map_err(|_| Denied::Unknown)?;
        self.keep_command(job);
        Ok(())
    }

    fn test_messages(&self, job: &str) -> Result<JoinHandle<Vec<Tested>>, Denied> {
        let state = self.state();
        let (job, link) = (state.jobs.get(job).cloned().ok_or(Denied::Unknown)?, state.link.clone());
        Ok(tokio::spawn(async move { test_messages(job, link.as_ref()).await }))
    }

    fn figures(&self) -> ServiceFigures {
        let counts = self.0.job_store.notification_counts();
        let readable = counts.is_ok();
        let (notifications_pending, notifications_failed) = counts.unwrap_or_default();
        let failed = self.0.job_store.failed_notifications(SHOWN_FAILED).unwrap_or_default();
        let writable = self.outage().is_none();
        let state = self.state();
        ServiceFigures {
            runs: state.runs.iter().map(|((job, state), count)| (job.clone(), *state, *count)).collect(),
            pages: state.pages.iter().map(|(job, count)| (job.clone(), *count)).collect(),
            notifications_pending,
            notifications_failed,
            failed_notifications: failed
                .into_iter()
                .map(|failed| (failed.job, failed.channel, failed.reason))
                .collect(),
            fault: state.fault.clone(),
            ready: readable && writable && !self.0.ending.is_cancelled(),
            writable,
        }
    }

    fn outage(&self) -> Option<Outage> {
        let known = self.state().outage.clone();
        // A removed file is seen at once: the loop, which looks from time to time, is woken to report it.
        let lost = self.0.job_store.lost().filter(|_| known.as_ref().is_none_or(|outage| !outage.is_lost));
        if lost.is_some() {
            self.0.wake.notify_one();
        }
        lost.or(known)
    }
}

impl Service {
    /// Stores the schedule states before a command is acknowledged, so that a kill right after that does not lose it.
    fn keep_command(&self, job: &str) {
        if let Err(error) = self.note_schedule_states() {
            tracing::error!(job, "the command is not kept over a restart: {error}");
        }
        self.0.wake.notify_one();
    }

    /// Returns a job with its newest runs. If the database cannot be read there are none, and the service is not ready.
    fn with_runs(&self, view: JobView) -> JobView {
        let of = |wanted| self.0.job_store.newest_run(&view.name, wanted).ok().flatten();
        let (newest, last_run) = (of(Newest::OfAll), of(Newest::ThatRan));
        let published = of(Newest::ThatSucceeded).filter(|_| view.sitemaps.is_some());
        let published_urls = published.map(|run| run.counts.listed);
        let has_incident = self.0.job_store.incident(&view.name).is_ok_and(|incident| incident.is_some());
        JobView { newest, last_run, published_urls, has_incident, ..view }
    }
}

fn view(job: &Job, state: &State, now: Timestamp) -> JobView {
    let schedule_state = state.agenda.schedule_state(&job.name);
    let paused = schedule_state.is_some_and(ScheduleState::is_paused);
    let job_state = match schedule_state {
        _ if state.running.contains_key(&job.name) => JobState::Running,
        Some(schedule_state) if schedule_state.is_by_hand() => JobState::Waiting,
        _ if paused => JobState::Paused,
        Some(schedule_state) if schedule_state.unfinished().is_some() => JobState::Waiting,
        _ => JobState::Idle,
    };
    JobView {
        name: job.name.clone(),
        urls: job.urls(),
        task: job.settings.job.task.as_str(),
        schedule: job.timetable.describe(),
        next: state.agenda.next(&job.name, now),
        waiting: slot_messages::waiting(&job.name, state, now).filter(|_| job_state == JobState::Waiting),
        state: job_state,
        paused,
        record: job.record.clone(),
        sitemaps: job.sitemaps.clone(),
        reports: job.reports.clone(),
        newest: None,
        last_run: None,
        published_urls: None,
        notifies: job.notifies(),
        has_incident: false,
    }
}
