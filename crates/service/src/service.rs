//! The state of the service: its jobs, what runs, and its configuration.

use crate::clock::Clock;
use crate::job::Job;
use crate::job_run_state::JobRunState;
use crate::job_store::JobStore;
use crate::view::{Live, Outage};
use jiff::Timestamp;
use mapwright_crawl::CrawlError;
use mapwright_schedule::{Agenda, ScheduleState};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{Notify, watch};
use tokio_util::sync::CancellationToken;
use url::Url;

type Jobs = BTreeMap<String, Arc<Job>>;

/// The configuration of the service.
#[derive(Debug, Clone)]
pub struct ServiceConfig {
    /// The jobs.
    pub jobs: Vec<Job>,
    /// The number of jobs that run at the same time, at most.
    pub max_jobs: usize,
    /// The time that running jobs have to save their progress once the service ends.
    pub drain: Duration,
    /// The URL of the dashboard, for messages.
    pub link: Option<Url>,
}

/// The service that runs jobs on schedule.
#[derive(Debug, Clone)]
pub struct Service(pub(crate) Arc<Shared>);

#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) job_store: Arc<JobStore>,
    state: Mutex<State>,
    /// The schedule states that were stored last. Locked while they are stored, before the state, so that an older
    /// state never replaces a newer one.
    stored: Mutex<BTreeMap<String, ScheduleState>>,
    pub(crate) wake: Notify,
    /// Notified at each iteration of the loop.
    pub(crate) rounds: watch::Sender<()>,
    pub(crate) ending: CancellationToken,
    pub(crate) clock: Clock,
}

#[derive(Debug)]
pub(crate) struct State {
    pub(crate) agenda: Agenda,
    pub(crate) jobs: Jobs,
    pub(crate) running: BTreeMap<String, Running>,
    pub(crate) drain: Duration,
    pub(crate) link: Option<Url>,
    pub(crate) fault: Option<String>,
    /// The outage that keeps runs from beginning.
    pub(crate) outage: Option<Outage>,
    /// Runs since the service began, by job and state.
    pub(crate) runs: BTreeMap<(String, JobRunState), u64>,
    /// Pages since the service began, by job.
    pub(crate) pages: BTreeMap<String, u64>,
}

#[derive(Debug)]
pub(crate) struct Running {
    pub(crate) stop: CancellationToken,
    pub(crate) task: tokio::task::Id,
    pub(crate) live: watch::Receiver<Live>,
}

impl Service {
    /// Builds a service over the job store.
    ///
    /// # Errors
    /// If the job store cannot be read.
    pub fn new(config: ServiceConfig, job_store: Arc<JobStore>, clock: Clock) -> Result<Self, CrawlError> {
        let state = State {
            agenda: Agenda::new(config.max_jobs),
            jobs: Jobs::new(),
            running: BTreeMap::new(),
            drain: config.drain,
            link: None,
            fault: None,
            outage: None,
            runs: BTreeMap::new(),
            pages: BTreeMap::new(),
        };
        let (wake, rounds, ending) = (Notify::new(), watch::Sender::new(()), CancellationToken::new());
        let shared =
            Shared { job_store, state: Mutex::new(state), stored: Mutex::default(), wake, rounds, ending, clock };
        let service = Self(Arc::new(shared));
        service.reload(config)?;
        Ok(service)
    }

    /// Applies a new configuration. Running jobs keep theirs.
    ///
    /// # Errors
    /// If the job store cannot be read; the previous configuration stays in force.
    pub fn reload(&self, config: ServiceConfig) -> Result<(), CrawlError> {
        let schedule_states = config.jobs.iter().map(|job| self.0.job_store.schedule_state(&job.name));
        let schedule_states: Vec<Option<ScheduleState>> = schedule_states.collect::<Result<_, _>>()?;
        let names: Vec<String> = config.jobs.iter().map(|job| job.name.clone()).collect();
        self.0.job_store.forget_other_jobs(&names)?;
        let now = self.now();
        let mut state = self.state();
        let gone: Vec<String> =
            state.jobs.keys().filter(|name| config.jobs.iter().all(|job| job.name != **name)).cloned().collect();
        for name in &gone {
            state.agenda.remove(name);
        }
        state.agenda.set_max_slots(config.max_jobs);
        for (job, schedule_state) in config.jobs.iter().zip(schedule_states) {
            // A known job keeps its state in memory; the job store gives the state of jobs that are new to the service.
            let schedule_state = state.agenda.schedule_state(&job.name).cloned().or(schedule_state);
            state.agenda.set(&job.name, job.timetable.clone(), schedule_state, now);
        }
        state.jobs = config.jobs.into_iter().map(|job| (job.name.clone(), Arc::new(job))).collect();
        (state.drain, state.link, state.fault) = (config.drain, config.link, None);
        drop(state);
        self.stored().retain(|name, _| !gone.contains(name));
        self.0.wake.notify_one();
        Ok(())
    }

    /// Reports that a new configuration could not be read: the previous one stays in force.
    pub fn reload_failed(&self, fault: String) {
        self.state().fault = Some(fault);
    }

    /// Stores the schedule states that changed since they were stored last.
    pub(crate) fn note_schedule_states(&self) -> Result<(), CrawlError> {
        let mut stored = self.stored();
        let moved: Vec<(String, ScheduleState)> = {
            let state = self.state();
            let schedule_state = |name: &String| Some((name.clone(), state.agenda.schedule_state(name)?.clone()));
            let all = state.jobs.keys().filter_map(schedule_state);
            all.filter(|(name, schedule_state)| stored.get(name) != Some(schedule_state)).collect()
        };
        for (name, schedule_state) in moved {
            self.0.job_store.set_schedule_state(&name, &schedule_state)?;
            stored.insert(name, schedule_state);
        }
        Ok(())
    }

    fn stored(&self) -> MutexGuard<'_, BTreeMap<String, ScheduleState>> {
        self.0.stored.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn job_store(&self) -> &Arc<JobStore> {
        &self.0.job_store
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.0.clock.now()
    }

    /// Returns the jobs.
    pub(crate) fn jobs(&self) -> Vec<Arc<Job>> {
        self.state().jobs.values().cloned().collect()
    }
}
