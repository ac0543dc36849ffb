//! Schedules that once went wrong, or easily would.

use crate::world::url;
use mapwright_frontier::{
    Backlog, Cost, Lane, Lease, Order, PaceRules, Purpose, Refill, RobotsAnswer, Rules, Scheduler, Settlement, Task,
    UrlId, Weather,
};
use std::time::Duration;

const SECOND: Duration = Duration::from_secs(1);

fn page(seq: u64, lane: Lane) -> Task {
    Task::new(seq, UrlId(seq as u32), url(&format!("http://a.example/{seq}")), Purpose::Page, lane)
}

fn sitemap(seq: u64) -> Task {
    let url = url(&format!("http://a.example/sitemap-{seq}.xml"));
    Task::new(seq, UrlId(seq as u32), url, Purpose::Sitemap, Lane::Prerequisite)
}

fn good() -> Weather {
    Weather { first_byte: Some(Duration::from_millis(20)), ..Weather::default() }
}

/// A scheduler, open and with `robots.txt` of `a.example` known to allow all, that is asked for one thing at a time.
struct Desk {
    scheduler: Scheduler,
    now: Duration,
    retries: u8,
}

impl Desk {
    fn new(rules: Rules) -> Self {
        Self { retries: rules.retries, scheduler: Scheduler::new(rules), now: Duration::ZERO }
    }

    fn open(rules: Rules, tasks: impl IntoIterator<Item = Task>) -> Self {
        let mut desk = Self::new(rules);
        desk.scheduler.open();
        tasks.into_iter().for_each(|task| desk.scheduler.push(task));
        desk.robots(RobotsAnswer::Free);
        desk
    }

    /// The next task to fetch, however long it has to be waited for; `None` when drained.
    fn next(&mut self) -> Option<Task> {
        for _ in 0..1000 {
            match self.scheduler.lease(self.now, 1) {
                Lease::Orders(mut orders) => match orders.remove(0) {
                    Order::Fetch(task) => return Some(task),
                    other => panic!("{other:?}"),
                },
                Lease::Idle(Some(until)) => self.now = until,
                Lease::Idle(None) => panic!("idle with nothing under way"),
                Lease::Drained => return None,
            }
        }
        panic!("no end of waiting")
    }

    fn settle(&mut self, task: Task, settlement: Settlement) {
        self.scheduler.ended(self.now, &task, &good());
        self.scheduler.settle(self.now, task, settlement);
    }

    /// Requests everything, health probes too, one by one, a second each; `answers` tells whether a request is answered.
    fn crawl(&mut self, mut answers: impl FnMut(&Task) -> bool) {
        loop {
            match self.scheduler.lease(self.now, 1) {
                Lease::Orders(mut orders) => match orders.remove(0) {
                    Order::Fetch(task) | Order::Prove(task) => {
                        self.now += SECOND;
                        let answered = answers(&task);
                        let again = !answered && task.id.is_some() && task.attempt < self.retries;
                        let cost = Cost::Try;
                        let settlement = if again { Settlement::Again { after: None, cost } } else { Settlement::Done };
                        let weather = if answered { good() } else { Weather::default() };
                        self.scheduler.ended(self.now, &task, &weather);
                        self.scheduler.settle(self.now, task, settlement);
                    }
                    other => panic!("{other:?}"),
                },
                Lease::Idle(until) => self.now = until.unwrap(),
                Lease::Drained => return,
            }
        }
    }

    /// The server answers with 429; after the last try the task is done all the same.
    fn turned_away(&mut self, task: Task) {
        let weather = Weather { throttled: true, ..good() };
        let again = Settlement::Again { after: None, cost: Cost::TryUnlessTurnedAway };
        let settlement = if task.attempt < Rules::default().retries { again } else { Settlement::Done };
        self.scheduler.ended(self.now, &task, &weather);
        self.scheduler.settle(self.now, task, settlement);
    }

    fn robots(&mut self, answer: RobotsAnswer) {
        let task = self.next().unwrap();
        assert_eq!(task.purpose, Purpose::Robots);
        self.settle(task, Settlement::Robots(answer));
    }

    /// Fetches and settles everything, one by one, the window filled up from `record` as wanted. How many there were.
    fn drain_from(&mut self, record: &[Task]) -> usize {
        let mut fetched = 0;
        loop {
            while let Some(wish) = self.scheduler.wants() {
                self.scheduler.refill(&wish, waiting(record, &wish));
            }
            let Some(task) = self.next() else { return fetched };
            fetched += 1;
            self.settle(task, Settlement::Done);
        }
    }

    /// Fetches and settles everything, as many at once as the origin is found to bear.
    fn warm_up(&mut self) {
        while let Lease::Orders(orders) = self.scheduler.lease(self.now, 16) {
            self.now += Duration::from_millis(30);
            for order in orders {
                let Order::Fetch(task) = order else { panic!("{order:?}") };
                self.settle(task, Settlement::Done);
            }
        }
    }

    /// Fetches and settles everything, one by one; the numbers in order.
    fn drain(&mut self) -> Vec<u64> {
        let mut order = Vec::new();
        while let Some(task) = self.next() {
            order.push(task.seq);
            self.settle(task, Settlement::Done);
        }
        order
    }
}

fn waiting(record: &[Task], wish: &Refill) -> Vec<Task> {
    record.iter().filter(|task| task.seq > wish.after).take(wish.count).cloned().collect()
}

#[test]
fn a_start_url_has_its_last_try_though_sitemaps_wait_for_the_scope_to_be_settled() {
    let mut desk = Desk::new(Rules::default());
    desk.scheduler.push(Task { seed: true, ..page(1, Lane::Redirect) });
    desk.robots(RobotsAnswer::Free);
    desk.scheduler.push(sitemap(2));
    for attempt in 0..=2 {
        let task = desk.next().expect("a start URL has three tries");
        assert_eq!((task.seq, task.attempt), (1, attempt));
        desk.settle(
            task,
            if attempt < 2 { Settlement::Again { after: None, cost: Cost::Try } } else { Settlement::Done },
        );
    }
}

#[test]
fn a_robots_file_that_keeps_failing_behind_a_redirect_is_given_up_after_the_tries_allowed() {
    let mut desk = Desk::new(Rules::default());
    desk.scheduler.push(Task { seed: true, ..page(1, Lane::Redirect) });
    let mut requests = 0;
    loop {
        let task = desk.next().unwrap();
        if task.purpose == Purpose::Page {
            break;
        }
        requests += 1;
        assert!(requests <= 6, "three tries of two hops each");
        let answer = match (task.hops, task.attempt) {
            (0, _) => RobotsAnswer::Hop(url("http://cdn.example/robots.txt")),
            (_, 2..) => RobotsAnswer::Free,
            _ => RobotsAnswer::Again(None),
        };
        desk.settle(task, Settlement::Robots(answer));
    }
}

#[test]
fn no_more_than_five_redirects_lead_to_a_robots_file() {
    let mut desk = Desk::new(Rules::default());
    desk.scheduler.push(Task { seed: true, ..page(1, Lane::Redirect) });
    for _ in 0..=5 {
        desk.robots(RobotsAnswer::Hop(url("http://cdn.example/robots.txt")));
    }
    assert_eq!(desk.next().unwrap().purpose, Purpose::Page, "beyond five hops the file counts as unavailable");
}

/// A server that allows one request a second: a URL that it turned away is the same page once more, whether that costs
/// a try or not.
#[test]
fn what_was_turned_away_is_asked_again_until_it_is_answered_and_is_counted_once() {
    for rules in [
        Rules::default(),
        Rules { max_urls: Some(30), ..Rules::default() },
        Rules { by_depth: true, ..Rules::default() },
    ] {
        let mut desk = Desk::open(rules, (1..=30).map(|seq| page(seq, Lane::Link)));
        let (mut answered, mut next, mut free) = (0, Duration::ZERO, 0);
        while let Some(task) = desk.next() {
            free += u32::from(task.turned_away > 0);
            desk.now += Duration::from_millis(2);
            if desk.now >= next {
                (answered, next) = (answered + 1, desk.now + SECOND);
                desk.settle(task, Settlement::Done);
            } else {
                desk.turned_away(task);
            }
        }
        assert_eq!(answered, 30);
        assert!(free > 0);
        assert_eq!(desk.scheduler.drain().pages, 30);
    }
}

/// A page that was asked for twice to set its cookie was not turned away: that says nothing of a limit.
#[test]
fn pages_that_fail_always_are_soon_given_up_though_others_were_asked_for_twice() {
    let mut desk = Desk::open(Rules::default(), (1..=30).map(|seq| page(seq, Lane::Link)));
    while let Some(task) = desk.next() {
        desk.now += Duration::from_millis(20);
        match task.seq {
            1..=10 if !task.to_itself => desk.settle(task, Settlement::Again { after: None, cost: Cost::Nothing }),
            1..=10 => desk.settle(task, Settlement::Done),
            // Then a few that are turned away always, beside others.
            seq if seq % 2 == 0 => desk.turned_away(task),
            _ => desk.settle(task, Settlement::Done),
        }
    }
    assert!(desk.now < 30 * SECOND, "{:?}", desk.now);
}

#[test]
fn with_one_place_pages_are_fetched_while_many_sitemaps_wait() {
    let rules = Rules { pace: PaceRules { concurrency: 1, ..PaceRules::default() }, ..Rules::default() };
    let tasks = (1..=100).map(sitemap).chain((101..=200).map(|seq| page(seq, Lane::Link)));
    let order = Desk::open(rules, tasks).drain();
    let pages = order.iter().take(40).filter(|seq| **seq > 100).count();
    assert!(pages >= 20, "{pages} pages among the first 40");
    assert_eq!(order.len(), 200);
}

#[test]
fn spaced_requests_are_shared_between_pages_and_sitemaps() {
    let rules = Rules { pace: PaceRules { interval: SECOND, ..PaceRules::default() }, ..Rules::default() };
    let tasks = (1..=100).map(sitemap).chain((101..=200).map(|seq| page(seq, Lane::Link)));
    let order = Desk::open(rules, tasks).drain();
    let pages = order.iter().take(40).filter(|seq| **seq > 100).count();
    assert!(pages >= 20, "{pages} pages among the first 40");
}

#[test]
fn few_sitemaps_are_open_until_they_are_in_the_record() {
    let mut desk = Desk::open(Rules::default(), (1..=40).map(sitemap));
    let (mut open, mut read, mut most) = (Vec::new(), 0, 0);
    loop {
        match desk.scheduler.lease(desk.now, 64) {
            Lease::Orders(orders) => {
                let answered = |order| match order {
                    Order::Fetch(task) => task,
                    other => panic!("{other:?}"),
                };
                let answered: Vec<Task> = orders.into_iter().map(answered).collect();
                answered.iter().for_each(|task| desk.scheduler.ended(desk.now, task, &good()));
                open.extend(answered);
                most = most.max(open.len());
            }
            Lease::Idle(until) => {
                assert_eq!(until, None);
                desk.scheduler.settle(desk.now, open.remove(0), Settlement::Done);
                read += 1;
            }
            Lease::Drained => break,
        }
    }
    assert_eq!((read, most), (40, 4));
}

#[test]
fn by_depth_a_nearer_page_found_late_goes_before_the_farther_ones_that_wait() {
    let deep = |seq, depth| Task { depth, ..page(seq, Lane::Link) };
    let rules = Rules { by_depth: true, ..Rules::default() };
    let tasks = [deep(1, 1), deep(2, 2), deep(3, 2), deep(4, 1)];
    assert_eq!(Desk::open(rules, tasks).drain(), [1, 4, 2, 3]);
}

#[test]
fn by_depth_nothing_is_lost_when_a_nearer_page_waits_beyond_the_window() {
    let rules = Rules { by_depth: true, ..Rules::default() };
    let far = |seq| Task { depth: 3, ..page(seq, Lane::Link) };
    let near = Task { depth: 1, ..page(1001, Lane::Link) };
    let record: Vec<Task> = (1..=1000).map(far).chain([near]).collect();
    let mut desk = Desk::open(rules, record.clone());
    assert_eq!(desk.drain_from(&record), 1001);
}

/// A desk whose window has run low, with the wish that follows, the record of 600 tasks behind it, and the count of
/// those fetched.
fn running_low() -> (Desk, Vec<Task>, Refill, usize) {
    let record: Vec<Task> = (1..=600).map(|seq| page(seq, Lane::Link)).collect();
    let mut desk = Desk::open(Rules::default(), record.clone());
    let mut fetched = 0;
    loop {
        if let Some(wish) = desk.scheduler.wants() {
            return (desk, record, wish, fetched);
        }
        let task = desk.next().unwrap();
        fetched += 1;
        desk.settle(task, Settlement::Done);
    }
}

#[test]
fn a_task_queued_after_the_record_was_read_and_before_the_window_got_it_is_not_lost() {
    let (mut desk, mut record, wish, fetched) = running_low();
    let read = waiting(&record, &wish);
    let late = page(601, Lane::Link);
    record.push(late.clone());
    desk.scheduler.push(late);
    desk.scheduler.refill(&wish, read);
    assert_eq!(fetched + desk.drain_from(&record), 601);
}

#[test]
fn a_task_read_from_the_record_before_it_was_announced_is_not_leased_twice() {
    let (mut desk, mut record, wish, fetched) = running_low();
    let early = page(601, Lane::Link);
    record.push(early.clone());
    desk.scheduler.refill(&wish, waiting(&record, &wish));
    desk.scheduler.push(early);
    assert_eq!(fetched + desk.drain_from(&record), 601);
}

#[test]
fn with_a_budget_of_five_the_first_five_in_the_order_of_lanes_are_fetched() {
    let lanes = [Lane::Listed, Lane::Listed, Lane::Link, Lane::Link, Lane::Link, Lane::Redirect, Lane::Redirect];
    let tasks = (1..).zip(lanes).map(|(seq, lane)| page(seq, lane));
    let mut desk = Desk::open(Rules { max_urls: Some(5), ..Rules::default() }, tasks);
    assert_eq!(desk.drain(), [6, 7, 3, 4, 5]);
    let drain = desk.scheduler.drain();
    assert_eq!((drain.queued, drain.pages, drain.budget_spent), (2, 5, true));
}

#[test]
fn an_origin_that_never_answers_is_given_up_and_its_queue_kept() {
    let mut desk = Desk::open(Rules { retries: 0, ..Rules::default() }, (1..=100).map(|seq| page(seq, Lane::Link)));
    let mut asked = 0;
    while let Some(task) = desk.next() {
        asked += 1;
        desk.scheduler.ended(desk.now, &task, &Weather::default());
        desk.scheduler.settle(desk.now, task, Settlement::Done);
    }
    let drain = desk.scheduler.drain();
    assert_eq!((asked, drain.queued, drain.down), (32, 68, vec!["http://a.example".to_owned()]));
}

/// Pages that stall by themselves, in a row, on a site whose other pages answer.
#[test]
fn pages_that_stall_take_no_origin_down_wherever_they_stand() {
    for stalls in [1..=40, 41..=80, 61..=100] {
        for retries in [0, 2] {
            let mut desk =
                Desk::open(Rules { retries, ..Rules::default() }, (0..=100).map(|seq| page(seq, Lane::Link)));
            let (mut good_pages, mut tries) = (0, 0);
            desk.crawl(|task| {
                let stalls = task.id.is_some() && stalls.contains(&task.seq);
                tries += u32::from(stalls);
                good_pages += u32::from(!stalls && task.id.is_some());
                !stalls
            });
            assert_eq!((good_pages, tries), (61, 40 * (u32::from(retries) + 1)));
            assert_eq!(desk.scheduler.drain().down, Vec::<String>::new());
        }
    }
}

#[test]
fn an_origin_that_answers_no_more_is_down_and_its_queue_kept() {
    for dies_after in [1, 30, 88] {
        let mut desk = Desk::open(Rules::default(), (1..=100).map(|seq| page(seq, Lane::Link)));
        let mut requests = 0;
        desk.crawl(|_| {
            requests += 1;
            requests <= dies_after
        });
        assert_eq!(desk.scheduler.drain().down, ["http://a.example"], "after {dies_after} answers");
        assert!(desk.scheduler.drain().queued > 0);
    }
}

#[test]
fn a_run_that_goes_on_keeps_its_queue_while_the_robots_file_of_an_origin_that_answered_fails() {
    for (good, down) in [(None, false), (Some(page(9, Lane::Link).url), true)] {
        for robots in [RobotsAnswer::Status(503), RobotsAnswer::Silent("timed-out")] {
            let mut scheduler = Scheduler::new(Rules::default());
            let origin = page(1, Lane::Link).url.origin();
            let backlog = Backlog { origin, lane: Lane::Link, count: 5, invited: 0, good: good.clone() };
            scheduler.go_on(8, vec![backlog], &[]);
            scheduler.open();
            let wish = scheduler.wants().unwrap();
            scheduler.refill(&wish, (1..=5).map(|seq| page(seq, Lane::Link)).collect());
            let mut desk = Desk { scheduler, now: Duration::ZERO, retries: 2 };
            desk.robots(robots);
            let lease = desk.scheduler.lease(desk.now, 1);
            assert_eq!((matches!(lease, Lease::Drained), !desk.scheduler.drain().down.is_empty()), (down, down));
        }
    }
}

/// How many of 16 places are taken where `a.example` has much to offer and four other hosts one thing each.
fn taken_beside(other: impl Fn(u64) -> Task) -> usize {
    let others = (1..=4).map(|number| {
        let url = url(&format!("http://x{number}.example/"));
        Task { url, ..other(100 + number) }
    });
    let mut desk = Desk::open(Rules::default(), (1_001..=1_400).map(|seq| page(seq, Lane::Link)));
    desk.warm_up();
    (1..=40).for_each(|seq| desk.scheduler.push(page(seq, Lane::Link)));
    others.for_each(|task| desk.scheduler.push(task));
    match desk.scheduler.lease(desk.now, 16) {
        Lease::Orders(orders) => orders.len(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn beside_other_hosts_of_the_crawl_one_leaves_places_free_and_beside_checks_none() {
    assert_eq!(taken_beside(|seq| page(seq, Lane::Link)), 12, "a quarter is left to those that have had little");
    let check = |seq| Task { purpose: Purpose::External, ..page(seq, Lane::Check) };
    assert_eq!(taken_beside(check), 16, "other sites are asked for one thing at a time");
}

#[test]
fn another_site_that_asks_again_to_be_left_alone_is_asked_no_more() {
    let check = |seq| Task { purpose: Purpose::External, ..page(seq, Lane::Check) };
    let mut desk = Desk::open(Rules::default(), (1..=100).map(check));
    let weather = Weather { throttled: true, retry_after: Some(3_600 * SECOND), ..good() };
    let (mut asked, mut dropped) = (0, 0);
    loop {
        match desk.scheduler.lease(desk.now, 1) {
            Lease::Orders(mut orders) => match orders.remove(0) {
                Order::Fetch(task) => {
                    asked += 1;
                    desk.scheduler.ended(desk.now, &task, &weather);
                    desk.scheduler.settle(desk.now, task, Settlement::Done);
                }
                Order::Drop(task) => {
                    dropped += 1;
                    desk.scheduler.settle(desk.now, task, Settlement::Done);
                }
                other => panic!("{other:?}"),
            },
            Lease::Idle(until) => desk.now = until.unwrap(),
            Lease::Drained => break,
        }
    }
    assert_eq!((asked, dropped), (3, 97));
    assert!(desk.now <= 61 * SECOND, "{:?}", desk.now);
}

#[test]
fn pages_that_ask_for_longer_than_is_waited_hold_up_no_others() {
    let mut desk = Desk::open(Rules::default(), (1..=12).map(|seq| page(seq, Lane::Link)));
    let refused = Weather { throttled: true, retry_after: Some(86_400 * SECOND), ..good() };
    while let Some(task) = desk.next() {
        let weather = if task.seq % 3 == 0 { good() } else { refused };
        desk.scheduler.ended(desk.now, &task, &weather);
        desk.scheduler.settle(desk.now, task, Settlement::Done);
    }
    assert!(desk.now < 10 * SECOND, "{:?}", desk.now);
}

#[test]
fn a_run_that_goes_on_takes_up_its_queue_and_spends_what_is_left_of_its_budget() {
    let mut scheduler = Scheduler::new(Rules { max_urls: Some(10), ..Rules::default() });
    let origin = page(1, Lane::Link).url.origin();
    scheduler.go_on(
        8,
        vec![Backlog { origin: origin.clone(), lane: Lane::Link, count: 5, invited: 0, good: None }],
        &[],
    );
    scheduler.open();
    let wish = scheduler.wants().unwrap();
    assert_eq!((&wish.origin, wish.lane, wish.after), (&origin, Lane::Link, 0));
    scheduler.refill(&wish, (1..=5).map(|seq| page(seq, Lane::Link)).collect());
    let mut desk = Desk { scheduler, now: Duration::ZERO, retries: 2 };
    desk.robots(RobotsAnswer::Free);
    for _ in 0..2 {
        let task = desk.next().unwrap();
        desk.settle(task, Settlement::Done);
    }
    assert_eq!(desk.next(), None);
    assert!(desk.scheduler.drain().budget_spent);
    assert_eq!(desk.scheduler.drain().queued, 3);
}
