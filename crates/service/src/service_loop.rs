//! The service: starts runs when they are due, and stops them at the end of their windows.

use crate::dispatcher;
use crate::job_run_state::JobRunState;
use crate::job_store::{IncidentChange, RunNotification, SkippedRun};
use crate::live::Watcher;
use crate::notices;
use crate::run_key::RunKey;
use crate::runner::{JobRunner, RunOutcome};
use crate::service::{Running, Service};
use crate::slot_messages;
use jiff::Timestamp;
use mapwright_crawl::CrawlError;
use mapwright_engine::Observer;
use mapwright_schedule::{Decision, RunEnd};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::{JoinError, JoinSet};
use tokio_util::sync::CancellationToken;

/// The longest sleep, because clocks are set and machines are suspended.
const NAP: Duration = Duration::from_secs(30);
/// The longest sleep while a job runs, because its run may begin to wait for its site and free its slot.
const SHORT_NAP: Duration = Duration::from_secs(5);
/// The result of the task of a run: the name of the job, and the outcome; `None` if another process ran the job.
type FinishedTask = (String, Result<Option<RunOutcome>, CrawlError>);

impl Service {
    /// Serves until `stop` is cancelled; then running jobs save their progress. No run begins while the job store
    /// cannot be written.
    ///
    /// # Errors
    /// If the job store cannot be written at the beginning.
    pub async fn run(&self, stop: CancellationToken) -> Result<(), CrawlError> {
        let mut runs = JoinSet::new();
        let mut notifications = tokio::spawn(dispatcher::rounds(self.clone(), self.0.ending.clone()));
        let served = self.serve(&stop, &mut runs).await;
        self.0.ending.cancel();
        // Both share one deadline, because the supervisor of the process waits no longer than that.
        let deadline = tokio::time::Instant::now() + self.state().drain;
        self.state().running.values().for_each(|running| running.stop.cancel());
        let drained = async {
            while let Some(ended) = runs.join_next().await {
                self.joined(ended);
            }
        };
        drop(tokio::time::timeout_at(deadline, drained).await);
        // A notification in progress is stored as delivered if the time suffices. Otherwise it is delivered again.
        if tokio::time::timeout_at(deadline, &mut notifications).await.is_err() {
            notifications.abort();
        }
        served
    }

    async fn serve(&self, stop: &CancellationToken, runs: &mut JoinSet<FinishedTask>) -> Result<(), CrawlError> {
        self.note_schedule_states()?;
        while !stop.is_cancelled() {
            self.update_site_waits();
            if self.check_database() {
                self.decide(runs);
            } else {
                self.halt();
            }
            self.0.rounds.send_replace(());
            let nap = self.nap();
            tokio::select! {
                () = stop.cancelled() => return Ok(()),
                () = self.0.wake.notified() => {}
                Some(ended) = runs.join_next() => self.joined(ended),
                () = tokio::time::sleep(self.0.clock.sleep(nap)) => {}
            }
        }
        Ok(())
    }

    /// Returns the time until the next decision, at most [`NAP`] or [`SHORT_NAP`]. During an outage due runs are
    /// decided later, and do not wake the loop.
    fn nap(&self) -> Duration {
        let (now, state) = (self.now(), self.state());
        let wakes = state.agenda.wakes_at(now).filter(|_| state.outage.is_none());
        let most = if state.running.is_empty() { NAP } else { SHORT_NAP };
        wakes.map_or(most, |at| Duration::try_from(at.duration_since(now)).unwrap_or_default().min(most))
    }

    /// Makes the decisions that are due, and carries them out.
    fn decide(&self, runs: &mut JoinSet<FinishedTask>) {
        let now = self.now();
        let decisions = self.state().agenda.at(now);
        // Skipped and missed runs are stored before the schedule states, which count them as decided. Runs start after
        // the states are stored, so that none is decided twice. A kill in between repeats a harmless step, and loses
        // nothing.
        if let Err(error) = self.store_skipped(&decisions).and_then(|()| self.note_schedule_states()) {
            tracing::error!("what was decided cannot be noted: {error}");
            return self.put_off(decisions);
        }
        for decision in decisions {
            match decision {
                Decision::Start { job, due, resumes } => self.begin(&job, due, resumes, runs),
                Decision::Halt { job } => {
                    if let Some(running) = self.state().running.get(&job) {
                        running.stop.cancel();
                    }
                }
                Decision::Skipped { .. } | Decision::Missed { .. } => {}
            }
        }
    }

    /// Stops runs whose windows close. During an outage no other decision is made, because it could not be stored.
    fn halt(&self) {
        let mut state = self.state();
        let halting = state.agenda.halts(self.now());
        halting.iter().filter_map(|job| state.running.get(job)).for_each(|running| running.stop.cancel());
    }

    /// Postpones the runs that were about to start.
    fn put_off(&self, decisions: Vec<Decision>) {
        let now = self.now();
        for decision in decisions {
            if let Decision::Start { job, .. } = decision {
                self.state().agenda.ended(&job, RunEnd::Cut, now);
            }
        }
    }

    fn begin(&self, name: &str, due: Timestamp, resumes: bool, runs: &mut JoinSet<FinishedTask>) {
        let mut state = self.state();
        let Some(job) = state.jobs.get(name).cloned() else {
            // The job was removed from the configuration since the decision.
            return state.agenda.ended(name, RunEnd::Failed, self.now());
        };
        let (watcher, live) = Watcher::new();
        let stop = CancellationToken::new();
        let runner =
            JobRunner { job, job_store: Arc::clone(&self.0.job_store), link: state.link.clone(), clock: self.0.clock };
        tracing::info!(job = name, scheduled_for = %due, "a run begins");
        let (owned, watcher, halt) = (name.to_owned(), Arc::new(watcher), stop.clone());
        let observer: Arc<dyn Observer> = Arc::clone(&watcher) as Arc<dyn Observer>;
        let task =
            runs.spawn(async move { (owned, watcher.beside(runner.run_locked(due, resumes, observer, halt)).await) });
        state.running.insert(name.to_owned(), Running { stop, task: task.id(), live });
    }

    /// Handles the end of the task of a run.
    fn joined(&self, ended: Result<FinishedTask, JoinError>) {
        match ended {
            Ok((name, outcome)) => self.ended(&name, outcome),
            Err(error) => self.crashed(&error),
        }
    }

    /// Handles a run that panicked and stored nothing: it is unfinished in the job store, and the next run resumes it.
    fn crashed(&self, error: &JoinError) {
        let of_task = |(name, running): (&String, &Running)| (running.task == error.id()).then(|| name.clone());
        let Some(name) = self.state().running.iter().find_map(of_task) else { return };
        tracing::error!(job = name, %error, "a run failed inside mapwright; please report it");
        self.settle(&name, JobRunState::Failed, RunEnd::Failed, 0);
    }

    /// Handles the end of a run.
    fn ended(&self, name: &str, outcome: Result<Option<RunOutcome>, CrawlError>) {
        let state = match &outcome {
            Ok(Some(outcome)) => outcome.state,
            Ok(None) => JobRunState::Skipped,
            Err(_) => JobRunState::Failed,
        };
        let ended = match state {
            JobRunState::Unfinished => RunEnd::Cut,
            JobRunState::Failed => RunEnd::Failed,
            _ => RunEnd::Done,
        };
        let report = outcome.as_ref().ok().and_then(|outcome| outcome.as_ref()?.report.as_ref());
        self.settle(name, state, ended, report.map_or(0, |report| report.counts.fetched));
        match outcome {
            Ok(Some(outcome)) => match outcome.state {
                JobRunState::Failed => {
                    tracing::error!(job = name, outcome = %outcome.state, reason = outcome.reason, "a run ended")
                }
                JobRunState::Refused | JobRunState::Unfinished => {
                    tracing::warn!(job = name, outcome = %outcome.state, reason = outcome.reason, "a run ended");
                }
                _ => tracing::info!(job = name, outcome = %outcome.state, reason = outcome.reason, "a run ended"),
            },
            Ok(None) => {}
            Err(error) => tracing::error!(job = name, "what came of a run cannot be noted: {error}"),
        }
    }

    /// Updates state and counts after a run that ended with `outcome` and fetched this many `pages`.
    fn settle(&self, name: &str, outcome: JobRunState, ended: RunEnd, pages: u64) {
        let now = self.now();
        let mut state = self.state();
        state.running.remove(name);
        state.agenda.ended(name, ended, now);
        *state.runs.entry((name.to_owned(), outcome)).or_default() += 1;
        *state.pages.entry(name.to_owned()).or_default() += pages;
        drop(state);
        // A state that cannot be stored now is stored with the next change.
        if let Err(error) = self.note_schedule_states() {
            tracing::error!(job = name, "where the job stands cannot be noted: {error}");
        }
        self.0.wake.notify_one();
    }

    /// Stores the runs that were due and do not begin.
    fn store_skipped(&self, decisions: &[Decision]) -> Result<(), CrawlError> {
        let mut left_out = Vec::new();
        // The incident of each job that was reported so far, including the notices of this call.
        let mut known: BTreeMap<&str, Option<String>> = BTreeMap::new();
        for decision in decisions {
            let (name, due, state, reason) = match decision {
                Decision::Skipped { job, due, reason } => (job, *due, JobRunState::Skipped, *reason),
                Decision::Missed { job, due, reason } => (job, *due, JobRunState::Missed, *reason),
                Decision::Start { .. } | Decision::Halt { .. } => continue,
            };
            if !known.contains_key(name.as_str()) {
                known.insert(name, self.0.job_store.incident(name)?);
            }
            let (job, link, words) = {
                let state = self.state();
                (
                    state.jobs.get(name).cloned(),
                    state.link.clone(),
                    slot_messages::reason_not_started(reason, name, &state),
                )
            };
            let known = known.entry(name).or_default();
            let notice = match job {
                Some(job) => notices::not_started(&job, due, (reason, &words), link.as_ref(), known.as_deref()),
                None => RunNotification { message: None, channels: Vec::new(), incident: IncidentChange::Ongoing },
            };
            if let IncidentChange::Opened(incident) = &notice.incident {
                *known = Some(incident.clone());
            }
            left_out.push(SkippedRun { job: name.clone(), key: RunKey::first(due), state, reason: words, notice });
        }
        if left_out.is_empty() {
            return Ok(());
        }
        self.0.job_store.store_skipped(&left_out, self.now())?;
        let mut state = self.state();
        for skipped in left_out {
            *state.runs.entry((skipped.job, skipped.state)).or_default() += 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
