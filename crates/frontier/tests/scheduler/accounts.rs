//! The invariants of every order, checked against accounts that are kept beside the scheduler.

use crate::pace::Pace;
use crate::plan::{Plan, RETRY_AFTER_CAP, RobotsPlan};
use mapwright_frontier::{Order, ResponseSignal};
use mapwright_model::{FetchMode, Lane, Purpose, Refusal, Task, TaskId};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Duration;

/// The place in which a task of an origin waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum QueuePosition {
    Lane(Lane),
    Later,
    Last,
}

/// The account of one origin.
#[derive(Debug)]
pub(crate) struct Account {
    pub(crate) robots_known: bool,
    pub(crate) down: bool,
    pace: Pace,
    in_flight: usize,
    /// Tasks that wait, by place.
    waiting: [usize; 6],
    /// Leased and unsettled tasks, without last tries.
    unsettled: usize,
    prerequisites_in_a_row: usize,
    /// URLs in a row that got no response on their first request.
    silent: HashSet<u32>,
    /// Time since which it gives no responses.
    silent_since: Option<Duration>,
    /// A page of it responded well.
    good: bool,
    /// Health probes in a row without a response.
    probes_failed: u32,
    /// The request in flight must be the only one.
    alone: bool,
    last_failed: u32,
}

/// Fewest distinct URLs without a response that cause a health probe.
const SUSPECT: usize = 10;
/// Health probes without a response that prove an origin down.
const PROVEN: u32 = 2;
/// Failures in a row up to which last tries are made alone.
const TOGETHER: u32 = 8;

#[derive(Debug)]
pub(crate) struct Accounts<'p> {
    plan: &'p Plan,
    pub(crate) origins: Vec<Account>,
    /// Tasks leased and not settled.
    pub(crate) leased: HashSet<TaskId>,
    requesting: HashSet<usize>,
    /// URLs handed out, where each may be in two lanes.
    handed_out: HashSet<u32>,
    /// Known and unsettled pages, without those that only a sitemap lists.
    levels: BTreeMap<u32, usize>,
    /// Retries, not before this time.
    not_before: HashMap<TaskId, Duration>,
    pub(crate) pages: u64,
    pub(crate) open: bool,
    /// More tasks waited in one lane than its window holds, so tasks out of order may be outside it.
    pub(crate) overflowed: bool,
}

type Check = Result<(), String>;

fn ensure(holds: bool, why: impl FnOnce() -> String) -> Check {
    if holds { Ok(()) } else { Err(why()) }
}

fn slot(place: QueuePosition) -> usize {
    match place {
        QueuePosition::Lane(lane) => usize::from(lane.code()),
        QueuePosition::Later => 4,
        QueuePosition::Last => 5,
    }
}

pub(crate) fn origin_of(task: &Task) -> usize {
    let origin = task.robots_of.clone().unwrap_or_else(|| task.url.origin());
    origin.host().trim_start_matches('o').trim_end_matches(".example").parse().unwrap()
}

impl Account {
    /// A request is sent.
    fn starts(&mut self, now: Duration, alone: bool) -> Check {
        ensure(!self.alone, || "beside a request that is to be alone".to_owned())?;
        self.pace.start(now, self.in_flight)?;
        self.in_flight += 1;
        self.alone = alone;
        Ok(())
    }
}

impl<'p> Accounts<'p> {
    pub(crate) fn new(plan: &'p Plan) -> Self {
        let account = || Account {
            robots_known: false,
            down: false,
            pace: Pace::new(plan.concurrency, Duration::from_millis(plan.interval)),
            in_flight: 0,
            waiting: [0; 6],
            unsettled: 0,
            prerequisites_in_a_row: 0,
            silent: HashSet::new(),
            silent_since: None,
            good: false,
            probes_failed: 0,
            alone: false,
            last_failed: 0,
        };
        Self {
            plan,
            origins: plan.origins.iter().map(|_| account()).collect(),
            leased: HashSet::new(),
            requesting: HashSet::new(),
            handed_out: HashSet::new(),
            levels: BTreeMap::new(),
            not_before: HashMap::new(),
            pages: 0,
            open: false,
            overflowed: false,
        }
    }

    pub(crate) fn spent(&self) -> bool {
        self.plan.max_urls.is_some_and(|most| self.pages >= most)
    }

    fn is_last(&self, task: &Task) -> bool {
        task.tries.attempt >= self.plan.retries.max(1) && task.purpose == Purpose::Page
    }

    fn any_down(&self) -> bool {
        self.origins.iter().any(|account| account.down)
    }

    pub(crate) fn pushed(&mut self, task: &Task) {
        if task.purpose == Purpose::Page && task.lane != Lane::Listed {
            *self.levels.entry(task.route.depth).or_default() += 1;
        }
        let waiting = &mut self.origins[origin_of(task)].waiting[slot(QueuePosition::Lane(task.lane))];
        *waiting += 1;
        self.overflowed |= *waiting > 300;
    }

    pub(crate) fn ordered(&mut self, now: Duration, order: &Order) -> Check {
        let (Order::Fetch(task)
        | Order::HealthProbe(task)
        | Order::Recall(task)
        | Order::Refuse(task, _)
        | Order::Drop(task)) = order;
        if task.purpose == Purpose::Robots {
            return self.robots_ordered(now, task, matches!(order, Order::Fetch(_)));
        }
        ensure(self.leased.insert(task.task_id), || "a task is leased that is leased already".to_owned())?;
        if matches!(order, Order::HealthProbe(_)) {
            return self.probed(now, task);
        }
        let place = match task {
            _ if self.is_last(task) => QueuePosition::Last,
            _ if task.tries.attempt > 0 || task.tries.to_itself => QueuePosition::Later,
            _ => QueuePosition::Lane(task.lane),
        };
        self.in_turn(now, task, place)?;
        let is_last = self.is_last(task);
        let at = origin_of(task);
        let first_try = task.purpose == Purpose::Page && matches!(place, QueuePosition::Lane(_));
        self.first_or_repeat(task, order, first_try)?;
        let account = &mut self.origins[at];
        account.unsettled += usize::from(!is_last);
        account.waiting[slot(place)] -= 1;
        match order {
            Order::Fetch(_) => {
                ensure(task.mode != FetchMode::Remembered, || "fetched, though it is not to be requested".to_owned())?;
                self.may_be_fetched(task, at)?;
                self.pages += u64::from(first_try);
                ensure(self.plan.max_urls.is_none_or(|most| self.pages <= most), || "beyond --max-urls".to_owned())?;
                let account = &mut self.origins[at];
                let by_itself = task.tries.alone || account.last_failed >= TOGETHER || !is_last;
                ensure(by_itself, || "a last try beside others".to_owned())?;
                ensure(!task.tries.alone || account.in_flight == 0, || "not alone".to_owned())?;
                account.starts(now, task.tries.alone)
            }
            Order::Recall(_) => {
                // A remembered page takes no place, and counts like a page that is requested.
                ensure(task.mode == FetchMode::Remembered, || "recalled, though it is to be requested".to_owned())?;
                self.pages += u64::from(first_try);
                ensure(self.plan.max_urls.is_none_or(|most| self.pages <= most), || "beyond --max-urls".to_owned())
            }
            Order::Refuse(_, refusal) => self.rightly_refused(task, at, refusal),
            Order::HealthProbe(_) => Err("no page's place".to_owned()),
            Order::Drop(_) => ensure(self.plan.order_matters(), || "let go without need".to_owned()),
        }
    }

    /// A health probe of an origin that gives many pages no response, and gave one before.
    fn probed(&mut self, now: Duration, task: &Task) -> Check {
        let account = &mut self.origins[origin_of(task)];
        ensure(account.good && account.silent.len() >= SUSPECT, || "probed without need".to_owned())?;
        ensure(account.in_flight == 0, || "a health probe beside others".to_owned())?;
        account.unsettled += 1;
        account.starts(now, false)
    }

    /// A URL that is in two lanes is handed out once, and its other task is dropped.
    fn first_or_repeat(&mut self, task: &Task, order: &Order, first_try: bool) -> Check {
        if !self.plan.order_matters() || !first_try {
            return ensure(!matches!(order, Order::Drop(_)), || "let go on a further try".to_owned());
        }
        let fresh = self.handed_out.insert(task.url_id.unwrap().0);
        ensure(fresh != matches!(order, Order::Drop(_)), || "handed out twice, or let go at first".to_owned())
    }

    fn robots_ordered(&mut self, now: Duration, task: &Task, fetch: bool) -> Check {
        let at = origin_of(task);
        ensure(fetch, || "a robots file is refused".to_owned())?;
        ensure(self.requesting.insert(at), || "two requests for one origin's robots.txt at once".to_owned())?;
        let account = &mut self.origins[at];
        ensure(!account.robots_known, || "robots.txt is requested though it is known".to_owned())?;
        ensure(!account.down, || "an origin is requested that is down".to_owned())?;
        account.unsettled += 1;
        account.starts(now, task.tries.alone)
    }

    /// The order of lanes, of depths, and of first tries and retries.
    fn in_turn(&mut self, now: Duration, task: &Task, place: QueuePosition) -> Check {
        ensure(self.open || task.route.seed, || "no start URL, and the scope is not settled".to_owned())?;
        if let Some(time) = self.not_before.remove(&task.task_id) {
            ensure(now >= time, || format!("tried again at {now:?}, before {time:?}"))?;
        }
        let spent = self.spent();
        let account = &mut self.origins[origin_of(task)];
        let waits = |lane: Lane| account.waiting[slot(QueuePosition::Lane(lane))] > 0;
        ensure(!account.down, || "an origin is requested that is down".to_owned())?;
        match place {
            QueuePosition::Lane(Lane::Prerequisite) => {
                // Where a budget or the depth makes the order matter, links may hold back sitemap entries.
                let in_order = self.plan.max_urls.is_some() || self.plan.by_depth;
                let pages = waits(Lane::Redirect) || waits(Lane::Link) || waits(Lane::Listed) && !in_order;
                account.prerequisites_in_a_row += 1;
                if !pages || !account.robots_known {
                    account.prerequisites_in_a_row = 0;
                }
                let most = (self.plan.concurrency / 4).max(1);
                let starved = account.prerequisites_in_a_row > most && !self.plan.by_depth;
                ensure(!starved, || format!("more than {most} prerequisites in a row while pages wait"))?;
            }
            QueuePosition::Lane(lane) => {
                account.prerequisites_in_a_row = 0;
                ensure(!spent, || "a first try though the budget is spent".to_owned())?;
                let before = Lane::ALL.into_iter().filter(|other| *other != Lane::Prerequisite && *other < lane);
                let skipped: Vec<Lane> = before.filter(|other| waits(*other)).collect();
                ensure(!self.open || skipped.is_empty(), || format!("{lane:?} before {skipped:?}"))?;
            }
            QueuePosition::Later => {}
            QueuePosition::Last if spent || self.plan.by_depth || !self.open => {}
            QueuePosition::Last => {
                let others: usize = account.waiting[..5].iter().sum();
                let none_left = others == 0 && account.unsettled == 0;
                ensure(none_left, || format!("a last try before {others} others, {} unsettled", account.unsettled))?;
            }
        }
        self.in_depth(task, place)
    }

    fn in_depth(&self, task: &Task, place: QueuePosition) -> Check {
        let ordered =
            self.plan.by_depth && place == QueuePosition::Lane(Lane::Link) && !self.overflowed && !self.any_down();
        let least = self.levels.keys().next().copied().unwrap_or_default();
        ensure(!ordered || task.route.depth <= least, || {
            format!("depth {} before depth {least} is done", task.route.depth)
        })
    }

    fn may_be_fetched(&self, task: &Task, at: usize) -> Check {
        if task.route.named_by_robots {
            return Ok(());
        }
        ensure(self.origins[at].robots_known, || "fetched before robots.txt is known".to_owned())?;
        let refused = self.refused(task, at);
        ensure(!refused, || "fetched against robots.txt".to_owned())
    }

    fn refused(&self, task: &Task, at: usize) -> bool {
        let origin = &self.plan.origins[at];
        match origin.robots {
            _ if origin.hops > 5 => false,
            RobotsPlan::Free => false,
            RobotsPlan::Rules(_) => task.url.path().starts_with("/private"),
            RobotsPlan::Status | RobotsPlan::Silent => true,
        }
    }

    fn rightly_refused(&self, task: &Task, at: usize, refusal: &Refusal) -> Check {
        let account = &self.origins[at];
        let right = match (&self.plan.origins[at].robots, refusal) {
            (RobotsPlan::Rules(_), Refusal::Rule(Some(line))) => line.text == "Disallow: /private",
            (RobotsPlan::Status, Refusal::RobotsStatus(503)) => true,
            (RobotsPlan::Silent, Refusal::RobotsSilent("timed-out")) => true,
            _ => false,
        };
        let right = right && account.robots_known && !task.route.named_by_robots && self.refused(task, at);
        ensure(right, || format!("refused for {refusal:?}"))
    }

    pub(crate) fn ended(&mut self, now: Duration, task: &Task, signal: &ResponseSignal) {
        let (is_last, concurrency) = (self.is_last(task), self.plan.concurrency);
        let account = &mut self.origins[origin_of(task)];
        account.in_flight -= 1;
        account.alone = false;
        let answered = signal.first_byte.is_some();
        if is_last {
            account.last_failed = if answered { 0 } else { account.last_failed + 1 };
        }
        if task.purpose == Purpose::Probe && !answered {
            account.probes_failed += 1;
            account.down |= account.probes_failed >= PROVEN;
            return;
        }
        if task.purpose != Purpose::Probe {
            account.pace.learn(now, signal);
        }
        if answered {
            account.good |= task.purpose == Purpose::Page;
            account.silent.clear();
            account.silent_since = None;
            account.probes_failed = 0;
        } else if let Some(id) = task.url_id.filter(|_| task.tries.attempt == 0) {
            account.silent.insert(id.0);
            let since = *account.silent_since.get_or_insert(now);
            let many = account.silent.len() >= 20.max(2 * concurrency);
            account.down |= !account.good && many && now >= since + Duration::from_secs(10);
        }
    }

    /// A task is settled for good.
    pub(crate) fn done(&mut self, task: &Task) -> Check {
        if task.purpose == Purpose::Page && task.lane != Lane::Listed {
            let count = self.levels.get_mut(&task.route.depth).unwrap();
            *count -= 1;
            if *count == 0 {
                self.levels.remove(&task.route.depth);
            }
        }
        self.released(task)
    }

    pub(crate) fn again(&mut self, now: Duration, task: &Task, free: bool, after: Option<Duration>) -> Check {
        self.released(task)?;
        let mut next = task.clone();
        next.tries.attempt += u8::from(!free);
        let place = if self.is_last(&next) { QueuePosition::Last } else { QueuePosition::Later };
        self.origins[origin_of(task)].waiting[slot(place)] += 1;
        self.not_before.insert(task.task_id, now + after.unwrap_or_default().min(RETRY_AFTER_CAP));
        Ok(())
    }

    fn released(&mut self, task: &Task) -> Check {
        let last = self.is_last(task);
        self.origins[origin_of(task)].unsettled -= usize::from(!last);
        ensure(self.leased.remove(&task.task_id), || "settled without having been leased".to_owned())
    }

    pub(crate) fn robots_settled(&mut self, task: &Task, known: bool) {
        let at = origin_of(task);
        self.requesting.remove(&at);
        let account = &mut self.origins[at];
        account.unsettled -= 1;
        account.robots_known = known;
        let plan = &self.plan.origins[at];
        if let (true, RobotsPlan::Rules(Some(seconds)), true) = (known, &plan.robots, plan.hops <= 5) {
            account.pace.crawl_delay(*seconds);
        }
    }

    /// Reports whether a task may be left in the queue at the end.
    pub(crate) fn may_stay(&self, task: &Task) -> bool {
        self.origins[origin_of(task)].down || self.spent()
    }
}
