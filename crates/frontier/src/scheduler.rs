//! Which URL is fetched next: single-threaded, pure, and told the time.

use crate::contract::{Cost, Drain, Lease, Order, RobotsAnswer, Settlement, Weather};
use crate::rules::{Backlog, Refill, Rules};
use crate::stand::{Leave, Stand, Step};
use crate::task::{Lane, Mode, Purpose, Task};
use crate::turns::Turns;
use mapwright_web::Origin;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Duration;

/// Robots rules that are kept at once, each file counting as [`FILE_WEIGHT`](crate::stand::FILE_WEIGHT) more: some sixty
/// megabytes. Beyond, those of idle origins are forgotten, and asked for again when needed.
const MAX_RULES_HELD: usize = 200_000;
/// Tries at one URL that cost nothing, at most, because its origin turned away more than it.
const TURNED_AWAY: u8 = 8;

/// The scheduler of one crawl on one machine.
#[derive(Debug)]
pub struct Scheduler {
    rules: Rules,
    stands: Vec<Stand>,
    index: HashMap<Origin, usize>,
    turns: Turns,
    timers: BTreeSet<(Duration, usize)>,
    /// Origins whose windows may want a refill.
    thin: Vec<usize>,
    /// Page tasks not settled yet, by depth; kept when going by depth.
    levels: BTreeMap<u32, u64>,
    /// Each depth is finished before the next begins: as the rules say, until an origin goes down.
    by_depth: bool,
    /// Going by depth: this one has begun, whatever waits above it.
    overdue: u32,
    opening: bool,
    pages: u64,
    /// Pages that were answered, and not by an error of the server: of all origins of ours.
    answered: u64,
    unsettled: u64,
    /// Of these, first tries of links and redirect hops: what they lead to comes before what sitemaps list.
    links_unsettled: u64,
    tickets: u64,
    /// Origins whose robots.txt was requested for pages, of which none has been handed out since.
    claims: u64,
    rules_held: usize,
    /// From so many on it is looked which can be forgotten.
    too_many_rules: usize,
    /// URLs handed out, by number: a URL brought forward stands in two lanes, and is handed out once.
    handed_out: Vec<u64>,
}

impl Scheduler {
    /// A scheduler with nothing to do. It hands out start URLs alone until [`Scheduler::open`] is called.
    #[must_use]
    pub fn new(rules: Rules) -> Self {
        Self {
            by_depth: rules.by_depth,
            turns: Turns::new(rules.pace.concurrency),
            rules,
            stands: Vec::new(),
            index: HashMap::new(),
            timers: BTreeSet::new(),
            thin: Vec::new(),
            levels: BTreeMap::new(),
            overdue: 0,
            opening: true,
            pages: 0,
            answered: 0,
            unsettled: 0,
            links_unsettled: 0,
            tickets: 0,
            claims: 0,
            rules_held: 0,
            too_many_rules: MAX_RULES_HELD,
            handed_out: Vec::new(),
        }
    }

    /// Everything may be handed out from now on.
    pub fn open(&mut self) {
        self.opening = false;
        (0..self.stands.len()).for_each(|at| self.wake(at));
    }

    /// Takes a task that has just been recorded as queued.
    pub fn push(&mut self, task: Task) {
        self.count_level(&task, true);
        let at = self.stand_of(&task.url.origin());
        if let Some(stand) = self.stands.get_mut(at) {
            stand.push(task);
        }
        self.wake(at);
    }

    /// Goes on with a run that was cut: `pages` were leased in it, and tasks wait in the record, by origin and lane, and
    /// by depth.
    pub fn go_on(&mut self, pages: u64, backlog: Vec<Backlog>, depths: &[(u32, u64)]) {
        self.pages = pages;
        if self.by_depth {
            self.levels.extend(depths.iter().copied());
        }
        for Backlog { origin, lane, count, invited, good } in backlog {
            let at = self.stand_of(&origin);
            if let Some(stand) = self.stands.get_mut(at) {
                stand.behind(lane, count, invited, good);
            }
            self.thin.push(at);
            self.wake(at);
        }
    }

    /// Up to `room` orders that may be carried out at `now`: so many places are free.
    pub fn lease(&mut self, now: Duration, room: usize) -> Lease {
        self.ring_timers(now);
        self.turns.release();
        // Handing out links changes nothing here: none is settled by it.
        let listed = self.listed_may_come();
        let mut orders = Vec::new();
        while orders.len() < room {
            let Some(at) = self.turns.next() else { break };
            let taken = self.stands.get(at).map_or(0, Stand::in_flight);
            if !self.turns.may_take(taken, room - orders.len()) {
                self.turns.hold(at);
            } else if let Some(order) = self.ask(at, now, listed) {
                orders.push(order);
                self.wake(at);
            }
        }
        if !orders.is_empty() {
            return Lease::Orders(orders);
        }
        let next = self.timers.first().map(|(time, _)| *time);
        if self.unsettled > 0 || next.is_some() || !self.turns.is_empty() {
            return Lease::Idle(next);
        }
        if self.forgo_claims() || self.descend() { self.lease(now, room) } else { Lease::Drained }
    }

    /// With nothing under way: pages of the budget that are kept for origins which do not request them go to others.
    /// Whether there are such pages.
    fn forgo_claims(&mut self) -> bool {
        if self.rules.max_urls.is_none() || self.spent() {
            return false;
        }
        self.claims = 0;
        let held = self.stands.iter_mut().map(Stand::forgo).filter(|held| *held).count();
        self.wake_waiting();
        held > 0
    }

    /// By depth, with nothing under way: what is to come next waits in the record behind farther pages. They go first,
    /// so that nothing is ever waited for in vain. Whether there is such a depth to go on to.
    fn descend(&mut self) -> bool {
        let Leave { opening, spent, depth, .. } = self.leave(false);
        if !self.by_depth || opening || spent {
            return false;
        }
        let nearest = self.stands.iter().filter_map(Stand::nearest_link).filter(|nearest| *nearest > depth).min();
        let Some(nearest) = nearest else { return false };
        self.overdue = nearest;
        (0..self.stands.len()).for_each(|at| self.wake(at));
        true
    }

    /// The request of a task has ended.
    pub fn ended(&mut self, now: Duration, task: &Task, weather: &Weather) {
        let at = self.home_of(task);
        let good = weather.first_byte.is_some() && !weather.refused && !weather.none;
        self.answered += u64::from(good && task.purpose == Purpose::Page);
        if let Some(stand) = self.stands.get_mut(at)
            && stand.ended(now, task, weather, &self.rules, self.answered)
        {
            self.went_down();
        }
        self.wake(at);
    }

    /// The queue of an origin is kept, so no depth of it will ever be finished.
    fn went_down(&mut self) {
        self.by_depth = false;
        (0..self.stands.len()).for_each(|at| self.wake(at));
    }

    /// A leased task has been settled in the record.
    pub fn settle(&mut self, now: Duration, task: Task, settlement: Settlement) {
        let before = (self.level(), self.links_unsettled == 0);
        self.unsettled = self.unsettled.saturating_sub(1);
        self.links_unsettled = self.links_unsettled.saturating_sub(u64::from(is_first_of_link(&task)));
        let at = self.home_of(&task);
        let Some(stand) = self.stands.get_mut(at) else { return };
        stand.settled(&task, &self.rules);
        match settlement {
            Settlement::Done => self.count_level(&task, false),
            Settlement::Again { after, cost } => self.again(at, now, task, after, cost),
            Settlement::Robots(answer) => self.robots(at, now, &task, answer),
        }
        // What others waited for: a depth is finished, or it is the turn of what sitemaps list.
        if self.rules.order_matters() && before != (self.level(), self.links_unsettled == 0) {
            self.wake_waiting();
        }
        self.wake(at);
    }

    /// Wakes the origins at which anything is queued.
    fn wake_waiting(&mut self) {
        for at in 0..self.stands.len() {
            if self.stands.get(at).is_some_and(|stand| stand.queued() > 0) {
                self.wake(at);
            }
        }
    }

    /// The next wish for tasks that wait in the record. To be granted with [`Scheduler::refill`].
    pub fn wants(&mut self) -> Option<Refill> {
        while let Some(at) = self.thin.last().copied() {
            let Some(stand) = self.stands.get_mut(at) else { break };
            if let Some((lane, after, count)) = stand.lanes.wants() {
                return Some(Refill { origin: stand.origin.clone(), lane, after, count });
            }
            self.thin.pop();
        }
        None
    }

    /// Grants a wish; fewer tasks than were asked for mean that the record holds no more.
    pub fn refill(&mut self, wish: &Refill, tasks: Vec<Task>) {
        let at = self.stand_of(&wish.origin);
        if let Some(stand) = self.stands.get_mut(at) {
            stand.lanes.of(wish.lane).refill(tasks, wish.count);
        }
        self.wake(at);
    }

    /// How things stand.
    #[must_use]
    pub fn drain(&self) -> Drain {
        Drain {
            queued: self.stands.iter().map(Stand::queued).sum(),
            pages: self.pages,
            down: self.stands.iter().filter(|s| s.down).map(|s| s.origin.to_string()).collect(),
            budget_spent: self.spent(),
        }
    }

    fn spent(&self) -> bool {
        self.rules.max_urls.is_some_and(|most| self.pages >= most)
    }

    /// What any origin may hand out now; `listed`: see [`Scheduler::listed_may_come`].
    fn leave(&self, listed: bool) -> Leave {
        let depth = self.level().map_or(u32::MAX, |level| level.max(self.overdue));
        let robots = self.rules.max_urls.is_none_or(|most| self.pages + self.claims < most);
        Leave { opening: self.opening, spent: self.spent(), robots, depth, listed }
    }

    /// The least depth of which pages are not settled, when going by depth.
    fn level(&self) -> Option<u32> {
        self.levels.keys().next().copied().filter(|_| self.by_depth)
    }

    /// Whether it is the turn of what sitemaps alone list: no link or redirect hop is unsettled, or queued at any origin
    /// that is up.
    fn listed_may_come(&self) -> bool {
        !self.rules.order_matters() || (self.links_unsettled == 0 && !self.stands.iter().any(Stand::links_wait))
    }

    fn ask(&mut self, at: usize, now: Duration, listed: bool) -> Option<Order> {
        let leave = self.leave(listed);
        self.tickets += 1;
        let stand = self.stands.get_mut(at)?;
        let claimed = stand.claims();
        let step = stand.next(now, &self.rules, leave, self.tickets);
        self.claims = self.claims.saturating_sub(u64::from(claimed)) + u64::from(stand.claims());
        match step {
            Step::Do(order) => {
                self.thin.push(at);
                return Some(self.leased(at, now, order));
            }
            Step::Wait(until) => {
                self.timers.insert((until, at));
            }
            Step::Park => {}
        }
        self.turns.rest(at, stand.is_ours() && stand.is_busy());
        None
    }

    /// Whether this first try of a page is of a URL that was handed out before. Marks it.
    fn is_repeat(&mut self, task: &Task) -> bool {
        let (true, true, Some(id)) = (task.purpose == Purpose::Page, task.is_first(), task.id) else { return false };
        let (word, bit) = (id.0 as usize / 64, 1_u64 << (id.0 % 64));
        if word >= self.handed_out.len() {
            self.handed_out.resize(word + 1, 0);
        }
        let Some(word) = self.handed_out.get_mut(word) else { return false };
        let repeat = *word & bit != 0;
        *word |= bit;
        repeat
    }

    /// Counts an order as leased. A repeat is turned into an order to let the task go.
    fn leased(&mut self, at: usize, now: Duration, order: Order) -> Order {
        self.unsettled += 1;
        let (Order::Fetch(task)
        | Order::Prove(task)
        | Order::Recall(task)
        | Order::Refuse(task, _)
        | Order::Drop(task)) = &order;
        self.links_unsettled += u64::from(is_first_of_link(task));
        let repeat = match &order {
            Order::Fetch(task) | Order::Recall(task) | Order::Refuse(task, _) => {
                self.rules.order_matters() && self.is_repeat(task)
            }
            Order::Drop(_) | Order::Prove(_) => false,
        };
        match order {
            Order::Fetch(task) if repeat => {
                let none = Weather { none: true, ..Weather::default() };
                if let Some(stand) = self.stands.get_mut(at) {
                    stand.ended(now, &task, &none, &self.rules, self.answered);
                }
                Order::Drop(task)
            }
            Order::Recall(task) | Order::Refuse(task, _) if repeat => Order::Drop(task),
            Order::Refuse(..) | Order::Drop(_) | Order::Prove(_) => order,
            // What is remembered counts like what is requested: a crawl has the same shape every night.
            Order::Fetch(ref task) | Order::Recall(ref task) => {
                self.pages += u64::from(task.purpose == Purpose::Page && task.is_first());
                order
            }
        }
    }

    fn again(&mut self, at: usize, now: Duration, mut task: Task, after: Option<Duration>, cost: Cost) {
        let exceeded = self.stands.get(at).is_some_and(Stand::is_exceeded) && task.turned_away < TURNED_AWAY;
        let wait = match cost {
            Cost::Nothing => {
                task.to_itself = true;
                task.mode = Mode::Plain;
                Duration::ZERO
            }
            Cost::Time => {
                task.timed = true;
                Duration::ZERO
            }
            Cost::TryUnlessTurnedAway if exceeded => {
                task.turned_away += 1;
                self.wait(task.seq, task.turned_away, after)
            }
            Cost::Try | Cost::TryUnlessTurnedAway => {
                task.attempt += 1;
                self.wait(task.seq, task.attempt, after)
            }
        };
        if let Some(stand) = self.stands.get_mut(at) {
            stand.again(task, now + wait, &self.rules);
        }
    }

    fn robots(&mut self, at: usize, now: Duration, task: &Task, answer: RobotsAnswer) {
        let after = if let RobotsAnswer::Again(after) = &answer { *after } else { None };
        let retry_at = now + self.wait(task.seq, task.attempt + 1, after);
        if let Some(stand) = self.stands.get_mut(at) {
            stand.robots(answer, task, retry_at, &self.rules);
            self.rules_held += stand.weight();
            if stand.down {
                self.went_down();
            }
        }
        if self.rules_held > self.too_many_rules {
            self.forget_idle_rules();
        }
    }

    fn forget_idle_rules(&mut self) {
        self.stands.iter_mut().filter(|s| s.holds_rules() && s.is_idle()).for_each(Stand::forget_rules);
        self.rules_held = self.stands.iter().map(Stand::weight).sum();
        // Where all are needed, it is not looked again at each file.
        self.too_many_rules = MAX_RULES_HELD.max(2 * self.rules_held);
    }

    /// Wait before a further try, so many of which were made: doubled each time, spread by up to a quarter either way so
    /// that tries do not come in step, and never shorter than the server asked for.
    fn wait(&self, seq: u64, tries: u8, after: Option<Duration>) -> Duration {
        let doubled = self.rules.backoff * (1 << u32::from(tries.saturating_sub(1)).min(6));
        let spread = 0.75 + (seq.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as f64 / 512.0;
        doubled.mul_f64(spread).max(after.unwrap_or_default().min(self.rules.pace.max_retry_after))
    }

    fn count_level(&mut self, task: &Task, enters: bool) {
        if !self.by_depth || task.purpose != Purpose::Page || task.lane == Lane::Listed {
            return;
        }
        if enters {
            *self.levels.entry(task.depth).or_default() += 1;
        } else if let Some(count) = self.levels.get_mut(&task.depth) {
            *count -= 1;
            if *count == 0 {
                self.levels.remove(&task.depth);
            }
        }
    }

    /// The origin that a task belongs to: for a robots file the one whose rules are sought.
    fn home_of(&mut self, task: &Task) -> usize {
        let origin = task.robots_of.clone().unwrap_or_else(|| task.url.origin());
        self.stand_of(&origin)
    }

    fn stand_of(&mut self, origin: &Origin) -> usize {
        if let Some(at) = self.index.get(origin) {
            return *at;
        }
        let at = self.stands.len();
        self.stands.push(Stand::new(origin.clone(), &self.rules));
        self.turns.add();
        self.index.insert(origin.clone(), at);
        at
    }

    fn wake(&mut self, at: usize) {
        let ours = self.stands.get(at).is_some_and(Stand::is_ours);
        self.turns.wake(at, ours);
    }

    fn ring_timers(&mut self, now: Duration) {
        while let Some((time, at)) = self.timers.first().copied().filter(|(time, _)| *time <= now) {
            self.timers.remove(&(time, at));
            self.wake(at);
        }
    }
}

/// Whether this is the first try of a page that a link or a redirect leads to.
fn is_first_of_link(task: &Task) -> bool {
    let is_first = task.attempt == 0 && !task.timed;
    task.purpose == Purpose::Page && is_first && matches!(task.lane, Lane::Redirect | Lane::Link)
}

#[cfg(test)]
mod tests;
