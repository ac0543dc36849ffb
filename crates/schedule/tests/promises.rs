//! Invariants of any history: each due instant is decided once, no slot is used twice, and runs stay in their windows.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

use jiff::{SignedDuration, Timestamp};
use mapwright_schedule::{Agenda, CatchUp, Decision, Overlap, RunEnd, ScheduleRule, ScheduleState, Timetable};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

const JOBS: [&str; 4] = ["a", "b", "c", "d"];
const CRONS: [&str; 6] = ["30 2 * * *", "0 0 * * *", "*/20 * * * *", "0 */6 * * *", "0 2,3,23 * * *", "15 1 * * 1-5"];
const ZONES: [&str; 4] = ["Europe/Berlin", "America/Havana", "Australia/Lord_Howe", "UTC"];
const WINDOWS: [Option<&str>; 5] =
    [None, Some("01:00-05:00"), Some("22:00-04:00"), Some("02:00-02:50"), Some("00:30–00:45")];

/// A job's rule, as its parts.
type Parts = (usize, usize, usize, u64, bool, bool);

#[derive(Debug, Clone)]
enum Event {
    /// Time passes, in seconds. The agenda is called whenever it wakes.
    Pass(i64),
    /// The machine sleeps for this many seconds.
    Sleep(i64),
    /// The service is killed, and restarts after this many seconds.
    Kill(i64),
    End(usize, u8),
    ByHand(usize),
    Stop(usize),
    Pause(usize, bool),
}

fn parts() -> impl Strategy<Value = Vec<Parts>> {
    let one = (0..CRONS.len(), 0..ZONES.len(), 0..WINDOWS.len(), 0_u64..900, any::<bool>(), any::<bool>());
    proptest::collection::vec(one, JOBS.len())
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        6 => (1_i64..40_000).prop_map(Event::Pass),
        1 => (1_i64..200_000).prop_map(Event::Sleep),
        1 => (1_i64..200_000).prop_map(Event::Kill),
        6 => (0..JOBS.len(), 0_u8..4).prop_map(|(job, how)| Event::End(job, how)),
        1 => (0..JOBS.len()).prop_map(Event::ByHand),
        1 => (0..JOBS.len()).prop_map(Event::Stop),
        1 => (0..JOBS.len(), any::<bool>()).prop_map(|(job, paused)| Event::Pause(job, paused)),
    ]
}

fn timetables(parts: &[Parts]) -> Vec<Timetable> {
    let one = |(at, (cron, zone, window, jitter, skip, once)): (usize, &Parts)| {
        let rule = ScheduleRule {
            cron: Some(CRONS[*cron]),
            zone: ZONES[*zone],
            window: WINDOWS[*window],
            jitter: Duration::from_secs(*jitter),
            overlap: if *skip { Overlap::Skip } else { Overlap::Queue },
            catch_up: if *once { CatchUp::Once } else { CatchUp::None },
        };
        Timetable::new(&rule, JOBS[at]).unwrap()
    };
    parts.iter().enumerate().map(one).collect()
}

struct Life {
    most: usize,
    timetables: Vec<Timetable>,
    agenda: Agenda,
    began: Timestamp,
    now: Timestamp,
    running: BTreeSet<usize>,
    /// The jobs with an unfinished run by hand, and the instant of the command if the run is not of the cron
    /// expression.
    by_hand: BTreeMap<usize, Timestamp>,
    started: BTreeSet<(usize, Timestamp)>,
    let_go: BTreeSet<(usize, Timestamp)>,
}

impl Life {
    fn new(parts: &[Parts], most: usize, began: Timestamp) -> Self {
        let mut life = Self {
            most,
            timetables: timetables(parts),
            agenda: Agenda::new(most),
            began,
            now: began,
            running: BTreeSet::new(),
            by_hand: BTreeMap::new(),
            started: BTreeSet::new(),
            let_go: BTreeSet::new(),
        };
        for (job, timetable) in life.timetables.iter().enumerate() {
            life.agenda.set(JOBS[job], timetable.clone(), None, began);
        }
        life
    }

    fn meet(&mut self, event: &Event) {
        match *event {
            Event::Pass(seconds) => self.pass(seconds),
            Event::Sleep(seconds) => self.now += SignedDuration::from_secs(seconds),
            Event::Kill(seconds) => self.kill(seconds),
            Event::End(job, how) => {
                let ended = [RunEnd::Done, RunEnd::Done, RunEnd::Cut, RunEnd::Failed][usize::from(how)];
                self.agenda.ended(JOBS[job], ended, self.now);
                self.running.remove(&job);
            }
            Event::ByHand(job) => {
                let waiting = self.agenda.schedule_state(JOBS[job]).unwrap().unfinished();
                let done = self.agenda.start_now(JOBS[job], self.now);
                assert_eq!(done.is_err(), self.running.contains(&job));
                if done.is_ok() && waiting.is_none() {
                    self.by_hand.insert(job, self.now);
                }
            }
            Event::Stop(job) => drop(self.agenda.stop(JOBS[job])),
            Event::Pause(job, true) => self.agenda.pause(JOBS[job], self.now).unwrap(),
            Event::Pause(job, false) => self.agenda.resume(JOBS[job], self.now).unwrap(),
        }
        self.ask();
    }

    fn pass(&mut self, seconds: i64) {
        let end = self.now + SignedDuration::from_secs(seconds);
        while let Some(wakes) = self.agenda.wakes_at(self.now).filter(|wakes| *wakes <= end) {
            assert!(wakes > self.now, "it was just requested, and wants to be requested again");
            self.now = wakes;
            self.ask();
        }
        self.now = end;
    }

    fn kill(&mut self, seconds: i64) {
        let kept: Vec<String> =
            JOBS.map(|job| serde_json::to_string(self.agenda.schedule_state(job).unwrap()).unwrap()).into();
        self.now += SignedDuration::from_secs(seconds);
        self.agenda = Agenda::new(self.most);
        self.running.clear();
        for (job, timetable) in self.timetables.iter().enumerate() {
            let schedule_state: ScheduleState = serde_json::from_str(&kept[job]).unwrap();
            self.agenda.set(JOBS[job], timetable.clone(), Some(schedule_state), self.now);
        }
    }

    fn ask(&mut self) {
        for decision in self.agenda.at(self.now) {
            match decision {
                Decision::Start { job, due, resumes } => self.start(number(&job), due, resumes),
                Decision::Halt { job } => assert!(self.running.contains(&number(&job)), "{job} does not run"),
                Decision::Skipped { job, due, .. } | Decision::Missed { job, due, .. } => {
                    let key = (number(&job), due);
                    assert!(!self.started.contains(&key), "{job} started for {due}, and let it go");
                    assert!(self.let_go.insert(key), "{job} let {due} go twice");
                }
            }
        }
    }

    fn start(&mut self, job: usize, due: Timestamp, resumes: bool) {
        assert!(self.running.insert(job), "{} runs already", JOBS[job]);
        assert!(self.running.len() <= self.most, "more than {} run", self.most);
        let by_hand = self.agenda.schedule_state(JOBS[job]).unwrap().is_by_hand();
        assert!(by_hand || self.timetables[job].is_open(self.now), "{} started outside its window", JOBS[job]);
        assert!(due <= self.now);
        if self.by_hand.get(&job) == Some(&due) {
            return;
        }
        assert!(!self.let_go.contains(&(job, due)), "{} let {due} go, and started", JOBS[job]);
        assert_eq!(self.started.insert((job, due)), !resumes, "{} for {due}", JOBS[job]);
    }

    /// Asserts that no due instant was lost: each one that is not decided waits, as the schedule state says.
    fn account(&self) {
        for (job, timetable) in self.timetables.iter().enumerate() {
            let schedule_state = self.agenda.schedule_state(JOBS[job]).unwrap();
            for due in timetable.dues(self.began).take_while(|due| *due <= self.now) {
                let decided = self.started.contains(&(job, due)) || self.let_go.contains(&(job, due));
                let waits = schedule_state.unfinished() == Some(due) || schedule_state.queued() == Some(due);
                assert!(decided || waits, "{} lost {due}", JOBS[job]);
            }
        }
    }
}

fn number(job: &str) -> usize {
    JOBS.iter().position(|name| *name == job).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: if cfg!(feature = "full") { 500 } else { 60 }, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn each_due_instant_is_decided_once(
        parts in parts(),
        most in 0_usize..4,
        day in 0_i64..730,
        events in proptest::collection::vec(event(), 1..60),
    ) {
        // Never on a full minute, where a run by hand could not be distinguished from a due one.
        let began = Timestamp::new(1_767_225_600 + day * 86_400, 500_000_000).unwrap();
        let mut life = Life::new(&parts, most, began);
        for event in &events {
            life.meet(event);
        }
        life.account();
    }

    #[test]
    fn no_text_makes_a_rule_panic(cron in "[-0-9*/, LW#@a-z?+]{0,24}", zone in "\\PC{0,12}", window in "\\PC{0,14}") {
        let rule = |cron, zone, window| ScheduleRule {
            cron: Some(cron), zone, window, jitter: Duration::ZERO, overlap: Overlap::Skip, catch_up: CatchUp::Once,
        };
        let _ = Timetable::new(&rule(&cron, "UTC", None), "a");
        let _ = Timetable::new(&rule("@daily", &zone, None), "a");
        let _ = Timetable::new(&rule("@daily", "UTC", Some(&window)), "a");
    }
}
