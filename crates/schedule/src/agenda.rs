//! The agenda of all jobs: decides which run starts, waits or ends.

use crate::decision::{CommandError, Decision, RunEnd, SkipReason};
use crate::job::Job;
use crate::schedule_state::ScheduleState;
use crate::timetable::Timetable;
use jiff::Timestamp;
use std::collections::BTreeMap;

/// Runs in progress per slot, at most. Runs that mostly wait for their sites hold no slot, but each takes memory.
const MAX_RUNS_PER_SLOT: usize = 8;

/// All jobs, and the number of slots: runs that may work at the same time.
///
/// A run that mostly waits for its site ([`waits_for_site`](Self::waits_for_site)) releases its slot to another job. It
/// continues, and takes no slot from others when it works again. At most eight runs for each slot are in progress.
///
/// The agenda is passive: the caller gets the decisions from [`at`](Self::at), carries them out, stores the schedule
/// states, reports runs that ended, and calls again at [`wakes_at`](Self::wakes_at).
#[derive(Debug)]
pub struct Agenda {
    max_slots: usize,
    jobs: BTreeMap<String, Job>,
    /// Decisions made since the last call of [`at`](Self::at).
    decided: Vec<Decision>,
}

impl Agenda {
    /// Builds an empty agenda with `max_slots` slots. With no slot, nothing starts.
    #[must_use]
    pub fn new(max_slots: usize) -> Self {
        Self { max_slots, jobs: BTreeMap::new(), decided: Vec::new() }
    }

    /// Adds a job, or replaces its rule.
    ///
    /// A known job keeps its state: the due instants of the new rule count from `now`, and an unfinished run no longer
    /// waits for an instant of the old rule. A new job continues from `schedule_state`; without one, it is settled
    /// through `now`.
    pub fn set(&mut self, name: &str, timetable: Timetable, schedule_state: Option<ScheduleState>, now: Timestamp) {
        self.settle(name, now);
        if let Some(job) = self.jobs.get_mut(name) {
            (job.timetable, job.removed) = (timetable, false);
            job.schedule_state.settled = job.schedule_state.settled.max(now);
            if let Some(run) = &mut job.schedule_state.run {
                run.not_before = None;
            }
            return;
        }
        let schedule_state = schedule_state.map_or_else(|| ScheduleState::new(now), ScheduleState::after_restart);
        self.jobs.insert(name.to_owned(), Job { timetable, schedule_state, removed: false, waits_for_site: false });
    }

    /// Removes a job. A run in progress continues until it ends; a waiting one is decided as skipped.
    pub fn remove(&mut self, name: &str) {
        let Some(job) = self.jobs.get_mut(name) else { return };
        if job.schedule_state.is_running() {
            job.removed = true;
            let queued = job.schedule_state.queued.take();
            let reason = SkipReason::Removed;
            self.decided.extend(queued.map(|due| Decision::Skipped { job: name.to_owned(), due, reason }));
            return;
        }
        self.decided.extend(job.give_up(name, SkipReason::Removed));
        self.jobs.remove(name);
    }

    /// Sets whether the job's run in progress mostly waits for its site, and so holds no slot.
    pub fn waits_for_site(&mut self, name: &str, waits: bool) {
        if let Some(job) = self.jobs.get_mut(name).filter(|job| job.schedule_state.is_running()) {
            job.waits_for_site = waits;
        }
    }

    /// Returns the instant since when a job's run waits for a slot; `None` if it does not wait for one.
    #[must_use]
    pub fn waits_for_slot(&self, name: &str, now: Timestamp) -> Option<Timestamp> {
        if self.room() > 0 {
            return None;
        }
        self.jobs.get(name)?.ready_since(now)
    }

    /// Returns the jobs whose runs hold the slots: those that work, or all runs in progress if their number is at its
    /// limit.
    #[must_use]
    pub fn holders(&self) -> Vec<&str> {
        let all = self.working() < self.max_slots;
        let holds = |job: &Job| job.schedule_state.is_running() && (all || !job.waits_for_site);
        self.jobs.iter().filter(|(_, job)| holds(job)).map(|(name, _)| name.as_str()).collect()
    }

    /// Returns the jobs whose runs are to end now: the decisions of [`at`](Self::at) that cannot wait for an outage of
    /// the database to end.
    pub fn halts(&mut self, now: Timestamp) -> Vec<String> {
        let halting = self.jobs.iter_mut().filter_map(|(name, job)| job.halts(now).then(|| name.clone()));
        halting.collect()
    }

    /// Sets the number of slots. Runs in progress continue.
    pub fn set_max_slots(&mut self, max_slots: usize) {
        self.max_slots = max_slots;
    }

    /// Returns the decisions that are due at `now`.
    pub fn at(&mut self, now: Timestamp) -> Vec<Decision> {
        let mut decisions = std::mem::take(&mut self.decided);
        for (name, job) in &mut self.jobs {
            job.settle(name, now, &mut decisions);
        }
        decisions.extend(self.halts(now).into_iter().map(|job| Decision::Halt { job }));
        self.start(now, &mut decisions);
        decisions
    }

    /// Returns the instant at which [`at`](Self::at) next has a decision, unless a run ends or a command is given
    /// before.
    #[must_use]
    pub fn wakes_at(&self, now: Timestamp) -> Option<Timestamp> {
        if !self.decided.is_empty() {
            return Some(now);
        }
        let room = self.room() > 0;
        self.jobs.values().filter_map(|job| job.wakes_at(now, room)).min()
    }

    /// Reports that the run of a job ended. Does nothing without a run in progress.
    pub fn ended(&mut self, name: &str, ended: RunEnd, now: Timestamp) {
        self.settle(name, now);
        let Some(job) = self.jobs.get_mut(name) else { return };
        job.ended(ended, now);
        if job.removed && !job.schedule_state.is_running() {
            self.jobs.remove(name);
        }
    }

    /// Starts a run by hand, regardless of window, cron and pause: the waiting run, if any, or else a new one. It
    /// begins at the next [`at`](Self::at), or when a slot is free.
    ///
    /// # Errors
    /// If no job has this name, or its run is in progress.
    pub fn start_now(&mut self, name: &str, now: Timestamp) -> Result<(), CommandError> {
        self.settle(name, now);
        let job = self.known(name)?;
        if job.schedule_state.is_running() {
            return Err(CommandError::Running);
        }
        job.by_hand(now);
        Ok(())
    }

    /// Stops a job's run for good, and drops the queued one. A run in progress is halted, and is not resumed.
    ///
    /// # Errors
    /// If no job has this name, or it has no run.
    pub fn stop(&mut self, name: &str) -> Result<(), CommandError> {
        let job = self.jobs.get_mut(name).ok_or(CommandError::Unknown)?;
        if job.schedule_state.run.is_none() {
            return Err(CommandError::Idle);
        }
        let skipped = job.give_up(name, SkipReason::Stopped);
        self.decided.extend(skipped);
        Ok(())
    }

    /// Pauses a job. While it is paused, runs start by hand only, and due instants are skipped; a run in progress
    /// continues.
    ///
    /// # Errors
    /// If no job has this name.
    pub fn pause(&mut self, name: &str, now: Timestamp) -> Result<(), CommandError> {
        self.set_paused(name, true, now)
    }

    /// Resumes a paused job.
    ///
    /// # Errors
    /// If no job has this name.
    pub fn resume(&mut self, name: &str, now: Timestamp) -> Result<(), CommandError> {
        self.set_paused(name, false, now)
    }

    fn set_paused(&mut self, name: &str, paused: bool, now: Timestamp) -> Result<(), CommandError> {
        self.settle(name, now);
        self.known(name)?.schedule_state.paused = paused;
        Ok(())
    }

    /// Returns the schedule state of a job, which the caller stores.
    #[must_use]
    pub fn schedule_state(&self, name: &str) -> Option<&ScheduleState> {
        self.jobs.get(name).map(|job| &job.schedule_state)
    }

    /// Returns the earliest instant at which the next run of a job begins; it is later if no slot is free. Returns
    /// `None` if the job is paused, or its next run waits for the present one to end.
    #[must_use]
    pub fn next(&self, name: &str, now: Timestamp) -> Option<Timestamp> {
        self.jobs.get(name)?.next(now)
    }

    /// Decides what was due before a change, by the rule and state before it.
    fn settle(&mut self, name: &str, now: Timestamp) {
        if let Some(job) = self.jobs.get_mut(name) {
            job.settle(name, now, &mut self.decided);
        }
    }

    fn known(&mut self, name: &str) -> Result<&mut Job, CommandError> {
        self.jobs.get_mut(name).filter(|job| !job.removed).ok_or(CommandError::Unknown)
    }

    fn running(&self) -> impl Iterator<Item = &Job> {
        self.jobs.values().filter(|job| job.schedule_state.is_running())
    }

    /// Returns the number of runs that hold a slot.
    fn working(&self) -> usize {
        self.running().filter(|job| !job.waits_for_site).count()
    }

    /// Returns the number of further runs that may begin.
    fn room(&self) -> usize {
        let in_all = self.max_slots.saturating_mul(MAX_RUNS_PER_SLOT).saturating_sub(self.running().count());
        self.max_slots.saturating_sub(self.working()).min(in_all)
    }

    /// Starts the runs that may begin, in the order of their due instants, while there are slots.
    fn start(&mut self, now: Timestamp, decisions: &mut Vec<Decision>) {
        let room = self.room();
        let mut ready: Vec<(Timestamp, &String, &mut Job)> = Vec::new();
        for (name, job) in &mut self.jobs {
            if let Some(due) = job.schedule_state.unfinished().filter(|_| job.ready_at(now) == Some(now)) {
                ready.push((due, name, job));
            }
        }
        ready.sort_by(|one, other| (one.0, one.1).cmp(&(other.0, other.1)));
        decisions.extend(ready.into_iter().take(room).filter_map(|(_, name, job)| job.start(name)));
    }
}

#[cfg(test)]
#[path = "agenda_tests.rs"]
mod tests;
