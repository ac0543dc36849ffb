//! The decisions about a single job.

use crate::decision::{Decision, RunEnd, SkipReason};
use crate::downtime::{DueOutcome, passed};
use crate::rule::Overlap;
use crate::schedule_state::{PendingRun, ScheduleState};
use crate::timetable::Timetable;
use crate::zoned_clock::{earlier, later};
use jiff::Timestamp;

/// Seconds that an interrupted run without a window waits at most, so that a monthly one does not wait a month.
const MAX_REST: i64 = 86_400;
/// Seconds beyond which a job that is settled ahead was settled by a wrong clock.
const WRONG_CLOCK: i64 = 86_400;

/// Seconds since 1970 below which a clock was never set: an instant before the first version of this crate.
const NEVER_SET: i64 = 1_767_225_600;

/// A job: its rule and its state.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) timetable: Timetable,
    pub(crate) schedule_state: ScheduleState,
    /// The job is removed when its run ends.
    pub(crate) removed: bool,
    /// The run in progress mostly waits for its site.
    pub(crate) waits_for_site: bool,
}

impl Job {
    /// Decides each due instant up to `now`. Decides nothing by a clock that was never set, as on a machine that boots
    /// without a real-time clock and has not synchronised yet.
    pub(crate) fn settle(&mut self, name: &str, now: Timestamp, decisions: &mut Vec<Decision>) {
        if self.removed || now.as_second() < NEVER_SET {
            return;
        }
        self.schedule_state.settled = self.settled(now);
        self.forget_wrong_clock(now);
        for (due, outcome) in passed(&self.timetable, self.schedule_state.settled, now) {
            self.schedule_state.settled = due;
            // If a slot had been free, the previous run could have begun by then.
            let before = earlier(due, 1);
            let waits = self.ready_at(before) == Some(before);
            decisions.extend(self.decide(name, outcome, waits));
        }
    }

    /// Returns the instant through which the job is settled, corrected for a wrong clock.
    fn settled(&self, now: Timestamp) -> Timestamp {
        let settled = self.schedule_state.settled;
        let wrong = settled > later(now, WRONG_CLOCK) || settled.as_second() < NEVER_SET;
        if wrong { now } else { settled }
    }

    /// Moves instants that a wrong clock set too far ahead: a due instant to now, the wait of an interrupted run to the
    /// next chance from now on.
    fn forget_wrong_clock(&mut self, now: Timestamp) {
        let wrong = later(now, WRONG_CLOCK);
        let dues = self
            .schedule_state
            .run
            .iter_mut()
            .filter(|run| !run.running)
            .map(|run| &mut run.due)
            .chain(&mut self.schedule_state.queued);
        dues.filter(|due| **due > wrong).for_each(|due| *due = now);
        let chance = self.resume_time(now, false);
        if let Some(not_before) = self.schedule_state.run.as_mut().and_then(|run| run.not_before.as_mut()) {
            *not_before = chance.min(*not_before);
        }
    }

    /// Decides a due instant. `waits`: the previous run waits for a slot.
    fn decide(&mut self, name: &str, outcome: DueOutcome, waits: bool) -> Option<Decision> {
        let job = name.to_owned();
        let skipped = |due, reason| Some(Decision::Skipped { job: job.clone(), due, reason });
        let schedule_state = &mut self.schedule_state;
        match outcome {
            DueOutcome::Due(due) | DueOutcome::Missed(due, _) if schedule_state.paused => {
                skipped(due, SkipReason::Paused)
            }
            DueOutcome::Missed(due, reason) => Some(Decision::Missed { job, due, reason }),
            DueOutcome::Due(due) if schedule_state.run.is_none() => {
                schedule_state.run = Some(PendingRun::waiting(due));
                None
            }
            // A run that has waited for a period is reported, and one that follows it would do nothing more.
            DueOutcome::Due(due) if waits => skipped(due, SkipReason::NoSlot),
            DueOutcome::Due(due) if self.timetable.overlap() == Overlap::Skip => skipped(due, SkipReason::Unfinished),
            DueOutcome::Due(due) if schedule_state.queued.is_some() => skipped(due, SkipReason::Queued),
            DueOutcome::Due(due) => {
                schedule_state.queued = Some(due);
                None
            }
        }
    }

    /// Returns whether the run is to end gracefully now. Returns true once.
    pub(crate) fn halts(&mut self, now: Timestamp) -> bool {
        let timetable = &self.timetable;
        let Some(run) = self.schedule_state.run.as_mut().filter(|run| run.running && !run.halted) else { return false };
        run.halted = run.given_up || !(run.by_hand || timetable.is_open(now));
        run.halted
    }

    /// Returns the instant, from `now` on, at which the waiting run may begin; `None` if none waits, or the job is
    /// paused.
    pub(crate) fn ready_at(&self, now: Timestamp) -> Option<Timestamp> {
        let run = self.schedule_state.run.as_ref().filter(|run| !run.running)?;
        let from = run.not_before.map_or(now, |not_before| not_before.max(now));
        if run.by_hand {
            return Some(from);
        }
        if self.schedule_state.paused {
            return None;
        }
        let begins = if run.begun { run.due } else { self.timetable.begins(run.due) };
        Some(self.timetable.opens(from.max(begins)))
    }

    /// Returns the instant since when the waiting run could have begun with a free slot; `None` if it cannot begin now.
    pub(crate) fn ready_since(&self, now: Timestamp) -> Option<Timestamp> {
        let run = self.schedule_state.run.as_ref().filter(|_| self.ready_at(now) == Some(now))?;
        self.ready_at(run.due).map(|since| since.min(now))
    }

    /// Starts the waiting run.
    pub(crate) fn start(&mut self, name: &str) -> Option<Decision> {
        self.waits_for_site = false;
        let run = self.schedule_state.run.as_mut().filter(|run| !run.running)?;
        run.running = true;
        run.not_before = None;
        let resumes = std::mem::replace(&mut run.begun, true);
        Some(Decision::Start { job: name.to_owned(), due: run.due, resumes })
    }

    /// Handles the end of the run.
    pub(crate) fn ended(&mut self, ended: RunEnd, now: Timestamp) {
        let Some(run) = self.schedule_state.run.as_ref().filter(|run| run.running) else { return };
        if run.given_up || ended != RunEnd::Cut {
            return self.schedule_state.run_is_over();
        }
        let not_before = Some(self.resume_time(now, run.halted));
        if let Some(run) = &mut self.schedule_state.run {
            (run.running, run.halted, run.not_before) = (false, false, not_before);
        }
    }

    /// Returns the instant at which an interrupted run may be resumed: in the next window. A run that ended within its
    /// window waits for the next one, and a run without a window for the next due instant, so that a site that is down
    /// is not tried endlessly.
    fn resume_time(&self, now: Timestamp, halted: bool) -> Timestamp {
        match self.timetable.closes(now) {
            Some(_) if halted => now,
            Some(closes) => self.timetable.opens(closes),
            None if self.timetable.is_open(now) => {
                let tomorrow = later(now, MAX_REST);
                self.timetable.due_after(now).map_or(tomorrow, |due| due.min(tomorrow))
            }
            None => self.timetable.opens(now),
        }
    }

    /// Gives up the unfinished run and the queued one.
    pub(crate) fn give_up(&mut self, name: &str, reason: SkipReason) -> Vec<Decision> {
        let mut dues: Vec<Timestamp> = self.schedule_state.queued.take().into_iter().collect();
        match &mut self.schedule_state.run {
            Some(run) if run.running => run.given_up = true,
            Some(run) => {
                dues.extend((!run.begun).then_some(run.due));
                self.schedule_state.run = None;
            }
            None => {}
        }
        dues.sort();
        dues.into_iter().map(|due| Decision::Skipped { job: name.to_owned(), due, reason }).collect()
    }

    /// Starts a run by hand: the waiting run, or a new one.
    pub(crate) fn by_hand(&mut self, now: Timestamp) {
        let run = self.schedule_state.run.get_or_insert_with(|| PendingRun::waiting(now));
        (run.by_hand, run.not_before) = (true, None);
    }

    /// Returns the instant of the next decision about this job, if its run does not end before. A start counts only if
    /// there is `room`.
    pub(crate) fn wakes_at(&self, now: Timestamp, room: bool) -> Option<Timestamp> {
        let due = if self.removed { None } else { self.timetable.due_after(self.settled(now)) };
        let ready = if room { self.ready_at(now) } else { None };
        let halt = self.schedule_state.run.as_ref().filter(|run| run.running && !run.halted).and_then(|run| {
            if run.given_up {
                return Some(now);
            }
            let bound = !run.by_hand && !self.timetable.is_open(now);
            if bound { Some(now) } else { self.timetable.closes(now).filter(|_| !run.by_hand) }
        });
        [due, ready, halt].into_iter().flatten().min().map(|wakes| wakes.max(now))
    }

    /// Returns the earliest instant at which its next run begins.
    pub(crate) fn next(&self, now: Timestamp) -> Option<Timestamp> {
        let waits = self.schedule_state.run.as_ref().is_some_and(|run| !run.running);
        if waits {
            return self.ready_at(now);
        }
        if self.removed || self.schedule_state.paused || self.schedule_state.queued.is_some() {
            return None;
        }
        let due = self.timetable.due_after(self.settled(now).max(now))?;
        Some(self.timetable.begins(due))
    }
}
