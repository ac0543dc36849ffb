//! What is decided of one job alone.

use crate::decision::{Decision, Ended, Why};
use crate::rule::{CatchUp, Overlap};
use crate::standing::{Run, Standing};
use crate::timetable::Timetable;
use crate::wall::{earlier, later};
use jiff::Timestamp;

/// A due instant met later than this, in seconds, passed while the service was down, or the machine asleep. A service
/// that is restarted within it misses nothing.
const GRACE: i64 = 60;
/// Due instants of one downtime that are told, at most: sixteen hours of minutes, or almost three years of nights. Older
/// ones are settled without a word.
const TOLD: usize = 1_000;
/// So long, in seconds, a run without a window rests at most after it was cut: a monthly one need not wait a month.
const LONGEST_REST: i64 = 86_400;
/// A job that is settled further ahead than this, in seconds, was so by a clock that was wrong.
const WRONG_CLOCK: i64 = 86_400;

/// A clock that shows less, in seconds since 1970, was never set: that is before the first version of this.
const NEVER_SET: i64 = 1_767_225_600;

/// A rule, and where it stands.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) timetable: Timetable,
    pub(crate) standing: Standing,
    /// Forgotten when its run has ended.
    pub(crate) removed: bool,
    /// The run that is under way mostly waits for its site.
    pub(crate) waits_for_site: bool,
}

impl Job {
    /// Decides each due instant up to `now`; none by a clock that was never set, as on a machine that boots without one
    /// of its own and has not asked for the time yet.
    pub(crate) fn settle(&mut self, name: &str, now: Timestamp, decisions: &mut Vec<Decision>) {
        if self.removed || now.as_second() < NEVER_SET {
            return;
        }
        self.standing.settled = self.settled(now);
        self.forget_wrong_clock(now);
        let dues = self.timetable.passed(self.standing.settled, now, TOLD);
        let late = |due: Timestamp| due < earlier(now, GRACE);
        for (at, due) in dues.iter().copied().enumerate() {
            let made_up_for = dues.get(at + 1).is_some_and(|next| late(*next));
            let met = if late(due) { self.passed_by(due, made_up_for) } else { Met::Due(due) };
            self.standing.settled = due;
            // The run before could have begun by then, had there been a place.
            let before = earlier(due, 1);
            let waits = self.ready_at(before) == Some(before);
            decisions.extend(self.decide(name, met, waits));
        }
    }

    /// Through which due instant the job is settled, as far as that can be.
    fn settled(&self, now: Timestamp) -> Timestamp {
        let settled = self.standing.settled;
        let wrong = settled > later(now, WRONG_CLOCK) || settled.as_second() < NEVER_SET;
        if wrong { now } else { settled }
    }

    /// What was due by a clock that was wrong is due now, and what waits goes on at the next chance from now on.
    fn forget_wrong_clock(&mut self, now: Timestamp) {
        let wrong = later(now, WRONG_CLOCK);
        let dues = self
            .standing
            .run
            .iter_mut()
            .filter(|run| !run.running)
            .map(|run| &mut run.due)
            .chain(&mut self.standing.queued);
        dues.filter(|due| **due > wrong).for_each(|due| *due = now);
        let chance = self.next_chance(now, false);
        if let Some(not_before) = self.standing.run.as_mut().and_then(|run| run.not_before.as_mut()) {
            *not_before = chance.min(*not_before);
        }
    }

    /// What a due instant that passed while the service was down counts as.
    fn passed_by(&self, due: Timestamp, made_up_for: bool) -> Met {
        match self.timetable.catch_up() {
            CatchUp::Once if made_up_for => Met::Missed(due, Why::CaughtUp),
            CatchUp::Once => Met::Due(due),
            CatchUp::None => Met::Missed(due, Why::Down),
        }
    }

    /// Decides a due instant. `waits`: the run before waits for a place.
    fn decide(&mut self, name: &str, met: Met, waits: bool) -> Option<Decision> {
        let job = name.to_owned();
        let skipped = |due, why| Some(Decision::Skipped { job: job.clone(), due, why });
        let standing = &mut self.standing;
        match met {
            Met::Due(due) | Met::Missed(due, _) if standing.paused => skipped(due, Why::Paused),
            Met::Missed(due, why) => Some(Decision::Missed { job, due, why }),
            Met::Due(due) if standing.run.is_none() => {
                standing.run = Some(Run::waiting(due));
                None
            }
            // A run that has waited for a period is worth a word, and one that follows it would do nothing more.
            Met::Due(due) if waits => skipped(due, Why::NoPlace),
            Met::Due(due) if self.timetable.overlap() == Overlap::Skip => skipped(due, Why::Unfinished),
            Met::Due(due) if standing.queued.is_some() => skipped(due, Why::Queued),
            Met::Due(due) => {
                standing.queued = Some(due);
                None
            }
        }
    }

    /// Whether the run is now to end in good order. Said once.
    pub(crate) fn halts(&mut self, now: Timestamp) -> bool {
        let timetable = &self.timetable;
        let Some(run) = self.standing.run.as_mut().filter(|run| run.running && !run.halted) else { return false };
        run.halted = run.given_up || !(run.by_hand || timetable.is_open(now));
        run.halted
    }

    /// When the run that waits may begin, from `now` on. `None` where none waits, or the job is paused.
    pub(crate) fn ready_at(&self, now: Timestamp) -> Option<Timestamp> {
        let run = self.standing.run.as_ref().filter(|run| !run.running)?;
        let from = run.not_before.map_or(now, |not_before| not_before.max(now));
        if run.by_hand {
            return Some(from);
        }
        if self.standing.paused {
            return None;
        }
        let begins = if run.begun { run.due } else { self.timetable.begins(run.due) };
        Some(self.timetable.opens(from.max(begins)))
    }

    /// Since when the run that waits could have begun, had there been a place; nothing where it cannot begin now.
    pub(crate) fn ready_since(&self, now: Timestamp) -> Option<Timestamp> {
        let run = self.standing.run.as_ref().filter(|_| self.ready_at(now) == Some(now))?;
        self.ready_at(run.due).map(|since| since.min(now))
    }

    /// Starts the run that waits.
    pub(crate) fn start(&mut self, name: &str) -> Option<Decision> {
        self.waits_for_site = false;
        let run = self.standing.run.as_mut().filter(|run| !run.running)?;
        run.running = true;
        run.not_before = None;
        let goes_on = std::mem::replace(&mut run.begun, true);
        Some(Decision::Start { job: name.to_owned(), due: run.due, goes_on })
    }

    /// The run ended.
    pub(crate) fn ended(&mut self, ended: Ended, now: Timestamp) {
        let Some(run) = self.standing.run.as_ref().filter(|run| run.running) else { return };
        if run.given_up || ended != Ended::Cut {
            return self.standing.run_is_over();
        }
        let not_before = Some(self.next_chance(now, run.halted));
        if let Some(run) = &mut self.standing.run {
            (run.running, run.halted, run.not_before) = (false, false, not_before);
        }
    }

    /// When a run that was cut goes on: in the next window. One cut within its window waits for the next, and one
    /// without a window for the next due instant, lest a site that is down is tried without end.
    fn next_chance(&self, now: Timestamp, halted: bool) -> Timestamp {
        match self.timetable.closes(now) {
            Some(_) if halted => now,
            Some(closes) => self.timetable.opens(closes),
            None if self.timetable.is_open(now) => {
                let tomorrow = later(now, LONGEST_REST);
                self.timetable.due_after(now).map_or(tomorrow, |due| due.min(tomorrow))
            }
            None => self.timetable.opens(now),
        }
    }

    /// Gives up what is not over, and what is queued.
    pub(crate) fn give_up(&mut self, name: &str, why: Why) -> Vec<Decision> {
        let mut dues: Vec<Timestamp> = self.standing.queued.take().into_iter().collect();
        match &mut self.standing.run {
            Some(run) if run.running => run.given_up = true,
            Some(run) => {
                dues.extend((!run.begun).then_some(run.due));
                self.standing.run = None;
            }
            None => {}
        }
        dues.sort();
        dues.into_iter().map(|due| Decision::Skipped { job: name.to_owned(), due, why }).collect()
    }

    /// Asks for a run by hand: what waits begins now, or a new one.
    pub(crate) fn by_hand(&mut self, now: Timestamp) {
        let run = self.standing.run.get_or_insert_with(|| Run::waiting(now));
        (run.by_hand, run.not_before) = (true, None);
    }

    /// When there is something to decide of this job alone, if its run does not end before; a start only where there
    /// is `room`.
    pub(crate) fn wakes_at(&self, now: Timestamp, room: bool) -> Option<Timestamp> {
        let due = if self.removed { None } else { self.timetable.due_after(self.settled(now)) };
        let ready = if room { self.ready_at(now) } else { None };
        let halt = self.standing.run.as_ref().filter(|run| run.running && !run.halted).and_then(|run| {
            if run.given_up {
                return Some(now);
            }
            let bound = !run.by_hand && !self.timetable.is_open(now);
            if bound { Some(now) } else { self.timetable.closes(now).filter(|_| !run.by_hand) }
        });
        [due, ready, halt].into_iter().flatten().min().map(|wakes| wakes.max(now))
    }

    /// When its next run will begin at the earliest.
    pub(crate) fn next(&self, now: Timestamp) -> Option<Timestamp> {
        let waits = self.standing.run.as_ref().is_some_and(|run| !run.running);
        if waits {
            return self.ready_at(now);
        }
        if self.removed || self.standing.paused || self.standing.queued.is_some() {
            return None;
        }
        let due = self.timetable.due_after(self.settled(now).max(now))?;
        Some(self.timetable.begins(due))
    }
}

/// How a due instant was met.
enum Met {
    /// In time, or as the one run that makes up for others.
    Due(Timestamp),
    /// Not at all.
    Missed(Timestamp, Why),
}
