//! A crawl that is only a scheduler: every response comes at once, and the record is a list.

use mapwright_frontier::{Lease, Order, PaceRules, Refill, ResponseSignal, RobotsAnswer, Rules, Scheduler, Settlement};
use mapwright_model::{Lane, Purpose, Task, UrlId};
use mapwright_web::{Origin, PageUrl, Robots, UrlIdentity};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

/// Requests in flight, in all and at each origin.
const ROOM: usize = 64;
/// Time to the first byte: any value that signals no overload.
const FIRST_BYTE: Duration = Duration::from_millis(5);
/// Time between one lease and the next.
const STEP: Duration = Duration::from_millis(1);

/// Queued pages, by origin, in the order found.
pub(crate) struct Queue {
    tasks: Vec<Vec<Task>>,
    numbers: HashMap<Origin, usize>,
    robots: Arc<Robots>,
}

impl Queue {
    /// Returns a queue of `pages` pages, spread over `origins` origins.
    pub(crate) fn new(origins: u32, pages: u32) -> Self {
        let mut tasks = vec![Vec::new(); origins as usize];
        for number in 0..pages {
            let text = format!("http://o{}.test/section-{}/page-{number}.html", number % origins, number % 97);
            let url = PageUrl::parse(&text, &UrlIdentity::default()).expect("a fixed URL");
            let task = Task::new(u64::from(number) + 1, UrlId(number), url, Purpose::Page, Lane::Link);
            if let Some(tasks) = tasks.get_mut((number % origins) as usize) {
                tasks.push(task);
            }
        }
        let named = |(number, tasks): (usize, &Vec<Task>)| Some((tasks.first()?.url.origin(), number));
        let numbers = tasks.iter().enumerate().filter_map(named).collect();
        let robots = Arc::new(Robots::compile(b"User-agent: *\nDisallow: /private/\nDisallow: /*?print=\n"));
        Queue { tasks, numbers, robots }
    }

    /// Queues all pages, and crawls to the end; returns the number of pages handed out.
    pub(crate) fn crawl(&self) -> u64 {
        let pace = PaceRules { concurrency: ROOM, ..PaceRules::default() };
        let mut scheduler = Scheduler::new(Rules { pace, ..Rules::default() });
        for task in self.tasks.iter().flatten() {
            scheduler.push(task.clone());
        }
        scheduler.open();
        let mut now = Duration::ZERO;
        loop {
            while let Some(wish) = scheduler.next_refill() {
                let tasks = self.read(&wish);
                scheduler.refill(&wish, tasks);
            }
            match scheduler.lease(now, ROOM) {
                Lease::Orders(orders) => self.carry_out(&mut scheduler, now, orders),
                Lease::Idle { until: Some(until), .. } => now = until,
                Lease::Idle { until: None, .. } => panic!("nothing is under way"),
                Lease::Drained => return scheduler.queue_state().pages,
            }
            now += STEP;
        }
    }

    fn carry_out(&self, scheduler: &mut Scheduler, now: Duration, orders: Vec<Order>) {
        let signal = ResponseSignal { first_byte: Some(FIRST_BYTE), ..ResponseSignal::default() };
        for order in orders {
            let Order::Fetch(task) = order else { panic!("nothing here is refused: {order:?}") };
            scheduler.ended(now, &task, &signal);
            let settlement = match task.purpose {
                Purpose::Robots => Settlement::Robots(RobotsAnswer::Rules(Arc::clone(&self.robots))),
                _ => Settlement::Done,
            };
            scheduler.settle(now, task, settlement);
        }
    }

    /// Reads an origin's tasks beyond a number, in order, as the record does.
    fn read(&self, wish: &Refill) -> Vec<Task> {
        let number = self.numbers.get(&wish.origin);
        let tasks = number.and_then(|number| self.tasks.get(*number)).map(Vec::as_slice).unwrap_or_default();
        let from = tasks.partition_point(|task| task.task_id.number() <= wish.after);
        tasks.iter().skip(from).take(wish.count).cloned().collect()
    }
}
