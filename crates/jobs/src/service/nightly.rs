//! The service: begins nights when they are due, and ends them with their windows.

use super::clock::Clock;
use super::job_run_state::JobRunState;
use super::ledger::{Ledger, LeftOut, Told, Trouble};
use super::live::Watcher;
use super::news;
use super::night::{Keeping, Kept};
use super::places;
use super::plan::Plan;
use super::postman;
use super::view::{Live, Outage};
use crate::error::JobError;
use jiff::Timestamp;
use mapwright_engine::Observer;
use mapwright_schedule::{Agenda, Decision, Ended, Standing};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{Notify, watch};
use tokio::task::{JoinError, JoinSet};
use tokio_util::sync::CancellationToken;
use url::Url;

/// The longest sleep: clocks are set, and machines sleep.
const NAP: Duration = Duration::from_secs(30);
/// The longest while something runs: it may come to wait for its site, and give its place to another job.
const SHORT_NAP: Duration = Duration::from_secs(5);
type Plans = BTreeMap<String, Arc<Plan>>;
/// A night as its task ends: the job's name, and what came of it, unless another process was at work.
type Night = (String, Result<Option<Kept>, JobError>);

/// What the service is to do.
#[derive(Debug, Clone)]
pub struct Orders {
    /// The jobs.
    pub plans: Vec<Plan>,
    /// How many run at the same time, at most.
    pub max_jobs: usize,
    /// How long running jobs may save what they have once the service ends.
    pub drain: Duration,
    /// The URL of the dashboard, for messages.
    pub link: Option<Url>,
}

/// The nightly service.
#[derive(Debug, Clone)]
pub struct Nightly(pub(super) Arc<Shared>);

#[derive(Debug)]
pub(super) struct Shared {
    pub(super) ledger: Arc<Ledger>,
    state: Mutex<State>,
    pub(super) wake: Notify,
    /// Sent to each time that the loop has come round.
    pub(super) rounds: watch::Sender<()>,
    pub(super) ending: CancellationToken,
    clock: Clock,
}

#[derive(Debug)]
pub(super) struct State {
    pub(super) agenda: Agenda,
    pub(super) plans: Plans,
    pub(super) running: BTreeMap<String, Running>,
    drain: Duration,
    pub(super) link: Option<Url>,
    pub(super) fault: Option<String>,
    /// What keeps runs from beginning.
    pub(super) outage: Option<Outage>,
    /// Nights since the service began, by job and outcome.
    pub(super) nights: BTreeMap<(String, JobRunState), u64>,
    /// Pages since the service began, by job.
    pub(super) pages: BTreeMap<String, u64>,
    /// Where jobs stood when it was noted last.
    noted: BTreeMap<String, Standing>,
}

#[derive(Debug)]
pub(super) struct Running {
    stop: CancellationToken,
    task: tokio::task::Id,
    pub(super) live: watch::Receiver<Live>,
}

impl Nightly {
    /// A service over the ledger.
    ///
    /// # Errors
    /// When the ledger cannot be read.
    pub fn new(orders: Orders, ledger: Arc<Ledger>, clock: Clock) -> Result<Self, JobError> {
        let state = State {
            agenda: Agenda::new(orders.max_jobs),
            plans: Plans::new(),
            running: BTreeMap::new(),
            drain: orders.drain,
            link: None,
            fault: None,
            outage: None,
            nights: BTreeMap::new(),
            pages: BTreeMap::new(),
            noted: BTreeMap::new(),
        };
        let (wake, rounds, ending) = (Notify::new(), watch::Sender::new(()), CancellationToken::new());
        let shared = Shared { ledger, state: Mutex::new(state), wake, rounds, ending, clock };
        let service = Self(Arc::new(shared));
        service.take(orders)?;
        Ok(service)
    }

    /// Takes new orders; running jobs go on as they are.
    ///
    /// # Errors
    /// When the ledger cannot be read; the old orders hold then.
    pub fn take(&self, orders: Orders) -> Result<(), JobError> {
        let standings = orders.plans.iter().map(|plan| self.0.ledger.standing(&plan.name));
        let standings: Vec<Option<Standing>> = standings.collect::<Result<_, _>>()?;
        let names: Vec<String> = orders.plans.iter().map(|plan| plan.name.clone()).collect();
        self.0.ledger.keep_standings(&names)?;
        let now = self.now();
        let mut state = self.state();
        let gone: Vec<String> =
            state.plans.keys().filter(|name| orders.plans.iter().all(|plan| plan.name != **name)).cloned().collect();
        for name in &gone {
            state.agenda.remove(name);
            state.noted.remove(name);
        }
        state.agenda.set_most(orders.max_jobs);
        for (plan, standing) in orders.plans.iter().zip(standings) {
            // A job that is known keeps where it stands now; the ledger's word is for those that are new here.
            let standing = state.agenda.standing(&plan.name).cloned().or(standing);
            state.agenda.set(&plan.name, plan.timetable.clone(), standing, now);
        }
        state.plans = orders.plans.into_iter().map(|plan| (plan.name.clone(), Arc::new(plan))).collect();
        (state.drain, state.link, state.fault) = (orders.drain, orders.link, None);
        drop(state);
        self.0.wake.notify_one();
        Ok(())
    }

    /// Notes that new orders could not be read: the old ones hold.
    pub fn refuse(&self, fault: String) {
        self.state().fault = Some(fault);
    }

    /// Serves until `stop` is cancelled; then running jobs save what they have. Where the ledger cannot be written no run
    /// begins until it can.
    ///
    /// # Errors
    /// When the ledger cannot be written at the beginning.
    pub async fn run(&self, stop: CancellationToken) -> Result<(), JobError> {
        let mut nights = JoinSet::new();
        let mut letters = tokio::spawn(postman::rounds(self.clone(), self.0.ending.clone()));
        let served = self.serve(&stop, &mut nights).await;
        self.0.ending.cancel();
        // One deadline for both: whoever supervises the process waits for no more.
        let deadline = tokio::time::Instant::now() + self.state().drain;
        self.state().running.values().for_each(|running| running.stop.cancel());
        let drained = async {
            while let Some(ended) = nights.join_next().await {
                self.joined(ended);
            }
        };
        drop(tokio::time::timeout_at(deadline, drained).await);
        // A message that is under way is noted as delivered, if there is time: else it is delivered again.
        if tokio::time::timeout_at(deadline, &mut letters).await.is_err() {
            letters.abort();
        }
        served
    }

    async fn serve(&self, stop: &CancellationToken, nights: &mut JoinSet<Night>) -> Result<(), JobError> {
        self.note_standings()?;
        while !stop.is_cancelled() {
            self.note_who_waits();
            if self.check_database() {
                self.decide(nights);
            } else {
                self.halt();
            }
            self.0.rounds.send_replace(());
            let nap = self.nap();
            tokio::select! {
                () = stop.cancelled() => return Ok(()),
                () = self.0.wake.notified() => {}
                Some(ended) = nights.join_next() => self.joined(ended),
                () = tokio::time::sleep(self.0.clock.sleep(nap)) => {}
            }
        }
        Ok(())
    }

    /// The time until there is something to decide, at most [`NAP`] or [`SHORT_NAP`]. During an outage what is due is
    /// decided on later, and is no reason to wake at once.
    fn nap(&self) -> Duration {
        let (now, state) = (self.now(), self.state());
        let wakes = state.agenda.wakes_at(now).filter(|_| state.outage.is_none());
        let most = if state.running.is_empty() { NAP } else { SHORT_NAP };
        wakes.map_or(most, |at| Duration::try_from(at.duration_since(now)).unwrap_or_default().min(most))
    }

    /// Does what is to be done now.
    fn decide(&self, nights: &mut JoinSet<Night>) {
        let now = self.now();
        let decisions = self.state().agenda.at(now);
        // What is left out is noted before the standings, which call it decided; what starts, after them, lest it be
        // decided twice. A kill in between repeats what does no harm, and loses nothing.
        if let Err(error) = self.leave_out(&decisions).and_then(|()| self.note_standings()) {
            tracing::error!("what was decided cannot be noted: {error}");
            return self.put_off(decisions);
        }
        for decision in decisions {
            match decision {
                Decision::Start { job, due, goes_on } => self.begin(&job, due, goes_on, nights),
                Decision::Halt { job } => {
                    if let Some(running) = self.state().running.get(&job) {
                        running.stop.cancel();
                    }
                }
                Decision::Skipped { .. } | Decision::Missed { .. } => {}
            }
        }
    }

    /// During an outage nothing is decided that is to be noted; windows close all the same.
    fn halt(&self) {
        let mut state = self.state();
        let halting = state.agenda.halts(self.now());
        halting.iter().filter_map(|job| state.running.get(job)).for_each(|running| running.stop.cancel());
    }

    /// Lets what was to start start later.
    fn put_off(&self, decisions: Vec<Decision>) {
        let now = self.now();
        for decision in decisions {
            if let Decision::Start { job, .. } = decision {
                self.state().agenda.ended(&job, Ended::Cut, now);
            }
        }
    }

    fn begin(&self, job: &str, due: Timestamp, goes_on: bool, nights: &mut JoinSet<Night>) {
        let mut state = self.state();
        let Some(plan) = state.plans.get(job).cloned() else {
            // New orders came since it was decided, and they do not have the job.
            return state.agenda.ended(job, Ended::Failed, self.now());
        };
        let (watcher, live) = Watcher::new();
        let stop = CancellationToken::new();
        let keeping =
            Keeping { plan, ledger: Arc::clone(&self.0.ledger), link: state.link.clone(), clock: self.0.clock };
        tracing::info!(job, %due, "a night begins");
        let (name, watcher, halt) = (job.to_owned(), Arc::new(watcher), stop.clone());
        let observer: Arc<dyn Observer> = Arc::clone(&watcher) as Arc<dyn Observer>;
        let task =
            nights.spawn(async move { (name, watcher.beside(keeping.keep_alone(due, goes_on, observer, halt)).await) });
        state.running.insert(job.to_owned(), Running { stop, task: task.id(), live });
    }

    /// The task of a night ended.
    fn joined(&self, ended: Result<Night, JoinError>) {
        match ended {
            Ok((name, kept)) => self.ended(&name, kept),
            Err(error) => self.crashed(&error),
        }
    }

    /// A night panicked, and has noted nothing: in the ledger it is unfinished, and the job's next night goes on with it.
    fn crashed(&self, error: &JoinError) {
        let of_task = |(name, running): (&String, &Running)| (running.task == error.id()).then(|| name.clone());
        let Some(name) = self.state().running.iter().find_map(of_task) else { return };
        tracing::error!(job = name, %error, "a night failed inside mapwright; please report it");
        self.settle(&name, JobRunState::Failed, Ended::Failed, 0);
    }

    /// A night ended.
    fn ended(&self, name: &str, kept: Result<Option<Kept>, JobError>) {
        let state = match &kept {
            Ok(Some(kept)) => kept.state,
            Ok(None) => JobRunState::Skipped,
            Err(_) => JobRunState::Failed,
        };
        let ended = match state {
            JobRunState::Unfinished => Ended::Cut,
            JobRunState::Failed => Ended::Failed,
            _ => Ended::Done,
        };
        let report = kept.as_ref().ok().and_then(|kept| kept.as_ref()?.report.as_ref());
        self.settle(name, state, ended, report.map_or(0, |report| report.counts.fetched));
        match kept {
            Ok(Some(kept)) => match kept.state {
                JobRunState::Failed => {
                    tracing::error!(job = name, outcome = %kept.state, why = kept.why, "a night ended")
                }
                JobRunState::Refused | JobRunState::Unfinished => {
                    tracing::warn!(job = name, outcome = %kept.state, why = kept.why, "a night ended");
                }
                _ => tracing::info!(job = name, outcome = %kept.state, why = kept.why, "a night ended"),
            },
            Ok(None) => {}
            Err(error) => tracing::error!(job = name, "what came of a run cannot be noted: {error}"),
        }
    }

    /// Notes that a night of a job is over, as `outcome` says, in which so many pages were fetched.
    fn settle(&self, name: &str, outcome: JobRunState, ended: Ended, pages: u64) {
        let now = self.now();
        let mut state = self.state();
        state.running.remove(name);
        state.agenda.ended(name, ended, now);
        *state.nights.entry((name.to_owned(), outcome)).or_default() += 1;
        *state.pages.entry(name.to_owned()).or_default() += pages;
        drop(state);
        // What cannot be noted now is with the next that can.
        if let Err(error) = self.note_standings() {
            tracing::error!(job = name, "where the job stands cannot be noted: {error}");
        }
        self.0.wake.notify_one();
    }

    /// Notes the nights that were due and do not run.
    fn leave_out(&self, decisions: &[Decision]) -> Result<(), JobError> {
        let mut left_out = Vec::new();
        // What people know of each job's trouble, with what they are told now.
        let mut known: BTreeMap<&str, Option<String>> = BTreeMap::new();
        for decision in decisions {
            let (job, due, state, why) = match decision {
                Decision::Skipped { job, due, why } => (job, *due, JobRunState::Skipped, *why),
                Decision::Missed { job, due, why } => (job, *due, JobRunState::Missed, *why),
                Decision::Start { .. } | Decision::Halt { .. } => continue,
            };
            if !known.contains_key(job.as_str()) {
                known.insert(job, self.0.ledger.trouble(job)?);
            }
            let (plan, link, words) = {
                let state = self.state();
                (state.plans.get(job).cloned(), state.link.clone(), places::of_none(why, job, &state))
            };
            let known = known.entry(job).or_default();
            let told = match plan {
                Some(plan) => news::of_none(&plan, due, (why, &words), link.as_ref(), known.as_deref()),
                None => Told { message: None, channels: Vec::new(), trouble: Trouble::AsBefore },
            };
            if let Trouble::Is(trouble) = &told.trouble {
                *known = Some(trouble.clone());
            }
            left_out.push(LeftOut { job: job.clone(), due, state, why: words, told });
        }
        if left_out.is_empty() {
            return Ok(());
        }
        self.0.ledger.leave_out(&left_out, self.now())?;
        let mut state = self.state();
        for night in left_out {
            *state.nights.entry((night.job, night.state)).or_default() += 1;
        }
        Ok(())
    }

    /// Notes where jobs stand, of those that stand elsewhere than was noted last.
    pub(super) fn note_standings(&self) -> Result<(), JobError> {
        let moved: Vec<(String, Standing)> = {
            let state = self.state();
            let standing = |name: &String| Some((name.clone(), state.agenda.standing(name)?.clone()));
            let all = state.plans.keys().filter_map(standing);
            all.filter(|(name, standing)| state.noted.get(name) != Some(standing)).collect()
        };
        for (name, standing) in moved {
            self.0.ledger.set_standing(&name, &standing)?;
            self.state().noted.insert(name, standing);
        }
        Ok(())
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn ledger(&self) -> &Arc<Ledger> {
        &self.0.ledger
    }

    pub(super) fn now(&self) -> Timestamp {
        self.0.clock.now()
    }

    /// The plans that tell people, each with what it tells by.
    pub(super) fn plans(&self) -> Vec<Arc<Plan>> {
        self.state().plans.values().cloned().collect()
    }
}

#[cfg(test)]
mod tests;
