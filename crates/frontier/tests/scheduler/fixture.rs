//! A scheduler that a test drives by hand.

use crate::world::url;
use mapwright_frontier::{Lease, Order, Refill, ResponseSignal, RetryCost, RobotsAnswer, Rules, Scheduler, Settlement};
use mapwright_model::{Lane, Purpose, Task, UrlId};
use std::time::Duration;

pub(crate) const SECOND: Duration = Duration::from_secs(1);

pub(crate) fn page(seq: u64, lane: Lane) -> Task {
    Task::new(seq, UrlId(seq as u32), url(&format!("http://a.example/{seq}")), Purpose::Page, lane)
}

/// Returns the task of the start URL.
pub(crate) fn seed() -> Task {
    let mut task = page(1, Lane::Redirect);
    task.route.seed = true;
    task
}

pub(crate) fn at_depth(depth: u32, seq: u64) -> Task {
    let mut task = page(seq, Lane::Link);
    task.route.depth = depth;
    task
}

pub(crate) fn sitemap(seq: u64) -> Task {
    let url = url(&format!("http://a.example/sitemap-{seq}.xml"));
    Task::new(seq, UrlId(seq as u32), url, Purpose::Sitemap, Lane::Prerequisite)
}

pub(crate) fn good() -> ResponseSignal {
    ResponseSignal { first_byte: Some(Duration::from_millis(20)), ..ResponseSignal::default() }
}

/// An open scheduler that knows that `robots.txt` of `a.example` allows everything, and that leases one task at a time.
pub(crate) struct Fixture {
    pub(crate) scheduler: Scheduler,
    pub(crate) now: Duration,
    pub(crate) retries: u8,
}

impl Fixture {
    pub(crate) fn new(rules: Rules) -> Self {
        Self { retries: rules.retries, scheduler: Scheduler::new(rules), now: Duration::ZERO }
    }

    pub(crate) fn open(rules: Rules, tasks: impl IntoIterator<Item = Task>) -> Self {
        let mut fixture = Self::new(rules);
        fixture.scheduler.open();
        tasks.into_iter().for_each(|task| fixture.scheduler.push(task));
        fixture.robots(RobotsAnswer::Free);
        fixture
    }

    /// Returns the next task to fetch, after any wait; `None` when drained.
    pub(crate) fn next(&mut self) -> Option<Task> {
        for _ in 0..1000 {
            match self.scheduler.lease(self.now, 1) {
                Lease::Orders(mut orders) => match orders.remove(0) {
                    Order::Fetch(task) => return Some(task),
                    other => panic!("{other:?}"),
                },
                Lease::Idle { until: Some(until), .. } => self.now = until,
                Lease::Idle { until: None, .. } => panic!("idle with nothing under way"),
                Lease::Drained => return None,
            }
        }
        panic!("no end of waiting")
    }

    pub(crate) fn settle(&mut self, task: Task, settlement: Settlement) {
        self.scheduler.ended(self.now, &task, &good());
        self.scheduler.settle(self.now, task, settlement);
    }

    /// Requests everything, including health probes, one by one, a second each; `answers` reports whether a request is
    /// answered.
    pub(crate) fn crawl(&mut self, mut answers: impl FnMut(&Task) -> bool) {
        loop {
            match self.scheduler.lease(self.now, 1) {
                Lease::Orders(mut orders) => match orders.remove(0) {
                    Order::Fetch(task) | Order::HealthProbe(task) => {
                        self.now += SECOND;
                        let answered = answers(&task);
                        let again = !answered && task.url_id.is_some() && task.tries.attempt < self.retries;
                        let cost = RetryCost::Try;
                        let settlement = if again { Settlement::Retry { after: None, cost } } else { Settlement::Done };
                        let signal = if answered { good() } else { ResponseSignal::default() };
                        self.scheduler.ended(self.now, &task, &signal);
                        self.scheduler.settle(self.now, task, settlement);
                    }
                    other => panic!("{other:?}"),
                },
                Lease::Idle { until, .. } => self.now = until.unwrap(),
                Lease::Drained => return,
            }
        }
    }

    /// The server answers with 429; after the last try, the task is done nevertheless.
    pub(crate) fn rate_limited(&mut self, task: Task) {
        let signal = ResponseSignal { throttled: true, ..good() };
        let again = Settlement::Retry { after: None, cost: RetryCost::TryUnlessRateLimited };
        let settlement = if task.tries.attempt < Rules::default().retries { again } else { Settlement::Done };
        self.scheduler.ended(self.now, &task, &signal);
        self.scheduler.settle(self.now, task, settlement);
    }

    pub(crate) fn robots(&mut self, answer: RobotsAnswer) {
        let task = self.next().unwrap();
        assert_eq!(task.purpose, Purpose::Robots);
        self.settle(task, Settlement::Robots(answer));
    }

    /// Fetches and settles everything, one by one, with refills from `record`. Returns the number of tasks.
    pub(crate) fn drain_from(&mut self, record: &[Task]) -> usize {
        let mut fetched = 0;
        loop {
            while let Some(wish) = self.scheduler.next_refill() {
                self.scheduler.refill(&wish, waiting(record, &wish));
            }
            let Some(task) = self.next() else { return fetched };
            fetched += 1;
            self.settle(task, Settlement::Done);
        }
    }

    /// Fetches and settles everything, with as many requests in flight as the limiter allows.
    pub(crate) fn warm_up(&mut self) {
        while let Lease::Orders(orders) = self.scheduler.lease(self.now, 16) {
            self.now += Duration::from_millis(30);
            for order in orders {
                let Order::Fetch(task) = order else { panic!("{order:?}") };
                self.settle(task, Settlement::Done);
            }
        }
    }

    /// Fetches and settles everything, one by one; returns the numbers in order.
    pub(crate) fn drain(&mut self) -> Vec<u64> {
        let mut order = Vec::new();
        while let Some(task) = self.next() {
            order.push(task.task_id.number());
            self.settle(task, Settlement::Done);
        }
        order
    }
}

pub(crate) fn waiting(record: &[Task], wish: &Refill) -> Vec<Task> {
    record.iter().filter(|task| task.task_id.number() > wish.after).take(wish.count).cloned().collect()
}
