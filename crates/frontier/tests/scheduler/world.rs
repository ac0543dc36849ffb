//! A simulated crawl around a real scheduler: a web that responds by plan, a record that holds the queue, and commits,
//! reads and leases that interleave in any order that the engine allows.

use crate::accounts::{Accounts, origin_of};
use crate::plan::{Failure, Kind, Plan, RobotsPlan};
use mapwright_frontier::{Lease, Order, Refill, ResponseSignal, RetryCost, RobotsAnswer, Scheduler, Settlement};
use mapwright_model::{FetchMode, Lane, Purpose, Route, Task, TaskId, UrlId};
use mapwright_web::{PageUrl, Robots, UrlIdentity};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

/// Far more steps than any plan needs: a crawl that takes them does not end.
const MAX_STEPS: usize = 100_000;

pub(crate) struct World<'p> {
    plan: &'p Plan,
    pub(crate) scheduler: Scheduler,
    pub(crate) accounts: Accounts<'p>,
    now: Duration,
    chaos: u64,
    /// The queue as the record stores it.
    record: BTreeMap<(usize, u8, TaskId), Task>,
    next_seq: u64,
    in_flight: BTreeMap<(Duration, u64), (Task, ResponseSignal, Ending)>,
    ticket: u64,
    batch: Vec<(Task, Ending)>,
    commit: Option<Commit>,
    wish: Option<(Refill, Option<Vec<Task>>)>,
    page_of: HashMap<u32, usize>,
    requests: HashMap<usize, u16>,
    tried: HashMap<TaskId, usize>,
    seeds_left: usize,
}

/// The result of a visit.
#[derive(Clone)]
enum Ending {
    Done,
    /// Refused or dropped: settled without discoveries.
    Unseen,
    Retry {
        after: Option<Duration>,
        free: bool,
    },
    Robots(RobotsAnswer),
}

/// A batch that is in the record and not yet passed to the scheduler.
struct Commit {
    queued: Vec<Task>,
    settled: Vec<(Task, Ending)>,
}

type Check<T = ()> = Result<T, String>;

impl<'p> World<'p> {
    pub(crate) fn new(plan: &'p Plan) -> Self {
        Self {
            plan,
            scheduler: Scheduler::new(plan.rules()),
            accounts: Accounts::new(plan),
            now: Duration::ZERO,
            chaos: plan.chaos | 1,
            record: BTreeMap::new(),
            next_seq: 1,
            in_flight: BTreeMap::new(),
            ticket: 0,
            batch: Vec::new(),
            commit: None,
            wish: None,
            page_of: HashMap::new(),
            requests: HashMap::new(),
            tried: HashMap::new(),
            seeds_left: 0,
        }
    }

    /// Crawls to the end, and checks everything on the way.
    pub(crate) fn crawl(&mut self) -> Check {
        let seeds: Vec<usize> = (0..self.plan.pages.len()).filter(|at| self.plan.parent(*at).is_none()).collect();
        self.seeds_left = seeds.len();
        let queued = seeds.into_iter().map(|at| self.task(at, true)).collect();
        self.report(Commit { queued, settled: Vec::new() })?;
        for _ in 0..MAX_STEPS {
            if self.step()? {
                return self.at_the_end();
            }
        }
        Err("the crawl does not end".to_owned())
    }

    fn random(&mut self, below: u64) -> u64 {
        self.chaos ^= self.chaos << 13;
        self.chaos ^= self.chaos >> 7;
        self.chaos ^= self.chaos << 17;
        self.chaos % below
    }

    /// Makes one step of one of the two concurrent parts, the loop and the commit. Returns whether the crawl is over.
    fn step(&mut self) -> Check<bool> {
        if self.random(3) == 0 && self.step_commit()? {
            return Ok(false);
        }
        if let Some((wish, read)) = self.wish.take() {
            match read {
                None => {
                    let tasks = self.read(&wish);
                    self.wish = Some((wish, Some(tasks)));
                }
                Some(tasks) => self.scheduler.refill(&wish, tasks),
            }
            return Ok(false);
        }
        if let Some(wish) = self.scheduler.next_refill() {
            self.wish = Some((wish, None));
            return Ok(false);
        }
        let room = self.plan.room.saturating_sub(self.in_flight.len());
        if room == 0 {
            return self.wait(None);
        }
        match self.scheduler.lease(self.now, room) {
            Lease::Orders(orders) => self.carry_out(orders, room).map(|()| false),
            Lease::Idle { until, .. } => self.wait(until),
            Lease::Drained => self.drained(),
        }
    }

    fn carry_out(&mut self, orders: Vec<Order>, room: usize) -> Check {
        if orders.is_empty() || orders.len() > room {
            return Err(format!("{} orders for {room} places", orders.len()));
        }
        for order in orders {
            self.accounts.ordered(self.now, &order).map_err(|why| format!("{why}: {order:?} at {:?}", self.now))?;
            match order {
                Order::Fetch(task) => self.fetch(task),
                Order::HealthProbe(task) => self.probe(task),
                Order::Recall(task) | Order::Refuse(task, _) | Order::Drop(task) => {
                    self.batch.push((task, Ending::Unseen))
                }
            }
        }
        Ok(())
    }

    fn fetch(&mut self, task: Task) {
        let latency = Duration::from_millis(5 + self.random(200));
        let (signal, ending) = self.answer(&task, latency);
        self.ticket += 1;
        self.in_flight.insert((self.now + latency, self.ticket), (task, signal, ending));
    }

    /// Responds to a health probe, unless the origin is dead.
    fn probe(&mut self, task: Task) {
        let latency = Duration::from_millis(5 + self.random(200));
        let dies_after = self.plan.origins[origin_of(&task)].dies_after;
        let requests = self.requests.get(&origin_of(&task)).copied().unwrap_or_default();
        let dead = dies_after.is_some_and(|most| requests > most);
        let signal = ResponseSignal { first_byte: Some(latency).filter(|_| !dead), ..ResponseSignal::default() };
        self.ticket += 1;
        self.in_flight.insert((self.now + latency, self.ticket), (task, signal, Ending::Unseen));
    }

    fn answer(&mut self, task: &Task, latency: Duration) -> (ResponseSignal, Ending) {
        let good = ResponseSignal { first_byte: Some(latency), ..ResponseSignal::default() };
        let origin = &self.plan.origins[origin_of(task)];
        if task.purpose == Purpose::Robots {
            return (good, Ending::Robots(self.robots(task)));
        }
        let requests = self.requests.entry(origin_of(task)).or_default();
        *requests += 1;
        let dead = origin.dies_after.is_some_and(|most| *requests > most);
        let tried = self.tried.entry(task.task_id).or_default();
        *tried += 1;
        let failures = self.page_of.get(&task.url_id.unwrap().0).map_or(&[][..], |at| &self.plan.pages[*at].failures);
        let failure = if dead { Some(Failure::Silence) } else { failures.get(*tried - 1).copied() };
        let may_retry = task.tries.attempt < self.plan.retries;
        let again = |after| if may_retry { Ending::Retry { after, free: false } } else { Ending::Done };
        match failure {
            None => (good, Ending::Done),
            Some(Failure::Silence) => (ResponseSignal::default(), again(None)),
            Some(Failure::Reset) => {
                (ResponseSignal { connection_lost: true, ..ResponseSignal::default() }, again(None))
            }
            Some(Failure::Throttled(seconds)) => {
                let retry_after = seconds.map(|seconds| Duration::from_secs(u64::from(seconds)));
                (ResponseSignal { throttled: true, retry_after, ..good }, again(retry_after))
            }
            Some(Failure::Cookie) if !task.tries.to_itself && task.purpose == Purpose::Page => {
                (good, Ending::Retry { after: None, free: true })
            }
            Some(Failure::Cookie) => (good, Ending::Done),
        }
    }

    fn robots(&self, task: &Task) -> RobotsAnswer {
        let at = origin_of(task);
        let origin = &self.plan.origins[at];
        if task.route.hops < origin.hops {
            return RobotsAnswer::Hop(url(&format!("http://cdn{}.example/robots.txt", task.route.hops)));
        }
        if origin.failing && task.tries.attempt < self.plan.retries {
            return RobotsAnswer::Retry(None);
        }
        match origin.robots {
            RobotsPlan::Free => RobotsAnswer::Free,
            RobotsPlan::Rules(delay) => {
                let delay = delay.map(|seconds| format!("Crawl-delay: {seconds}\n")).unwrap_or_default();
                let text = format!("User-agent: *\nDisallow: /private\n{delay}");
                RobotsAnswer::Rules(Arc::new(Robots::compile(text.as_bytes())))
            }
            RobotsPlan::Status => RobotsAnswer::Status(503),
            RobotsPlan::Silent => RobotsAnswer::Silent("timed-out"),
        }
    }

    /// Waits with nothing to lease: a commit continues, a visit ends, or the time comes that the scheduler named.
    fn wait(&mut self, until: Option<Duration>) -> Check<bool> {
        if self.random(2) == 0 && self.step_commit()? {
            return Ok(false);
        }
        let next = self.in_flight.keys().next().copied();
        match (next, until) {
            (Some((at, _)), Some(until)) if until < at => self.now = self.now.max(until),
            (Some(key), _) => {
                let (task, signal, ending) = self.in_flight.remove(&key).unwrap();
                self.now = self.now.max(key.0);
                self.scheduler.ended(self.now, &task, &signal);
                self.accounts.ended(self.now, &task, &signal);
                self.batch.push((task, ending));
            }
            (None, _) if self.step_commit()? => {}
            (None, Some(until)) if until > self.now => self.now = until,
            (None, until) => return Err(format!("idle until {until:?} at {:?} with nothing under way", self.now)),
        }
        Ok(false)
    }

    /// The scheduler may report `Drained` only when nothing is leased, in flight or to be committed.
    fn drained(&mut self) -> Check<bool> {
        if !self.accounts.leased.is_empty() || !self.in_flight.is_empty() {
            return Err(format!("drained while {} are leased", self.accounts.leased.len()));
        }
        // The engine ends only once its last batch is committed, so it leases once more after that.
        Ok(!self.step_commit()?)
    }

    fn step_commit(&mut self) -> Check<bool> {
        if let Some(commit) = self.commit.take() {
            self.report(commit)?;
            return Ok(true);
        }
        if self.batch.is_empty() {
            return Ok(false);
        }
        let settled = std::mem::take(&mut self.batch);
        let mut queued = Vec::new();
        for (task, ending) in &settled {
            if matches!(ending, Ending::Done | Ending::Unseen) {
                self.record.remove(&key(task));
            }
            let at = task.url_id.and_then(|id| self.page_of.get(&id.0).copied());
            if let (Ending::Done, Some(at)) = (ending, at) {
                queued.extend(self.found_on(at, task));
            }
        }
        self.commit = Some(Commit { queued, settled });
        Ok(true)
    }

    /// Passes the results of a commit to the scheduler, as a frontier does: the queued tasks, then the settled ones.
    fn report(&mut self, commit: Commit) -> Check {
        for task in commit.queued {
            self.accounts.pushed(&task);
            self.scheduler.push(task);
        }
        for (task, ending) in commit.settled {
            self.settle(task, ending)?;
        }
        if self.seeds_left == 0 && !self.accounts.open {
            self.accounts.open = true;
            self.scheduler.open();
        }
        Ok(())
    }

    fn settle(&mut self, task: Task, ending: Ending) -> Check {
        let settlement = match ending {
            Ending::Done | Ending::Unseen => {
                self.accounts.done(&task)?;
                self.seeds_left -= usize::from(task.route.seed);
                Settlement::Done
            }
            Ending::Retry { after, free } => {
                self.accounts.again(self.now, &task, free, after)?;
                Settlement::Retry { after, cost: if free { RetryCost::Nothing } else { RetryCost::Try } }
            }
            Ending::Robots(answer) => {
                let waits = match &answer {
                    RobotsAnswer::Hop(_) => task.route.hops < 5,
                    RobotsAnswer::Retry(_) => true,
                    _ => false,
                };
                self.accounts.robots_settled(&task, !waits);
                Settlement::Robots(answer)
            }
        };
        self.scheduler.settle(self.now, task, settlement);
        Ok(())
    }

    /// Adds the URLs that a page leads to to the record.
    fn found_on(&mut self, at: usize, parent: &Task) -> Vec<Task> {
        let pages = self.plan.pages.len();
        let mut queued: Vec<Task> =
            (at + 1..pages).filter(|child| self.plan.parent(*child) == Some(at)).map(|c| self.task(c, false)).collect();
        for task in &mut queued {
            let same = task.lane == Lane::Redirect || self.page(task).is_some_and(|p| p.kind == Kind::Canonical);
            task.route.depth = parent.route.depth + u32::from(!same);
            self.note(task.clone());
        }
        if self.plan.order_matters() {
            let linked = |p: &usize| {
                let page = &self.plan.pages[*p];
                page.kind == Kind::Listed && page.linked_by == Some(at) && self.plan.parent(*p).is_some()
            };
            for again in (0..pages).filter(linked).collect::<Vec<_>>() {
                let mut task = Task { lane: Lane::Link, ..self.task(again, false) };
                task.route.depth = parent.route.depth + 1;
                self.note(task.clone());
                queued.push(task);
            }
        }
        if let Some((_, count)) = self.plan.flood.filter(|(page, _)| *page == at) {
            queued.extend((0..u32::from(count)).map(|n| self.flooded(at, n, parent.route.depth + 1)));
        }
        queued
    }

    fn page(&self, task: &Task) -> Option<&crate::plan::PagePlan> {
        task.url_id.and_then(|id| self.page_of.get(&id.0)).map(|at| &self.plan.pages[*at])
    }

    fn flooded(&mut self, at: usize, number: u32, depth: u32) -> Task {
        let origin = self.plan.pages[at].origin % self.plan.origins.len();
        let seq = self.seq();
        let url = url(&format!("http://o{origin}.example/flood/{number}"));
        let route = Route { depth, ..Route::default() };
        let task = Task { route, ..Task::new(seq, UrlId(1000 + number), url, Purpose::Page, Lane::Link) };
        self.note(task.clone());
        task
    }

    fn task(&mut self, at: usize, seed: bool) -> Task {
        let page = &self.plan.pages[at];
        let origin = page.origin % self.plan.origins.len();
        let folder = if page.private { "private" } else { "page" };
        let id = UrlId(at as u32 + 1);
        self.page_of.insert(id.0, at);
        let text = format!("http://o{origin}.example/{folder}/{at}");
        let remembered = !seed && page.kind.purpose() == Purpose::Page && at % 5 == 3;
        let mode = if remembered { FetchMode::Remembered } else { FetchMode::Plain };
        let route = Route { seed, named_by_robots: page.kind == Kind::InvitedSitemap, ..Route::default() };
        let task = Task { mode, route, ..Task::new(self.seq(), id, url(&text), page.kind.purpose(), page.kind.lane()) };
        if seed {
            self.note(task.clone());
        }
        task
    }

    fn seq(&mut self) -> u64 {
        self.next_seq += 1;
        self.next_seq - 1
    }

    fn note(&mut self, task: Task) {
        self.record.insert(key(&task), task);
    }

    fn read(&self, wish: &Refill) -> Vec<Task> {
        let origin: usize = wish.origin.host().trim_start_matches('o').trim_end_matches(".example").parse().unwrap();
        let lane = wish.lane.code();
        let range = (origin, lane, TaskId::Queued(wish.after + 1))..=(origin, lane, TaskId::Queued(u64::MAX));
        self.record.range(range).take(wish.count).map(|(_, task)| task.clone()).collect()
    }

    fn at_the_end(&self) -> Check {
        if let Some(task) = self.record.values().find(|task| !self.accounts.may_stay(task)) {
            return Err(format!("drained with {} tasks left, {task:?} among them", self.record.len()));
        }
        let queue = self.scheduler.queue_state();
        let down = self.accounts.origins.iter().filter(|account| account.down).count();
        let reported = (queue.queued, queue.pages, queue.down.len(), queue.budget_spent);
        let right = (self.record.len() as u64, self.accounts.pages, down, self.accounts.spent());
        if reported == right {
            Ok(())
        } else {
            Err(format!("at the end it reports {reported:?} where {right:?} is right"))
        }
    }
}

fn key(task: &Task) -> (usize, u8, TaskId) {
    (origin_of(task), task.lane.code(), task.task_id)
}

pub(crate) fn url(text: &str) -> PageUrl {
    PageUrl::parse(text, &UrlIdentity::default()).unwrap()
}
