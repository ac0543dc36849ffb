//! The state of the oracle: the decisions of the policy for each job, made without the crate.

use crate::calendar::Calendar;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The decisions at one instant, in the words of the tests.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Clone)]
pub(crate) enum Said {
    Start(String, i64, bool),
    Halt(String),
    Skipped(String, i64, &'static str),
    Missed(String, i64, &'static str),
}

/// A rule: its calendar, whether it queues, whether it catches up.
#[derive(Clone)]
pub(crate) struct Policy {
    pub(crate) calendar: Rc<Calendar>,
    pub(crate) queues: bool,
    pub(crate) catches_up: bool,
}

pub(crate) struct RunLog {
    pub(crate) most: usize,
    jobs: BTreeMap<&'static str, Entry>,
    said: Vec<Said>,
}

struct Entry {
    policy: Policy,
    seen_to: i64,
    paused: bool,
    leaving: bool,
    run: Option<Run>,
    in_line: Option<i64>,
}

#[derive(Clone, Default)]
struct Run {
    due: i64,
    going: bool,
    began_before: bool,
    by_hand: bool,
    stopped: bool,
    interrupted: bool,
    rests_until: i64,
}

impl RunLog {
    pub(crate) fn new(most: usize) -> Self {
        Self { most, jobs: BTreeMap::new(), said: Vec::new() }
    }

    pub(crate) fn set(&mut self, name: &'static str, policy: Policy, now: i64) {
        self.read(name, now);
        match self.jobs.get_mut(name) {
            Some(entry) => {
                entry.policy = policy;
                entry.leaving = false;
                entry.seen_to = entry.seen_to.max(now);
                entry.run.iter_mut().for_each(|run| run.rests_until = 0);
            }
            None => {
                let entry = Entry { policy, seen_to: now, paused: false, leaving: false, run: None, in_line: None };
                self.jobs.insert(name, entry);
            }
        }
    }

    pub(crate) fn knows(&self, name: &str) -> bool {
        self.jobs.contains_key(name)
    }

    pub(crate) fn is_going(&self, name: &str) -> bool {
        self.jobs.get(name).and_then(|entry| entry.run.as_ref()).is_some_and(|run| run.going)
    }

    /// Restarts the service after a kill: no run is in progress any more.
    pub(crate) fn restart(&mut self) {
        self.said.clear();
        self.jobs.retain(|_, entry| !entry.leaving);
        for entry in self.jobs.values_mut() {
            if entry.run.as_ref().is_some_and(|run| run.stopped) {
                entry.over();
            }
            if let Some(run) = &mut entry.run {
                run.began_before |= run.going;
                (run.going, run.interrupted, run.rests_until) = (false, false, 0);
            }
        }
    }

    pub(crate) fn remove(&mut self, name: &'static str) {
        let Some(mut entry) = self.jobs.remove(name) else { return };
        if entry.run.as_ref().is_some_and(|run| run.going) {
            self.said.extend(entry.in_line.take().map(|due| Said::Skipped(name.into(), due, "removed")));
            entry.leaving = true;
            self.jobs.insert(name, entry);
            return;
        }
        let waits = entry.run.filter(|run| !run.began_before).map(|run| run.due);
        self.said
            .extend([waits, entry.in_line].into_iter().flatten().map(|due| Said::Skipped(name.into(), due, "removed")));
    }

    pub(crate) fn pause(&mut self, name: &'static str, paused: bool, now: i64) {
        self.read(name, now);
        if let Some(entry) = self.jobs.get_mut(name).filter(|entry| !entry.leaving) {
            entry.paused = paused;
        }
    }

    pub(crate) fn start_now(&mut self, name: &'static str, now: i64) {
        self.read(name, now);
        let Some(entry) = self.jobs.get_mut(name).filter(|entry| !entry.leaving) else { return };
        let run = entry.run.get_or_insert(Run { due: now, ..Run::default() });
        if !run.going {
            (run.by_hand, run.rests_until) = (true, 0);
        }
    }

    pub(crate) fn stop(&mut self, name: &'static str) {
        let Some(entry) = self.jobs.get_mut(name) else { return };
        let Some(mut run) = entry.run.take() else { return };
        if run.going {
            run.stopped = true;
            entry.run = Some(run);
        } else if !run.began_before {
            self.said.push(Said::Skipped(name.into(), run.due, "stopped"));
        }
        self.said.extend(entry.in_line.take().map(|due| Said::Skipped(name.into(), due, "stopped")));
    }

    pub(crate) fn ended(&mut self, name: &'static str, cut: bool, now: i64) {
        self.read(name, now);
        let Some(entry) = self.jobs.get_mut(name) else { return };
        let Some(run) = entry.run.as_mut().filter(|run| run.going) else { return };
        if entry.leaving {
            self.jobs.remove(name);
        } else if !cut || run.stopped {
            entry.over();
        } else {
            let calendar = &entry.policy.calendar;
            run.rests_until = match (calendar.is_windowed(), calendar.is_open(now)) {
                (false, _) => {
                    let due = calendar.dues.iter().map(|due| due.0).find(|due| *due > now);
                    due.unwrap_or(i64::MAX).min(now + 24 * 3600)
                }
                (true, true) if !run.interrupted => calendar.first_that_is(true, calendar.first_that_is(false, now)),
                (true, _) => calendar.first_that_is(true, now),
            };
            (run.going, run.interrupted) = (false, false);
        }
    }

    /// Returns the decisions at `now`.
    pub(crate) fn at(&mut self, now: i64) -> Vec<Said> {
        let names: Vec<&'static str> = self.jobs.keys().copied().collect();
        names.iter().for_each(|name| self.read(name, now));
        for (name, entry) in &mut self.jobs {
            let shut = !entry.policy.calendar.is_open(now);
            if let Some(run) = entry.run.as_mut().filter(|run| run.going && !run.interrupted)
                && (run.stopped || (shut && !run.by_hand))
            {
                run.interrupted = true;
                self.said.push(Said::Halt((*name).into()));
            }
        }
        let going = names.iter().filter(|name| self.is_going(name)).count();
        let mut ready: Vec<(i64, &'static str)> = Vec::new();
        for (name, entry) in &self.jobs {
            ready.extend(entry.ready(now).map(|due| (due, *name)));
        }
        ready.sort_unstable();
        for (due, name) in ready.into_iter().take(self.most.saturating_sub(going)) {
            let run = self.jobs.get_mut(name).and_then(|entry| entry.run.as_mut()).unwrap();
            run.going = true;
            self.said.push(Said::Start(name.into(), due, run.began_before));
            run.began_before = true;
        }
        std::mem::take(&mut self.said)
    }

    /// Reads the calendar of a job up to `now`.
    fn read(&mut self, name: &'static str, now: i64) {
        let Some(entry) = self.jobs.get_mut(name).filter(|entry| !entry.leaving) else { return };
        let calendar = Rc::clone(&entry.policy.calendar);
        let from = calendar.dues.partition_point(|due| due.0 <= entry.seen_to);
        let to = calendar.dues.partition_point(|due| due.0 <= now);
        for place in from..to.max(from) {
            let due = calendar.dues[place].0;
            let late = now - due > 60;
            let later_one_late = place + 1 < to && now - calendar.dues[place + 1].0 > 60;
            entry.seen_to = due;
            let said = if entry.paused {
                Some(Said::Skipped(name.into(), due, "paused"))
            } else if late && !entry.policy.catches_up {
                Some(Said::Missed(name.into(), due, "down"))
            } else if late && later_one_late {
                Some(Said::Missed(name.into(), due, "caught up"))
            } else {
                entry.meet(name, due, entry.ready(due - 1).is_some())
            };
            self.said.extend(said);
        }
    }
}

impl Entry {
    /// Decides a due instant. `waits`: its run could have begun with a free slot.
    fn meet(&mut self, name: &str, due: i64, waits: bool) -> Option<Said> {
        if self.run.is_none() {
            self.run = Some(Run { due, ..Run::default() });
            return None;
        }
        if waits {
            return Some(Said::Skipped(name.into(), due, "no place"));
        }
        if !self.policy.queues {
            return Some(Said::Skipped(name.into(), due, "unfinished"));
        }
        if self.in_line.is_some() {
            return Some(Said::Skipped(name.into(), due, "queued"));
        }
        self.in_line = Some(due);
        None
    }

    fn over(&mut self) {
        self.run = self.in_line.take().map(|due| Run { due, ..Run::default() });
    }

    fn ready(&self, now: i64) -> Option<i64> {
        let run = self.run.as_ref().filter(|run| !run.going && now >= run.rests_until)?;
        let calendar = &self.policy.calendar;
        let in_time = run.began_before || now >= calendar.begins(run.due);
        (run.by_hand || (!self.paused && calendar.is_open(now) && in_time)).then_some(run.due)
    }
}
