//! The choice of the next URL: single-threaded and pure, with the time as an argument.

use crate::contract::{Lease, Order, QueueState, ResponseSignal};
use crate::origin_queue::{CrawlLimits, OriginQueue, Step};
use crate::pace::Pace;
use crate::rules::{Backlog, Refill, Rules};
use crate::turns::Turns;
use mapwright_model::{Lane, Purpose, Task};
use mapwright_web::Origin;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Duration;

mod page_requests;
mod settle;

/// Highest number of robots rules in memory, each file counting as [`FILE_WEIGHT`](crate::origin_queue::FILE_WEIGHT)
/// more: some 60 MB. Above it, the rules of idle origins are dropped and requested again when needed.
const MAX_RULES_HELD: usize = 200_000;

/// The scheduler of one crawl on one machine.
#[derive(Debug)]
pub struct Scheduler {
    rules: Rules,
    queues: Vec<OriginQueue>,
    index: HashMap<Origin, usize>,
    turns: Turns,
    /// The pace at origins that only pages request while their scripts run.
    guests: HashMap<Origin, Pace>,
    timers: BTreeSet<(Duration, usize)>,
    /// Origins whose windows may need a refill.
    low_queues: Vec<usize>,
    /// Unsettled page tasks, by depth; counted when crawling by depth.
    levels: BTreeMap<u32, u64>,
    /// Each depth is finished before the next begins: as the rules say, until an origin goes down.
    by_depth: bool,
    /// When crawling by depth: this depth has begun, even if lesser depths have unsettled tasks.
    overdue: u32,
    opening: bool,
    pages: u64,
    /// Pages of all origins in the crawl that responded, server errors apart.
    answered: u64,
    unsettled: u64,
    /// Tasks that are neither leased nor queued, because they wait for others.
    deferred: u64,
    /// Unsettled first tries of links and redirect hops: the pages that they lead to precede sitemap entries.
    links_unsettled: u64,
    tickets: u64,
    /// Origins for which a page of the budget is reserved: their robots.txt was requested for pages, and none was
    /// handed out since.
    reserved_pages: u64,
    rules_held: usize,
    /// Number of rules above which idle origins are searched for rules to drop.
    too_many_rules: usize,
    /// The set of URLs handed out, by ID: a URL that was moved forward is in two lanes, and is handed out once.
    handed_out: Vec<u64>,
}

impl Scheduler {
    /// Returns a scheduler without tasks. It hands out only start URLs until [`Scheduler::open`] is called.
    #[must_use]
    pub fn new(rules: Rules) -> Self {
        Self {
            by_depth: rules.by_depth,
            turns: Turns::new(rules.pace.concurrency),
            rules,
            queues: Vec::new(),
            index: HashMap::new(),
            guests: HashMap::new(),
            timers: BTreeSet::new(),
            low_queues: Vec::new(),
            levels: BTreeMap::new(),
            overdue: 0,
            opening: true,
            pages: 0,
            answered: 0,
            unsettled: 0,
            deferred: 0,
            links_unsettled: 0,
            tickets: 0,
            reserved_pages: 0,
            rules_held: 0,
            too_many_rules: MAX_RULES_HELD,
            handed_out: Vec::new(),
        }
    }

    /// Allows every task to be handed out from now on.
    pub fn open(&mut self) {
        self.opening = false;
        (0..self.queues.len()).for_each(|at| self.wake(at));
    }

    /// Adds a task that was just recorded as queued.
    pub fn push(&mut self, task: Task) {
        self.enter_level(&task);
        let at = self.queue_index(&task.url.origin());
        if let Some(origin_queue) = self.queues.get_mut(at) {
            origin_queue.push(task);
        }
        self.wake(at);
    }

    /// Resumes an interrupted run: `pages` were leased in it, and the record holds tasks, by origin and lane, and by
    /// depth.
    pub fn resume(&mut self, pages: u64, backlog: Vec<Backlog>, depths: &[(u32, u64)]) {
        self.pages = pages;
        if self.by_depth {
            self.levels.extend(depths.iter().copied());
        }
        for Backlog { origin, lane, count, named_by_robots, good } in backlog {
            let at = self.queue_index(&origin);
            if let Some(origin_queue) = self.queues.get_mut(at) {
                origin_queue.add_backlog(lane, count, named_by_robots, good);
            }
            self.low_queues.push(at);
            self.wake(at);
        }
    }

    /// Leases up to `room` orders at `now`; `room` is the number of free places.
    pub fn lease(&mut self, now: Duration, room: usize) -> Lease {
        self.ring_timers(now);
        self.turns.release();
        // Handing out links does not change this within one lease, since it settles none.
        let listed = self.listed_may_come();
        let mut orders = Vec::new();
        while orders.len() < room {
            let Some(at) = self.turns.next() else { break };
            let taken = self.queues.get(at).map_or(0, OriginQueue::in_flight);
            if !self.turns.may_take(taken, room - orders.len()) {
                self.turns.hold(at);
            } else if let Some(order) = self.request(at, now, listed) {
                orders.push(order);
                self.wake(at);
            }
        }
        if !orders.is_empty() {
            return Lease::Orders(orders);
        }
        let next = self.timers.first().map(|(time, _)| *time);
        if self.unsettled > 0 || next.is_some() || !self.turns.is_empty() {
            return Lease::Idle { until: next, starved: self.turns.any_starved() };
        }
        if self.forgo_claims() || self.descend() { self.lease(now, room) } else { Lease::Drained }
    }

    /// Gives pages of the budget that are reserved for origins without requests to other origins, once nothing is under
    /// way. Returns whether there are such pages.
    fn forgo_claims(&mut self) -> bool {
        if self.rules.max_urls.is_none() || self.spent() {
            return false;
        }
        self.reserved_pages = 0;
        let held = self.queues.iter_mut().map(OriginQueue::forgo).filter(|held| *held).count();
        self.wake_waiting();
        held > 0
    }

    /// Begins a deeper level when crawling by depth, once nothing is under way: the tasks of the current level wait in
    /// the record behind deeper pages, which go first so that the crawl never waits in vain. Returns whether there is
    /// such a level.
    fn descend(&mut self) -> bool {
        let CrawlLimits { opening, spent, depth, .. } = self.limits(false);
        if !self.by_depth || opening || spent {
            return false;
        }
        let nearest = self.queues.iter().filter_map(OriginQueue::nearest_link).filter(|nearest| *nearest > depth).min();
        let Some(nearest) = nearest else { return false };
        self.overdue = nearest;
        (0..self.queues.len()).for_each(|at| self.wake(at));
        true
    }

    /// Notes that the request of a task has ended.
    pub fn ended(&mut self, now: Duration, task: &Task, signal: &ResponseSignal) {
        let at = self.queue_of_task(task);
        let good = signal.first_byte.is_some() && !signal.rejected && !signal.irrelevant;
        self.answered += u64::from(good && task.purpose == Purpose::Page);
        if let Some(origin_queue) = self.queues.get_mut(at)
            && origin_queue.ended(now, task, signal, &self.rules, self.answered)
        {
            self.went_down();
        }
        self.wake(at);
    }

    /// Ends crawling by depth: the queue of a down origin stays, so no depth of it will ever be finished.
    fn went_down(&mut self) {
        self.by_depth = false;
        (0..self.queues.len()).for_each(|at| self.wake(at));
    }

    /// Wakes the origins that have queued tasks.
    fn wake_waiting(&mut self) {
        for at in 0..self.queues.len() {
            if self.queues.get(at).is_some_and(|origin_queue| origin_queue.queued() > 0) {
                self.wake(at);
            }
        }
    }

    /// Returns the next request for tasks that the record holds; answer it with [`Scheduler::refill`].
    pub fn next_refill(&mut self) -> Option<Refill> {
        while let Some(at) = self.low_queues.last().copied() {
            let Some(origin_queue) = self.queues.get_mut(at) else { break };
            if let Some((lane, after, count)) = origin_queue.lanes.next_refill() {
                return Some(Refill { origin: origin_queue.origin.clone(), lane, after, count });
            }
            self.low_queues.pop();
        }
        None
    }

    /// Adds the tasks of a refill; fewer tasks than requested mean that the record holds no more.
    pub fn refill(&mut self, request: &Refill, tasks: Vec<Task>) {
        let at = self.queue_index(&request.origin);
        if let Some(origin_queue) = self.queues.get_mut(at) {
            origin_queue.lanes.of(request.lane).refill(tasks, request.count);
        }
        self.wake(at);
    }

    /// Returns the state of the queue.
    #[must_use]
    pub fn queue_state(&self) -> QueueState {
        QueueState {
            queued: self.queues.iter().map(OriginQueue::queued).sum::<u64>() + self.deferred,
            pages: self.pages,
            down: self.queues.iter().filter(|s| s.down).map(|s| s.origin.to_string()).collect(),
            budget_spent: self.spent(),
        }
    }

    fn spent(&self) -> bool {
        self.rules.max_urls.is_some_and(|most| self.pages >= most)
    }

    /// Returns the limits of the entire crawl now; `listed`: see [`Scheduler::listed_may_come`].
    fn limits(&self, listed: bool) -> CrawlLimits {
        let depth = self.level().map_or(u32::MAX, |level| level.max(self.overdue));
        let robots = self.rules.max_urls.is_none_or(|most| self.pages + self.reserved_pages < most);
        CrawlLimits { opening: self.opening, spent: self.spent(), robots, depth, listed }
    }

    /// Returns the least depth with unsettled pages, when crawling by depth.
    fn level(&self) -> Option<u32> {
        self.levels.keys().next().copied().filter(|_| self.by_depth)
    }

    /// Reports whether URLs that only sitemaps list have their turn: no link or redirect hop is unsettled, or queued at
    /// an origin that is up.
    fn listed_may_come(&self) -> bool {
        !self.rules.order_matters() || (self.links_unsettled == 0 && !self.queues.iter().any(OriginQueue::links_wait))
    }

    fn request(&mut self, at: usize, now: Duration, listed: bool) -> Option<Order> {
        let limits = self.limits(listed);
        self.tickets += 1;
        let origin_queue = self.queues.get_mut(at)?;
        let claimed = origin_queue.reserves_page();
        let step = origin_queue.next(now, &self.rules, limits, self.tickets);
        self.reserved_pages =
            self.reserved_pages.saturating_sub(u64::from(claimed)) + u64::from(origin_queue.reserves_page());
        match step {
            Step::Do(order) => {
                self.low_queues.push(at);
                return Some(self.leased(at, now, order));
            }
            Step::Wait(until) => {
                self.timers.insert((until, at));
            }
            Step::Park => {}
        }
        self.turns.rest(at, origin_queue.rest(now));
        None
    }

    /// Reports whether this is the first try of a URL that was handed out before, and marks the URL.
    fn is_repeat(&mut self, task: &Task) -> bool {
        let (true, true, Some(id)) = (task.purpose == Purpose::Page, task.is_first(), task.url_id) else {
            return false;
        };
        let (word, bit) = (id.0 as usize / 64, 1_u64 << (id.0 % 64));
        if word >= self.handed_out.len() {
            self.handed_out.resize(word + 1, 0);
        }
        let Some(word) = self.handed_out.get_mut(word) else { return false };
        let repeat = *word & bit != 0;
        *word |= bit;
        repeat
    }

    /// Counts an order as leased. A repeat becomes an order to drop the task.
    fn leased(&mut self, at: usize, now: Duration, order: Order) -> Order {
        self.unsettled += 1;
        let (Order::Fetch(task)
        | Order::HealthProbe(task)
        | Order::Recall(task)
        | Order::Refuse(task, _)
        | Order::Drop(task)) = &order;
        self.links_unsettled += u64::from(is_first_of_link(task));
        let repeat = match &order {
            Order::Fetch(task) | Order::Recall(task) | Order::Refuse(task, _) => {
                self.rules.order_matters() && self.is_repeat(task)
            }
            Order::Drop(_) | Order::HealthProbe(_) => false,
        };
        match order {
            Order::Fetch(task) if repeat => {
                let none = ResponseSignal { irrelevant: true, ..ResponseSignal::default() };
                if let Some(origin_queue) = self.queues.get_mut(at) {
                    origin_queue.ended(now, &task, &none, &self.rules, self.answered);
                }
                Order::Drop(task)
            }
            Order::Recall(task) | Order::Refuse(task, _) if repeat => Order::Drop(task),
            Order::Refuse(..) | Order::Drop(_) | Order::HealthProbe(_) => order,
            // A remembered page counts like a requested one, so that each run of the crawl covers the same pages.
            Order::Fetch(ref task) | Order::Recall(ref task) => {
                self.pages += u64::from(task.purpose == Purpose::Page && task.is_first());
                order
            }
        }
    }

    /// Reports whether a task counts for its depth.
    fn has_level(&self, task: &Task) -> bool {
        self.by_depth && task.purpose == Purpose::Page && task.lane != Lane::Listed
    }

    fn enter_level(&mut self, task: &Task) {
        if self.has_level(task) {
            *self.levels.entry(task.route.depth).or_default() += 1;
        }
    }

    fn leave_level(&mut self, task: &Task) {
        if !self.has_level(task) {
            return;
        }
        if let Some(count) = self.levels.get_mut(&task.route.depth) {
            *count -= 1;
            if *count == 0 {
                self.levels.remove(&task.route.depth);
            }
        }
    }

    /// Returns the origin of a task: for a robots file, the one whose rules are requested.
    fn queue_of_task(&mut self, task: &Task) -> usize {
        let origin = task.robots_of.clone().unwrap_or_else(|| task.url.origin());
        self.queue_index(&origin)
    }

    fn queue_index(&mut self, origin: &Origin) -> usize {
        if let Some(at) = self.index.get(origin) {
            return *at;
        }
        let at = self.queues.len();
        self.queues.push(OriginQueue::new(origin.clone(), &self.rules));
        self.turns.add();
        self.index.insert(origin.clone(), at);
        at
    }

    fn wake(&mut self, at: usize) {
        let ours = self.queues.get(at).is_some_and(OriginQueue::is_ours);
        self.turns.wake(at, ours);
    }

    fn ring_timers(&mut self, now: Duration) {
        while let Some((time, at)) = self.timers.first().copied().filter(|(time, _)| *time <= now) {
            self.timers.remove(&(time, at));
            self.wake(at);
        }
    }
}

/// Reports whether this is the first try of a page that a link or a redirect leads to.
fn is_first_of_link(task: &Task) -> bool {
    let is_first = task.tries.attempt == 0 && !task.tries.timed;
    task.purpose == Purpose::Page && is_first && matches!(task.lane, Lane::Redirect | Lane::Link)
}

#[cfg(test)]
mod tests;
