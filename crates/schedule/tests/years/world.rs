//! A simulation with faults: runs are slow, the service is killed, the machine sleeps, rules are changed.

use crate::calendar::{Calendar, Hours};
use crate::run_log::{Policy, RunLog, Said};
use jiff::Timestamp;
use mapwright_schedule::{
    Agenda, CatchUp, Decision, Overlap, RunEnd, ScheduleRule, ScheduleState, SkipReason, Timetable,
};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::Duration;

const DAY: i64 = 86_400;

/// A job of the simulation: its rule, and the one that it alternates with.
pub(crate) struct Plan {
    pub(crate) name: &'static str,
    pub(crate) rules: [(Hours, Overlap, CatchUp); 2],
}

/// One rule of a job, as the crate and as the oracle read it.
struct Side {
    timetable: Timetable,
    policy: Policy,
}

/// A span of time, prepared for simulation.
pub(crate) struct Stage {
    sides: Vec<(&'static str, [Side; 2])>,
    ticks: Vec<i64>,
    first: i64,
}

impl Stage {
    pub(crate) fn new(plans: &[Plan], from: &str, to: &str) -> Self {
        let second = |text: &str| format!("{text}T00:00Z").parse::<Timestamp>().unwrap().as_second();
        let (first, end) = (second(from), second(to));
        let mut ticks: BTreeSet<i64> = (first..end).step_by(60).collect();
        let mut sides = Vec::new();
        for plan in plans {
            let both = plan.rules.each_ref().map(|(hours, overlap, catch_up)| {
                // The calendar extends beyond both ends, so that no run is missing a part.
                let calendar = Calendar::walk(plan.name, hours, first - 8 * DAY, end + 8 * DAY);
                for (due, begins) in &calendar.dues {
                    ticks.extend([due, begins].into_iter().filter(|at| (first..end).contains(*at)));
                }
                side(plan.name, hours, *overlap, *catch_up, calendar)
            });
            sides.push((plan.name, both));
        }
        Self { sides, ticks: ticks.into_iter().collect(), first }
    }

    /// Simulates it once.
    pub(crate) fn live(&self, seed: u64) -> Tally {
        let mut world = World::new(self, seed);
        for now in &self.ticks {
            world.tick(*now);
        }
        world.tally
    }
}

fn side(name: &'static str, hours: &Hours, overlap: Overlap, catch_up: CatchUp, calendar: Calendar) -> Side {
    let jitter = Duration::from_secs(hours.jitter.unsigned_abs());
    let Hours { cron, zone, window, .. } = *hours;
    let timetable =
        Timetable::new(&ScheduleRule { cron: Some(cron), zone, window, jitter, overlap, catch_up }, name).unwrap();
    let (queues, catches_up) = (overlap == Overlap::Queue, catch_up == CatchUp::Once);
    Side { timetable, policy: Policy { calendar: Rc::new(calendar), queues, catches_up } }
}

/// The counts of the events, so that a test can check that enough occurred.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Tally {
    pub(crate) started: u32,
    pub(crate) gone_on: u32,
    pub(crate) halted: u32,
    pub(crate) skipped: u32,
    pub(crate) missed: u32,
    pub(crate) killed: u32,
    pub(crate) slept: u32,
    pub(crate) by_hand: u32,
    pub(crate) changed: u32,
}

struct World<'a> {
    stage: &'a Stage,
    dice: Dice,
    agenda: Agenda,
    run_log: RunLog,
    kept: BTreeMap<&'static str, String>,
    /// The index of the present rule of each job.
    rule: BTreeMap<&'static str, usize>,
    /// The end of each run in progress, and its kind.
    ends: BTreeMap<&'static str, (i64, RunEnd)>,
    /// The remaining work of each unfinished run, in seconds.
    left: BTreeMap<&'static str, i64>,
    wakes: Option<i64>,
    away_until: i64,
    killed: bool,
    tally: Tally,
}

impl<'a> World<'a> {
    fn new(stage: &'a Stage, seed: u64) -> Self {
        let mut world = Self {
            stage,
            dice: Dice(seed),
            agenda: Agenda::new(2),
            run_log: RunLog::new(2),
            kept: BTreeMap::new(),
            rule: BTreeMap::new(),
            ends: BTreeMap::new(),
            left: BTreeMap::new(),
            wakes: None,
            away_until: 0,
            killed: false,
            tally: Tally::default(),
        };
        for (name, both) in &stage.sides {
            world.agenda.set(name, both[0].timetable.clone(), None, instant(stage.first));
            world.run_log.set(name, both[0].policy.clone(), stage.first);
            world.rule.insert(name, 0);
        }
        world.wakes = Some(stage.first);
        world
    }

    fn tick(&mut self, now: i64) {
        if now < self.away_until {
            return;
        }
        let back = self.away_until != 0;
        self.away_until = 0;
        if std::mem::take(&mut self.killed) {
            self.restart(now);
        }
        let moved = back | self.runs_end(now) | self.random_stop(now);
        let expected = self.run_log.at(now);
        let woken = self.wakes.is_some_and(|wakes| wakes <= now);
        let said: Vec<Said> =
            if moved || woken { self.agenda.at(instant(now)).into_iter().map(said).collect() } else { Vec::new() };
        let orderly = |said: &[Said]| {
            let (starts, mut others): (Vec<Said>, Vec<Said>) =
                said.iter().cloned().partition(|said| matches!(said, Said::Start(..)));
            others.sort();
            (starts, others)
        };
        assert_eq!(orderly(&said), orderly(&expected), "at {} (left: mapwright, right: the policy)", instant(now));
        for said in said {
            self.obey(said, now);
        }
        if moved || woken {
            self.wakes = self.agenda.wakes_at(instant(now)).map(|wakes| wakes.as_second());
            self.keep();
        }
        self.go_away(now);
    }

    fn runs_end(&mut self, now: i64) -> bool {
        let over: Vec<&'static str> = self.ends.iter().filter(|(_, end)| end.0 <= now).map(|(name, _)| *name).collect();
        for name in &over {
            let (_, ended) = self.ends.remove(name).unwrap();
            if ended != RunEnd::Cut {
                self.left.remove(name);
            }
            self.agenda.ended(name, ended, instant(now));
            self.run_log.ended(name, ended == RunEnd::Cut, now);
        }
        !over.is_empty()
    }

    /// Gives a random command by hand now and then.
    fn random_stop(&mut self, now: i64) -> bool {
        if !self.dice.once_in(700) {
            return false;
        }
        let place = self.dice.below(self.stage.sides.len() as u64) as usize;
        let (name, both) = &self.stage.sides[place];
        let instant = instant(now);
        match self.dice.below(8) {
            0 => {
                let _ = self.agenda.pause(name, instant);
                self.run_log.pause(name, true, now);
            }
            1 | 2 => {
                for (name, _) in &self.stage.sides {
                    let _ = self.agenda.resume(name, instant);
                    self.run_log.pause(name, false, now);
                }
            }
            3 => {
                let going = self.run_log.is_going(name);
                let done = self.agenda.start_now(name, instant);
                assert_eq!(done.is_ok(), self.run_log.knows(name) && !going, "{name} by hand: {done:?}");
                self.run_log.start_now(name, now);
                self.tally.by_hand += 1;
            }
            4 => {
                let _ = self.agenda.stop(name);
                self.run_log.stop(name);
            }
            5 => {
                let most = self.dice.below(4) as usize;
                self.agenda.set_max_slots(most);
                self.run_log.most = most;
            }
            6 => {
                self.agenda.remove(name);
                self.run_log.remove(name);
            }
            _ => {
                let rule = self.dice.below(2) as usize;
                for (name, both) in &self.stage.sides {
                    if !self.run_log.knows(name) {
                        let rule = self.rule[name];
                        self.agenda.set(name, both[rule].timetable.clone(), None, instant);
                        self.run_log.set(name, both[rule].policy.clone(), now);
                    }
                }
                self.rule.insert(name, rule);
                self.agenda.set(name, both[rule].timetable.clone(), None, instant);
                self.run_log.set(name, both[rule].policy.clone(), now);
                self.tally.changed += 1;
            }
        }
        true
    }

    fn obey(&mut self, said: Said, now: i64) {
        let known = |name: &str| self.stage.sides.iter().find(|side| side.0 == name).unwrap().0;
        match said {
            Said::Start(name, _, resumes) => {
                let name = known(&name);
                let slow = if self.dice.once_in(8) { 3 * DAY } else { 3 * 3600 };
                let fresh = 60 + self.dice.below(slow as u64) as i64;
                let work = if resumes { *self.left.get(name).unwrap_or(&fresh) } else { fresh };
                self.left.insert(name, work);
                let ended = match self.dice.below(12) {
                    0 => RunEnd::Failed,
                    1 => RunEnd::Cut,
                    _ => RunEnd::Done,
                };
                let end = if ended == RunEnd::Cut { self.dice.below(work.unsigned_abs()) as i64 } else { work };
                self.ends.insert(name, (now + end, ended));
                self.tally.started += 1;
                self.tally.gone_on += u32::from(resumes);
            }
            Said::Halt(name) => {
                let drained = now + self.dice.below(200) as i64;
                if let Some(end) = self.ends.get_mut(known(&name)).filter(|end| end.0 > drained) {
                    self.left.insert(known(&name), end.0 - drained);
                    *end = (drained, RunEnd::Cut);
                }
                self.tally.halted += 1;
            }
            Said::Skipped(..) => self.tally.skipped += 1,
            Said::Missed(..) => self.tally.missed += 1,
        }
    }

    /// Stores the state as on a disk.
    fn keep(&mut self) {
        self.kept.clear();
        for (name, _) in &self.stage.sides {
            if let Some(schedule_state) = self.agenda.schedule_state(name) {
                self.kept.insert(name, serde_json::to_string(schedule_state).unwrap());
            }
        }
    }

    fn go_away(&mut self, now: i64) {
        if !self.dice.once_in(4000) {
            return;
        }
        let longest = [50, 3600, DAY, 5 * DAY][self.dice.below(4) as usize];
        self.away_until = now + 1 + self.dice.below(longest as u64) as i64;
        if self.dice.once_in(4) {
            self.tally.slept += 1;
        } else {
            self.killed = true;
            self.tally.killed += 1;
        }
    }

    fn restart(&mut self, now: i64) {
        self.ends.clear();
        // A job that is being removed is no longer in the settings.
        self.run_log.restart();
        let most = self.run_log.most;
        self.agenda = Agenda::new(most);
        for (name, both) in &self.stage.sides {
            if self.run_log.knows(name) {
                let kept: ScheduleState = serde_json::from_str(&self.kept[name]).unwrap();
                self.agenda.set(name, both[self.rule[name]].timetable.clone(), Some(kept), instant(now));
            }
        }
    }
}

fn said(decision: Decision) -> Said {
    let words = |reason| match reason {
        SkipReason::Unfinished => "unfinished",
        SkipReason::NoSlot => "no place",
        SkipReason::Queued => "queued",
        SkipReason::Paused => "paused",
        SkipReason::Stopped => "stopped",
        SkipReason::Removed => "removed",
        SkipReason::Down => "down",
        SkipReason::CaughtUp => "caught up",
    };
    match decision {
        Decision::Start { job, due, resumes } => Said::Start(job, due.as_second(), resumes),
        Decision::Halt { job } => Said::Halt(job),
        Decision::Skipped { job, due, reason } => Said::Skipped(job, due.as_second(), words(reason)),
        Decision::Missed { job, due, reason } => Said::Missed(job, due.as_second(), words(reason)),
    }
}

fn instant(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

/// SplitMix64: the same sequence for the same seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end.max(1)
    }

    fn once_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }
}
