//! The queue and limits of one origin: its lanes, its robots gate, its pace, and the choice of the next request.

use crate::contract::{Order, ResponseSignal};
use crate::lanes::Lanes;
use crate::last_tries::LastTries;
use crate::outage::Outage;
use crate::pace::Pace;
use crate::rate_limit::Try;
use crate::robots_gate::RobotsState;
use crate::rules::Rules;
use crate::silence::Silence;
use mapwright_model::{FetchMode, Lane, Purpose, Task, TaskId};
use mapwright_web::{Origin, PageUrl, Spelling};
use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

mod choice;
mod health_probe;
mod robots;

/// Weight of a robots file beside its rules, in rules.
pub(crate) const FILE_WEIGHT: usize = 100;

/// The next step of an origin at one moment.
#[derive(Debug)]
pub(crate) enum Step {
    /// Carry out this order.
    Do(Order),
    /// Do nothing before this time.
    Wait(Duration),
    /// Do nothing until an event of the origin.
    Park,
}

/// The limits of the entire crawl at one moment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CrawlLimits {
    /// Only start URLs may be fetched so far.
    pub(crate) opening: bool,
    /// The budget of URLs is spent: no page is requested for the first time.
    pub(crate) spent: bool,
    /// The budget has a page left that is not reserved for an origin whose robots.txt was requested, so further robots
    /// files may be requested.
    pub(crate) robots: bool,
    /// Links deeper than this wait until all shallower ones are settled.
    pub(crate) depth: u32,
    /// URLs known only from sitemaps and feeds may be fetched: everything before them is done.
    pub(crate) listed: bool,
}

/// Pause of an origin that gives no responses.
const REST: Duration = Duration::from_millis(500);

/// One origin of the crawl.
#[derive(Debug)]
pub(crate) struct OriginQueue {
    pub(crate) origin: Origin,
    pub(crate) lanes: Lanes,
    pub(crate) down: bool,
    gate: RobotsState,
    pub(crate) pace: Pace,
    silence: Silence,
    outage: Outage,
    /// Retries, by the earliest time of each.
    later: BTreeMap<(Duration, TaskId), Task>,
    /// Last tries, which come after everything else.
    last: VecDeque<(Duration, Task)>,
    last_tries: LastTries,
    in_flight: usize,
    /// The request in flight must be the only one.
    alone: bool,
    prerequisites_in_flight: usize,
    /// Pages to request in return for prerequisites that preceded them.
    owed: usize,
    /// Leased and unsettled tasks, without last tries.
    unsettled: usize,
    /// Unsettled sitemaps and feeds.
    files: usize,
    /// Queued tasks that need no robots.txt.
    named_by_robots: u64,
    /// The origin belongs to the crawl; of other sites, only single links are checked.
    ours: bool,
    /// A page of the budget is reserved for the origin: its robots.txt was requested for pages, and none was handed out
    /// since.
    reserves_page: bool,
    /// Its robots.txt was not requested, since the remaining budget is reserved for other origins.
    held: bool,
}

impl OriginQueue {
    pub(crate) fn new(origin: Origin, rules: &Rules) -> Self {
        Self {
            origin,
            lanes: Lanes::default(),
            down: false,
            gate: RobotsState::new(),
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
            named_by_robots: 0,
            ours: false,
            reserves_page: false,
            held: false,
        }
    }

    /// Reports whether anything but checks of external links was ever queued here.
    pub(crate) fn is_ours(&self) -> bool {
        self.ours
    }

    /// Reports whether a page of the budget is reserved for the origin.
    pub(crate) fn reserves_page(&self) -> bool {
        self.reserves_page
    }

    /// Gives up the reserved page of the budget. Returns whether the origin waited for others to give up theirs.
    pub(crate) fn forgo(&mut self) -> bool {
        self.reserves_page = false;
        std::mem::take(&mut self.held)
    }

    /// Reports whether the origin limits the rate below what was requested.
    pub(crate) fn is_exceeded(&self) -> bool {
        self.pace.is_exceeded()
    }

    /// Returns the number of requests in flight.
    pub(crate) fn in_flight(&self) -> usize {
        self.in_flight
    }

    /// Reports whether responses or commits are outstanding.
    pub(crate) fn is_busy(&self) -> bool {
        self.in_flight > 0 || self.unsettled > 0
    }

    /// Returns the number of tasks queued here and not leased.
    pub(crate) fn queued(&self) -> u64 {
        self.lanes.len() + self.later.len() as u64 + self.last.len() as u64
    }

    /// Returns the least depth of the queued links; `None` without links, or while the origin is down.
    pub(crate) fn nearest_link(&self) -> Option<u32> {
        if self.down { None } else { self.lanes.nearest_link() }
    }

    /// Reports whether links or redirect hops are queued here and the origin is up.
    pub(crate) fn links_wait(&self) -> bool {
        !self.down && self.lanes.links() > 0
    }

    /// Reports whether nothing is queued, leased or unsettled, so that the rules may be dropped.
    pub(crate) fn is_idle(&self) -> bool {
        self.queued() == 0 && !self.is_busy()
    }

    /// Reports whether the robots rules are in memory.
    pub(crate) fn holds_rules(&self) -> bool {
        matches!(self.gate, RobotsState::Rules(_))
    }

    /// Returns the weight of its rules: their number plus a constant per file; 0 without rules.
    pub(crate) fn weight(&self) -> usize {
        if let RobotsState::Rules(robots) = &self.gate { FILE_WEIGHT + robots.count() } else { 0 }
    }

    /// Drops the rules; robots.txt is requested again when it is needed.
    pub(crate) fn forget_rules(&mut self) {
        self.gate = RobotsState::new();
    }

    pub(crate) fn push(&mut self, task: Task) {
        self.ours |= task.purpose != Purpose::External;
        self.named_by_robots += u64::from(task.route.named_by_robots);
        self.lanes.of(task.lane).push(task);
    }

    /// Notes that the record holds `count` tasks of this lane, `named_by_robots` of them named by robots.txt; `good` is
    /// a page that responded well in the resumed run.
    pub(crate) fn add_backlog(&mut self, lane: Lane, count: u64, named_by_robots: u64, good: Option<PageUrl>) {
        self.ours |= lane != Lane::Check;
        good.into_iter().for_each(|good| self.outage.answered_before(good));
        self.named_by_robots += named_by_robots;
        self.lanes.of(lane).add_backlog(count);
    }

    /// Turns a task into an order. A task that robots.txt forbids takes no place.
    fn order(&mut self, mut task: Task, now: Duration, rules: &Rules) -> Order {
        self.named_by_robots -= u64::from(task.route.named_by_robots && self.named_by_robots > 0 && task.is_first());
        if !is_last(&task, rules) {
            self.unsettled += 1;
        }
        self.files += usize::from(task.purpose.is_listing());
        self.reserves_page &= task.purpose != Purpose::Page;
        let bound = task.purpose != Purpose::Robots && !task.route.named_by_robots && !rules.ignore_robots;
        let spelt = task.spelling.as_ref().and_then(Spelling::for_robots);
        let url = spelt.as_ref().unwrap_or(&task.url);
        if let Some(refusal) = bound.then(|| self.gate.refuses(&rules.agent, url)).flatten() {
            return Order::Refuse(task, refusal);
        }
        if task.mode == FetchMode::Remembered {
            return Order::Recall(task);
        }
        let is_alone = self.pace.places() == 1 || is_last(&task, rules) && !self.last_tries.go_together(now);
        task.tries.alone = is_alone && self.in_flight == 0;
        self.alone = task.tries.alone;
        self.in_flight += 1;
        self.prerequisites_in_flight += usize::from(task.purpose.is_prerequisite());
        self.pace.start(now, self.in_flight);
        Order::Fetch(task)
    }

    /// Notes that a request has ended; `others` are the good responses of all origins. Returns whether the origin went
    /// down by it.
    pub(crate) fn ended(
        &mut self,
        now: Duration,
        task: &Task,
        signal: &ResponseSignal,
        rules: &Rules,
        others: u64,
    ) -> bool {
        self.in_flight = self.in_flight.saturating_sub(1);
        self.alone = false;
        if is_last(task, rules) {
            self.last_tries.ended(now, signal);
        }
        if task.is_health_probe() {
            return self.probe_answered(now, signal, rules, others);
        }
        if task.purpose.is_prerequisite() {
            self.prerequisites_in_flight = self.prerequisites_in_flight.saturating_sub(1);
        }
        // Robots files and sitemaps are often static files: their response time says nothing about that of pages.
        let first_byte = signal.first_byte.filter(|_| !task.purpose.is_prerequisite());
        let which = match () {
            () if signal.connection_lost && self.silence.may_mean_down(now) => Try::InSilence,
            () if task.failed_before() => Try::Further,
            () => Try::First,
        };
        self.pace.learn(now, which, &ResponseSignal { first_byte, ..*signal }, &rules.pace);
        // An external site that is down ends nothing.
        if signal.irrelevant || task.purpose.is_target() {
            return false;
        }
        if signal.first_byte.is_some() {
            if self.silence.broken() {
                self.pace.answers_again(now);
            }
            self.outage.heard();
            match (task.purpose, signal.rejected) {
                (Purpose::Page, true) => self.outage.refused(now, task.is_first(), signal.throttled, others),
                (Purpose::Page, false) => self.outage.answered(&task.url),
                _ => {}
            }
            return false;
        }
        if !signal.connection_lost {
            self.pace.stalled(now);
        }
        // Retries of a failed page prove nothing.
        if task.failed_before() {
            return false;
        }
        let is_silent = self.silence.lasts(now, task.url_id, rules.pace.concurrency);
        if self.silence.may_mean_down(now) {
            self.pace.pause(now + REST);
        }
        let went = is_silent && !self.outage.suspect_silence(now) && !self.down;
        self.down |= went;
        went
    }

    /// Notes that a leased task has been settled.
    pub(crate) fn settled(&mut self, task: &Task, rules: &Rules) {
        if !is_last(task, rules) {
            self.unsettled = self.unsettled.saturating_sub(1);
        }
        self.files = self.files.saturating_sub(usize::from(task.purpose.is_listing()));
    }

    /// Queues a retry for the time `at`; a last try comes after everything else.
    pub(crate) fn again(&mut self, task: Task, at: Duration, rules: &Rules) {
        if is_last(&task, rules) {
            self.last.push_back((at, task));
        } else {
            self.later.insert((at, task.task_id), task);
        }
    }
}

/// Reports whether this try is the task's last of several: it comes after everything else, and alone.
fn is_last(task: &Task, rules: &Rules) -> bool {
    (task.tries.timed || task.tries.attempt >= rules.retries.max(1)) && task.purpose == Purpose::Page
}
