//! One origin: its queues, its robots gate, its pace, and the choice of what to ask it next.

use crate::allowance::Try;
use crate::contract::{Order, Weather};
use crate::lanes::Lanes;
use crate::last_tries::LastTries;
use crate::outage::Outage;
use crate::pace::Pace;
use crate::robots_gate::Gate;
use crate::rules::Rules;
use crate::silence::Silence;
use crate::task::{Lane, Mode, Purpose, Task};
use mapwright_web::{Origin, PageUrl, Spelling};
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

mod choice;
mod doubt;
mod robots;

/// What a robots file weighs beside its rules, in rules.
pub(crate) const FILE_WEIGHT: usize = 100;

/// What an origin has to offer at one moment.
#[derive(Debug)]
pub(crate) enum Step {
    /// This is to be done.
    Do(Order),
    /// Nothing before this time.
    Wait(Duration),
    /// Nothing until something happens to the origin.
    Park,
}

/// What the crawl as a whole allows at one moment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Leave {
    /// Only start URLs may be fetched yet.
    pub(crate) opening: bool,
    /// The budget of URLs is spent: no first tries of pages.
    pub(crate) spent: bool,
    /// The budget of URLs holds more pages than there are origins whose robots.txt was requested for the first of theirs.
    pub(crate) robots: bool,
    /// Links deeper than this must wait until all above are settled.
    pub(crate) depth: u32,
    /// URLs known only from sitemaps and feeds may be fetched: nothing that comes before them is left.
    pub(crate) listed: bool,
}

/// How long an origin that gives no answers is left alone before it is asked again.
const REST: Duration = Duration::from_millis(500);

/// One origin of the crawl.
#[derive(Debug)]
pub(crate) struct Stand {
    pub(crate) origin: Origin,
    pub(crate) lanes: Lanes,
    pub(crate) down: bool,
    gate: Gate,
    pace: Pace,
    silence: Silence,
    outage: Outage,
    /// Tries again, by the earliest time of each.
    later: BTreeMap<(Duration, u64), Task>,
    /// Last tries, which come after everything else.
    last: VecDeque<(Duration, Task)>,
    last_tries: LastTries,
    in_flight: usize,
    /// A request is in flight that no other is to be sent beside.
    alone: bool,
    prerequisites_in_flight: usize,
    /// Pages to be asked in return for prerequisites that went before them.
    owed: usize,
    /// Leased and not settled, last tries apart.
    unsettled: usize,
    /// Of these, sitemaps and feeds.
    files: usize,
    /// Of the queued, those that need no robots.txt.
    invited: u64,
    /// It belongs to what is crawled; of other sites single links are checked.
    ours: bool,
    /// Its robots.txt was requested for its pages, of which none has been handed out since.
    claims: bool,
    /// Its robots.txt was not requested, since all of the budget is kept for others.
    held: bool,
}

impl Stand {
    pub(crate) fn new(origin: Origin, rules: &Rules) -> Self {
        Self {
            origin,
            lanes: Lanes::default(),
            down: false,
            gate: Gate::new(),
            pace: Pace::new(&rules.pace),
            silence: Silence::default(),
            outage: Outage::default(),
            later: BTreeMap::new(),
            last: VecDeque::new(),
            last_tries: LastTries::default(),
            in_flight: 0,
            alone: false,
            prerequisites_in_flight: 0,
            owed: 0,
            unsettled: 0,
            files: 0,
            invited: 0,
            ours: false,
            claims: false,
            held: false,
        }
    }

    /// Whether anything but checks of another site's links was ever queued here.
    pub(crate) fn is_ours(&self) -> bool {
        self.ours
    }

    /// Whether a page of the budget is kept for it.
    pub(crate) fn claims(&self) -> bool {
        self.claims
    }

    /// The page of the budget is kept no longer. Whether it waited for others to let go of theirs.
    pub(crate) fn forgo(&mut self) -> bool {
        self.claims = false;
        std::mem::take(&mut self.held)
    }

    /// Whether it bears less than it is asked for.
    pub(crate) fn is_exceeded(&self) -> bool {
        self.pace.is_exceeded()
    }

    /// Requests that are not answered.
    pub(crate) fn in_flight(&self) -> usize {
        self.in_flight
    }

    /// Whether answers, or what they lead to, are still to come.
    pub(crate) fn is_busy(&self) -> bool {
        self.in_flight > 0 || self.unsettled > 0
    }

    /// Tasks queued here and not leased.
    pub(crate) fn queued(&self) -> u64 {
        self.lanes.len() + self.later.len() as u64 + self.last.len() as u64
    }

    /// The least depth of the links that wait here, if any may ever be fetched.
    pub(crate) fn nearest_link(&self) -> Option<u32> {
        if self.down { None } else { self.lanes.nearest_link() }
    }

    /// Whether links or redirect hops are queued here, and can be asked for.
    pub(crate) fn links_wait(&self) -> bool {
        !self.down && self.lanes.links() > 0
    }

    /// Nothing is queued, leased or unsettled, so that its rules may be forgotten.
    pub(crate) fn is_idle(&self) -> bool {
        self.queued() == 0 && !self.is_busy()
    }

    /// Whether its robots rules are held.
    pub(crate) fn holds_rules(&self) -> bool {
        matches!(self.gate, Gate::Rules(_))
    }

    /// What its rules weigh: their number, and what each file takes besides; nothing where it holds none.
    pub(crate) fn weight(&self) -> usize {
        if let Gate::Rules(robots) = &self.gate { FILE_WEIGHT + robots.count() } else { 0 }
    }

    /// Lets the rules go; they are asked for again if the origin comes up again.
    pub(crate) fn forget_rules(&mut self) {
        self.gate = Gate::new();
    }

    pub(crate) fn push(&mut self, task: Task) {
        self.ours |= task.purpose != Purpose::External;
        self.invited += u64::from(task.invited);
        self.lanes.of(task.lane).push(task);
    }

    /// Tasks of this lane wait in the record, some of them invited; a page of the run that is gone on with was good.
    pub(crate) fn behind(&mut self, lane: Lane, count: u64, invited: u64, good: Option<PageUrl>) {
        self.ours |= lane != Lane::Check;
        good.into_iter().for_each(|good| self.outage.answered_before(good));
        self.invited += invited;
        self.lanes.of(lane).behind(count);
    }

    /// Turns a task into an order: robots.txt may refuse it, and then no place is taken.
    fn order(&mut self, mut task: Task, now: Duration, rules: &Rules) -> Order {
        self.invited -= u64::from(task.invited && self.invited > 0 && task.is_first());
        if !is_last(&task, rules) {
            self.unsettled += 1;
        }
        self.files += usize::from(task.purpose.is_listing());
        self.claims &= task.purpose != Purpose::Page;
        let bound = task.purpose != Purpose::Robots && !task.invited && !rules.ignore_robots;
        let spelt = task.spelling.as_ref().and_then(Spelling::for_robots);
        let url = spelt.as_ref().unwrap_or(&task.url);
        if let Some(refusal) = bound.then(|| self.gate.refuses(&rules.agent, url)).flatten() {
            return Order::Refuse(task, refusal);
        }
        if task.mode == Mode::Remembered {
            return Order::Recall(task);
        }
        let is_alone = self.pace.places() == 1 || is_last(&task, rules) && !self.last_tries.go_together(now);
        task.alone = is_alone && self.in_flight == 0;
        self.alone = task.alone;
        self.in_flight += 1;
        self.prerequisites_in_flight += usize::from(task.purpose.is_prerequisite());
        self.pace.start(now, self.in_flight);
        Order::Fetch(task)
    }

    /// A request has ended; other origins have given so many good answers. Whether the origin went down by it.
    pub(crate) fn ended(&mut self, now: Duration, task: &Task, weather: &Weather, rules: &Rules, others: u64) -> bool {
        self.in_flight = self.in_flight.saturating_sub(1);
        self.alone = false;
        if is_last(task, rules) {
            self.last_tries.ended(now, weather);
        }
        if task.is_proof() {
            return self.proven(now, weather, rules, others);
        }
        if task.purpose.is_prerequisite() {
            self.prerequisites_in_flight = self.prerequisites_in_flight.saturating_sub(1);
        }
        // How fast robots.txt and sitemaps come, often mere files, says nothing of how fast pages do.
        let first_byte = weather.first_byte.filter(|_| !task.purpose.is_prerequisite());
        let which = match () {
            () if weather.cut_off && self.silence.may_mean_down(now) => Try::InSilence,
            () if task.failed_before() => Try::Further,
            () => Try::First,
        };
        self.pace.learn(now, which, &Weather { first_byte, ..*weather }, &rules.pace);
        // Another site that is down cuts nothing.
        if weather.none || task.purpose == Purpose::External {
            return false;
        }
        if weather.first_byte.is_some() {
            if self.silence.broken() {
                self.pace.answers_again(now);
            }
            self.outage.heard();
            match (task.purpose, weather.refused) {
                (Purpose::Page, true) => self.outage.refused(now, task.is_first(), weather.throttled, others),
                (Purpose::Page, false) => self.outage.answered(&task.url),
                _ => {}
            }
            return false;
        }
        if !weather.cut_off {
            self.pace.stalled(now);
        }
        // Tries of a page that failed prove nothing.
        if task.failed_before() {
            return false;
        }
        let is_silent = self.silence.lasts(now, task.id, rules.pace.concurrency);
        if self.silence.may_mean_down(now) {
            self.pace.pause(now + REST);
        }
        let went = is_silent && !self.outage.suspect_silence(now) && !self.down;
        self.down |= went;
        went
    }

    /// A task that was leased has been settled.
    pub(crate) fn settled(&mut self, task: &Task, rules: &Rules) {
        if !is_last(task, rules) {
            self.unsettled = self.unsettled.saturating_sub(1);
        }
        self.files = self.files.saturating_sub(usize::from(task.purpose.is_listing()));
    }

    /// A task is to be tried again at `at`: once more in its turn, and the last time after everything else.
    pub(crate) fn again(&mut self, task: Task, at: Duration, rules: &Rules) {
        if is_last(&task, rules) {
            self.last.push_back((at, task));
        } else {
            self.later.insert((at, task.seq), task);
        }
    }
}

/// Whether this try of the task is its last, of several: it comes after everything else, and alone.
fn is_last(task: &Task, rules: &Rules) -> bool {
    (task.timed || task.attempt >= rules.retries.max(1)) && task.purpose == Purpose::Page
}
