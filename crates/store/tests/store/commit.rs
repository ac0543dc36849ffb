//! One batch, one transaction.

use crate::site::{connect, parse};
use mapwright_engine::Visit;
use mapwright_frontier::{
    Cost, Discovery, Finished, Frontier, Lease, Order, Purpose, RobotsAnswer, Rules, Settlement, Via, Weather,
};
use mapwright_store::{Keeper, LocalFrontier, Record, Recrawl, RunInfo};
use mapwright_web::KeyMaker;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};
use std::time::Duration;
use tempfile::TempDir;

const NOW: Duration = Duration::ZERO;

struct Desk {
    folder: TempDir,
    frontier: LocalFrontier,
    keeper: Keeper,
    keys: KeyMaker,
    runtime: tokio::runtime::Runtime,
}

impl Desk {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let mut record = Record::open(folder.path()).unwrap();
        record.begin(&RunInfo::default()).unwrap();
        let keys = record.keys();
        let (frontier, keeper) = LocalFrontier::start(record, Rules::default(), Recrawl::default()).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(frontier.open(vec![parse("http://example.com/")])).unwrap();
        Self { folder, frontier, keeper, keys, runtime }
    }

    fn found(&self, url: &str, depth: u32) -> Discovery {
        let url = parse(url);
        Discovery { depth, ..Discovery::new(self.keys.key(&url), url, Via::Link, Purpose::Page) }
    }

    fn commit(&self, found: Vec<Discovery>) -> Result<(), String> {
        let batch = vec![Finished { settles: None, found, visit: None::<Visit> }];
        self.runtime.block_on(self.frontier.commit(NOW, batch)).map_err(|error| error.to_string())
    }

    fn count(&self, table: &str) -> u64 {
        connect(self.folder.path()).query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
    }

    /// From now on no discovery at this depth can be written.
    fn poison(&self, depth: u32) {
        let sql = format!(
            "CREATE TRIGGER poison BEFORE INSERT ON found WHEN NEW.depth = {depth}
             BEGIN SELECT RAISE(ABORT, 'poison'); END"
        );
        connect(self.folder.path()).execute_batch(&sql).unwrap();
    }

    /// The request of an order has ended well, and so has its task.
    fn land(&self, order: Order) -> Finished<Visit> {
        let Order::Fetch(task) = order else { panic!("{order:?}") };
        let weather = Weather { first_byte: Some(NOW), ..Default::default() };
        self.frontier.ended(NOW, &task, &weather);
        let robots = task.purpose == Purpose::Robots;
        let settlement = if robots { Settlement::Robots(RobotsAnswer::Free) } else { Settlement::Done };
        Finished { settles: Some((task, settlement)), found: Vec::new(), visit: None }
    }

    /// Leases until nothing is left; gives the URLs of the pages in their order.
    fn crawl(&self) -> Vec<String> {
        let mut fetched = Vec::new();
        loop {
            let orders = match self.runtime.block_on(self.frontier.lease(NOW, 16)).unwrap() {
                Lease::Orders(orders) => orders,
                Lease::Drained => return fetched,
                Lease::Idle(until) => panic!("idle until {until:?}"),
            };
            let batch: Vec<_> = orders.into_iter().map(|order| self.land(order)).collect();
            fetched.extend(pages(&batch));
            self.runtime.block_on(self.frontier.commit(NOW, batch)).unwrap();
        }
    }

    fn lease(&self) -> Vec<Order> {
        match self.runtime.block_on(self.frontier.lease(NOW, 16)).unwrap() {
            Lease::Orders(orders) => orders,
            other => panic!("{other:?}"),
        }
    }
}

/// The URLs of the pages that these settle.
fn pages(batch: &[Finished<Visit>]) -> Vec<String> {
    let tasks = batch.iter().filter_map(|finished| finished.settles.as_ref()).map(|(task, _)| task);
    tasks.filter(|task| task.purpose == Purpose::Page).map(|task| task.url.to_string()).collect()
}

fn poll<T>(future: Pin<&mut impl Future<Output = T>>) -> Poll<T> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

#[test]
fn a_batch_that_fails_halfway_is_not_recorded_at_all() {
    let desk = Desk::new();
    desk.poison(77);
    let batch = vec![desk.found("http://a.example/1", 0), desk.found("http://b.example/2", 77)];
    assert!(desk.commit(batch).unwrap_err().contains("poison"));
    for table in ["url", "found", "queue", "origin", "visit", "link_set", "anchor"] {
        assert_eq!(desk.count(table), 0, "{table}");
    }
    assert!(desk.frontier.seen().is_empty(), "what is not recorded is not known");
    assert_eq!(desk.frontier.drain().queued, 0);
}

#[test]
fn after_a_batch_that_failed_the_next_one_is_whole() {
    let desk = Desk::new();
    desk.poison(77);
    desk.commit(vec![desk.found("http://a.example/1", 0), desk.found("http://b.example/2", 77)]).unwrap_err();
    desk.commit(vec![desk.found("http://a.example/1", 0)]).unwrap();
    assert_eq!(desk.count("url"), 1);
    assert_eq!(desk.count("queue JOIN origin ON origin.id = queue.origin WHERE text = 'http://a.example'"), 1);
    assert_eq!(desk.frontier.drain().queued, 1);
}

#[test]
fn tries_are_counted_in_the_record_but_for_those_that_may_have_cost_nothing() {
    let desk = Desk::new();
    desk.commit(vec![desk.found("http://a.example/1", 0)]).unwrap();
    desk.runtime.block_on(desk.frontier.commit(NOW, desk.lease().into_iter().map(|o| desk.land(o)).collect())).unwrap();
    let mut now = NOW;
    for (cost, tries) in [(Cost::Try, 1), (Cost::TryUnlessTurnedAway, 1), (Cost::Nothing, 1)] {
        now += Duration::from_secs(60);
        let Lease::Orders(mut orders) = desk.runtime.block_on(desk.frontier.lease(now, 1)).unwrap() else {
            panic!("nothing to lease")
        };
        let Finished { settles: Some((task, _)), .. } = desk.land(orders.remove(0)) else { panic!("no task") };
        let settles = Some((task, Settlement::Again { after: None, cost }));
        let batch = vec![Finished { settles, found: Vec::new(), visit: None::<Visit> }];
        desk.runtime.block_on(desk.frontier.commit(now, batch)).unwrap();
        assert_eq!(desk.count("queue WHERE attempt = 0"), 1 - tries, "{cost:?}");
        assert_eq!(desk.count("queue WHERE attempt = 1"), tries, "{cost:?}");
    }
}

#[test]
fn a_url_found_twice_in_a_batch_is_one_url_queued_once() {
    let desk = Desk::new();
    desk.commit(vec![desk.found("http://a.example/1", 3), desk.found("http://a.example/1", 1)]).unwrap();
    desk.commit(vec![desk.found("http://a.example/1", 0)]).unwrap();
    assert_eq!((desk.count("url"), desk.count("found"), desk.count("queue")), (1, 1, 1));
}

#[test]
fn what_is_leased_and_not_settled_stays_queued_when_the_process_ends() {
    let desk = Desk::new();
    desk.commit(vec![desk.found("http://a.example/1", 0), desk.found("http://a.example/2", 0)]).unwrap();
    let robots = desk.lease();
    let [Order::Fetch(task)] = &robots[..] else { panic!("{robots:?}") };
    desk.frontier.ended(NOW, task, &Weather { none: true, ..Weather::default() });
    let settles = Some((task.clone(), Settlement::Robots(RobotsAnswer::Free)));
    let answered = Finished { settles, found: Vec::new(), visit: None };
    desk.runtime.block_on(desk.frontier.commit(NOW, vec![answered])).unwrap();
    let pages = desk.lease();
    assert_eq!(pages.len(), 2);
    let Order::Fetch(done) = &pages[0] else { panic!("{pages:?}") };
    let done = Finished { settles: Some((done.clone(), Settlement::Done)), found: Vec::new(), visit: None };
    desk.runtime.block_on(desk.frontier.commit(NOW, vec![done])).unwrap();
    let Desk { folder, frontier, keeper, .. } = desk;
    drop(frontier);
    drop(keeper.take().unwrap());
    let unfinished = Record::open(folder.path()).unwrap().unfinished().unwrap().unwrap();
    assert_eq!((unfinished.run, unfinished.queued), (1, 1));
}

#[test]
fn a_queue_longer_than_the_window_is_read_back_in_order_and_whole() {
    let desk = Desk::new();
    let all: Vec<String> = (0..2000).map(|n| format!("http://a.example/{n}")).collect();
    desk.commit(all.iter().map(|url| desk.found(url, 0)).collect()).unwrap();
    let fetched = desk.crawl();
    assert_eq!(fetched, all);
    assert_eq!(desk.count("queue"), 0);
}

#[test]
fn what_is_at_hand_is_leased_while_the_record_is_being_written() {
    let desk = Desk::new();
    let all: Vec<String> = (0..600).map(|n| format!("http://a.example/{n}")).collect();
    desk.commit(all.iter().map(|url| desk.found(url, 0)).collect()).unwrap();
    // Of 512 at hand 128 are left: with the next lease more is to be read from the record.
    let mut landed = Vec::new();
    while landed.len() < 384 {
        let batch: Vec<_> = desk.lease().into_iter().map(|order| desk.land(order)).collect();
        if pages(&batch).is_empty() {
            desk.runtime.block_on(desk.frontier.commit(NOW, batch)).unwrap();
        } else {
            landed.extend(batch);
        }
    }
    let mut fetched = pages(&landed);

    let other = connect(desk.folder.path());
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let mut commit = pin!(desk.frontier.commit(NOW, landed));
    assert!(poll(commit.as_mut()).is_pending(), "somebody else writes");
    let leased = poll(pin!(desk.frontier.lease(NOW, 16)));
    let Poll::Ready(Ok(Lease::Orders(orders))) = leased else { panic!("{leased:?}") };
    other.execute_batch("ROLLBACK").unwrap();
    desk.runtime.block_on(commit).unwrap();

    let batch: Vec<_> = orders.into_iter().map(|order| desk.land(order)).collect();
    fetched.extend(pages(&batch));
    desk.runtime.block_on(desk.frontier.commit(NOW, batch)).unwrap();
    fetched.extend(desk.crawl());
    assert_eq!(fetched, all);
}
