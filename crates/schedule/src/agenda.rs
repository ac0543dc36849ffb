//! All jobs together: who starts, who waits, who ends.

use crate::decision::{Decision, Ended, Refused, Why};
use crate::job::Job;
use crate::standing::Standing;
use crate::timetable::Timetable;
use jiff::Timestamp;
use std::collections::BTreeMap;

/// Runs that may be under way for each place: those that mostly wait for their sites hold none, and each takes memory.
const RUNS_A_PLACE: usize = 8;

/// All jobs, and the number of runs that may work at once, each of which holds a place.
///
/// A run that mostly waits for its site ([`waits_for_site`](Self::waits_for_site)) gives its place to another job; it goes
/// on all the same, and takes none from others where it works again. At most eight runs for each place are under way.
///
/// It does nothing by itself: the caller asks [`at`](Self::at) what is to be done now, does it, keeps the standings,
/// tells what ended, and asks again at [`wakes_at`](Self::wakes_at).
#[derive(Debug)]
pub struct Agenda {
    most: usize,
    jobs: BTreeMap<String, Job>,
    /// What was decided between two askings.
    decided: Vec<Decision>,
}

impl Agenda {
    /// An empty agenda with so many places; with none, nothing starts.
    #[must_use]
    pub fn new(most: usize) -> Self {
        Self { most, jobs: BTreeMap::new(), decided: Vec::new() }
    }

    /// Adds a job, or replaces its rule.
    ///
    /// A job that is on the agenda keeps where it stands; the new rule's due instants count from `now`, and an
    /// unfinished run need not wait for what the old rule had it wait for. A job that is new is taken up where
    /// `standing` says, else it is settled through `now`.
    pub fn set(&mut self, name: &str, timetable: Timetable, standing: Option<Standing>, now: Timestamp) {
        self.settle(name, now);
        if let Some(job) = self.jobs.get_mut(name) {
            (job.timetable, job.removed) = (timetable, false);
            job.standing.settled = job.standing.settled.max(now);
            if let Some(run) = &mut job.standing.run {
                run.not_before = None;
            }
            return;
        }
        let standing = standing.map_or_else(|| Standing::new(now), Standing::taken_up);
        self.jobs.insert(name.to_owned(), Job { timetable, standing, removed: false, waits_for_site: false });
    }

    /// Removes a job. A run that is under way goes on till it ends; one that waits is noted as skipped.
    pub fn remove(&mut self, name: &str) {
        let Some(job) = self.jobs.get_mut(name) else { return };
        if job.standing.is_running() {
            job.removed = true;
            let queued = job.standing.queued.take();
            let why = Why::Removed;
            self.decided.extend(queued.map(|due| Decision::Skipped { job: name.to_owned(), due, why }));
            return;
        }
        self.decided.extend(job.give_up(name, Why::Removed));
        self.jobs.remove(name);
    }

    /// Says of a job's run that is under way whether it mostly waits for its site, and so holds no place.
    pub fn waits_for_site(&mut self, name: &str, waits: bool) {
        if let Some(job) = self.jobs.get_mut(name).filter(|job| job.standing.is_running()) {
            job.waits_for_site = waits;
        }
    }

    /// Since when a job's run could have begun but for a place: nothing where it waits for none.
    #[must_use]
    pub fn waits_for_place(&self, name: &str, now: Timestamp) -> Option<Timestamp> {
        if self.room() > 0 {
            return None;
        }
        self.jobs.get(name)?.ready_since(now)
    }

    /// The jobs whose runs hold the places: those that work, or where all that may be are under way, each of them.
    #[must_use]
    pub fn holders(&self) -> Vec<&str> {
        let all = self.working() < self.most;
        let holds = |job: &Job| job.standing.is_running() && (all || !job.waits_for_site);
        self.jobs.iter().filter(|(_, job)| holds(job)).map(|(name, _)| name.as_str()).collect()
    }

    /// What of [`at`](Self::at) cannot wait until decisions can be noted again: the jobs whose runs are to end now.
    pub fn halts(&mut self, now: Timestamp) -> Vec<String> {
        let halting = self.jobs.iter_mut().filter_map(|(name, job)| job.halts(now).then(|| name.clone()));
        halting.collect()
    }

    /// Sets how many places there are. Runs that are under way go on.
    pub fn set_most(&mut self, most: usize) {
        self.most = most;
    }

    /// Everything that is to be done, or noted, at `now`.
    pub fn at(&mut self, now: Timestamp) -> Vec<Decision> {
        let mut decisions = std::mem::take(&mut self.decided);
        for (name, job) in &mut self.jobs {
            job.settle(name, now, &mut decisions);
        }
        decisions.extend(self.halts(now).into_iter().map(|job| Decision::Halt { job }));
        self.start(now, &mut decisions);
        decisions
    }

    /// When [`at`](Self::at) next has something to say, if no run ends and nothing is asked for by hand before.
    #[must_use]
    pub fn wakes_at(&self, now: Timestamp) -> Option<Timestamp> {
        if !self.decided.is_empty() {
            return Some(now);
        }
        let room = self.room() > 0;
        self.jobs.values().filter_map(|job| job.wakes_at(now, room)).min()
    }

    /// The run of a job ended. Without a run under way, nothing changes.
    pub fn ended(&mut self, name: &str, ended: Ended, now: Timestamp) {
        self.settle(name, now);
        let Some(job) = self.jobs.get_mut(name) else { return };
        job.ended(ended, now);
        if job.removed && !job.standing.is_running() {
            self.jobs.remove(name);
        }
    }

    /// Starts a run by hand, whatever window, cron and pause say: the one that waits, if any, else a new one. It begins
    /// at the next [`at`](Self::at), or when a place is free.
    ///
    /// # Errors
    /// When no job has this name, or its run is under way.
    pub fn start_now(&mut self, name: &str, now: Timestamp) -> Result<(), Refused> {
        self.settle(name, now);
        let job = self.known(name)?;
        if job.standing.is_running() {
            return Err(Refused::Running);
        }
        job.by_hand(now);
        Ok(())
    }

    /// Stops a job's run for good, and forgets what is queued. A run under way is halted, and over however it ends.
    ///
    /// # Errors
    /// When no job has this name, or it has no run.
    pub fn stop(&mut self, name: &str) -> Result<(), Refused> {
        let job = self.jobs.get_mut(name).ok_or(Refused::Unknown)?;
        if job.standing.run.is_none() {
            return Err(Refused::Idle);
        }
        let skipped = job.give_up(name, Why::Stopped);
        self.decided.extend(skipped);
        Ok(())
    }

    /// Pauses a job, or lets it go on. While it is paused no run starts but by hand, and what is due is noted as
    /// skipped; a run under way goes on.
    ///
    /// # Errors
    /// When no job has this name.
    pub fn pause(&mut self, name: &str, paused: bool, now: Timestamp) -> Result<(), Refused> {
        self.settle(name, now);
        self.known(name)?.standing.paused = paused;
        Ok(())
    }

    /// Where a job stands; to be kept.
    #[must_use]
    pub fn standing(&self, name: &str) -> Option<&Standing> {
        self.jobs.get(name).map(|job| &job.standing)
    }

    /// When the next run of a job will begin at the earliest; later where no place is free. `None` where nothing says
    /// so: it is paused, or its next run waits for the present one to end.
    #[must_use]
    pub fn next(&self, name: &str, now: Timestamp) -> Option<Timestamp> {
        self.jobs.get(name)?.next(now)
    }

    /// What was due before something is changed is decided as it stood.
    fn settle(&mut self, name: &str, now: Timestamp) {
        if let Some(job) = self.jobs.get_mut(name) {
            job.settle(name, now, &mut self.decided);
        }
    }

    fn known(&mut self, name: &str) -> Result<&mut Job, Refused> {
        self.jobs.get_mut(name).filter(|job| !job.removed).ok_or(Refused::Unknown)
    }

    fn running(&self) -> impl Iterator<Item = &Job> {
        self.jobs.values().filter(|job| job.standing.is_running())
    }

    /// How many runs hold a place.
    fn working(&self) -> usize {
        self.running().filter(|job| !job.waits_for_site).count()
    }

    /// How many more runs may begin.
    fn room(&self) -> usize {
        let in_all = self.most.saturating_mul(RUNS_A_PLACE).saturating_sub(self.running().count());
        self.most.saturating_sub(self.working()).min(in_all)
    }

    /// Starts what may begin, as far as there is room, in the order of the due instants.
    fn start(&mut self, now: Timestamp, decisions: &mut Vec<Decision>) {
        let room = self.room();
        let mut ready: Vec<(Timestamp, &String, &mut Job)> = Vec::new();
        for (name, job) in &mut self.jobs {
            if let Some(due) = job.standing.unfinished().filter(|_| job.ready_at(now) == Some(now)) {
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
