//! Commits of batches, one transaction each.

use crate::crawled::connect;
use mapwright_frontier::{
    Finished, Frontier, Lease, Order, ResponseSignal, RetryCost, RobotsAnswer, Rules, Settlement,
};
use mapwright_model::{Discovery, Purpose, Route, Via, Visit};
use mapwright_store::{LocalFrontier, Record, Recrawl, RunInfo, WriterHandle};
use mapwright_testcrawl::parse;
use mapwright_web::KeyMaker;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};
use std::time::Duration;
use tempfile::TempDir;

const NOW: Duration = Duration::ZERO;

struct Fixture {
    folder: TempDir,
    frontier: LocalFrontier,
    writer_handle: WriterHandle,
    keys: KeyMaker,
    runtime: tokio::runtime::Runtime,
}

impl Fixture {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let mut record = Record::open(folder.path()).unwrap();
        record.begin(&RunInfo::default()).unwrap();
        let keys = record.keys();
        let (frontier, writer_handle) = LocalFrontier::start(record, Rules::default(), Recrawl::default()).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(frontier.open(vec![parse("http://example.com/")])).unwrap();
        Self { folder, frontier, writer_handle, keys, runtime }
    }

    fn found(&self, url: &str, depth: u32) -> Discovery {
        let url = parse(url);
        let route = Route { depth, ..Route::default() };
        Discovery { route, ..Discovery::new(self.keys.key(&url), url, Via::Link, Purpose::Page) }
    }

    fn commit(&self, found: Vec<Discovery>) -> Result<(), String> {
        let batch = vec![Finished { settles: None, found, visit: None::<Visit> }];
        self.runtime.block_on(self.frontier.commit(NOW, batch)).map_err(|error| error.to_string())
    }

    fn count(&self, table: &str) -> u64 {
        connect(self.folder.path()).query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
    }

    /// Makes every later write of a discovery at this depth fail.
    fn poison(&self, depth: u32) {
        let sql = format!(
            "CREATE TRIGGER poison BEFORE INSERT ON found WHEN NEW.depth = {depth}
             BEGIN SELECT RAISE(ABORT, 'poison'); END"
        );
        connect(self.folder.path()).execute_batch(&sql).unwrap();
    }

    /// Completes the request of an order with success, and settles its task.
    fn land(&self, order: Order) -> Finished<Visit> {
        let Order::Fetch(task) = order else { panic!("{order:?}") };
        let signal = ResponseSignal { first_byte: Some(NOW), ..Default::default() };
        self.frontier.ended(NOW, &task, &signal);
        let robots = task.purpose == Purpose::Robots;
        let settlement = if robots { Settlement::Robots(RobotsAnswer::Free) } else { Settlement::Done };
        Finished { settles: Some((task, settlement)), found: Vec::new(), visit: None }
    }

    /// Leases until the queue is empty; returns the URLs of the pages in their order.
    fn crawl(&self) -> Vec<String> {
        let mut fetched = Vec::new();
        loop {
            let orders = match self.runtime.block_on(self.frontier.lease(NOW, 16)).unwrap() {
                Lease::Orders(orders) => orders,
                Lease::Drained => return fetched,
                Lease::Idle { until, .. } => panic!("idle until {until:?}"),
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
fn a_batch_that_fails_halfway_is_not_stored_at_all() {
    let fixture = Fixture::new();
    fixture.poison(77);
    let batch = vec![fixture.found("http://a.example/1", 0), fixture.found("http://b.example/2", 77)];
    assert!(fixture.commit(batch).unwrap_err().contains("poison"));
    for table in ["url", "found", "queue", "origin", "visit", "link_set", "anchor"] {
        assert_eq!(fixture.count(table), 0, "{table}");
    }
    assert!(fixture.frontier.seen().is_empty(), "what is not recorded is not known");
    assert_eq!(fixture.frontier.queue_state().queued, 0);
}

#[test]
fn after_a_batch_that_failed_the_next_one_is_complete() {
    let fixture = Fixture::new();
    fixture.poison(77);
    fixture.commit(vec![fixture.found("http://a.example/1", 0), fixture.found("http://b.example/2", 77)]).unwrap_err();
    fixture.commit(vec![fixture.found("http://a.example/1", 0)]).unwrap();
    assert_eq!(fixture.count("url"), 1);
    assert_eq!(fixture.count("queue JOIN origin ON origin.id = queue.origin WHERE text = 'http://a.example'"), 1);
    assert_eq!(fixture.frontier.queue_state().queued, 1);
}

#[test]
fn tries_are_counted_in_the_record_unless_they_may_have_cost_nothing() {
    let fixture = Fixture::new();
    fixture.commit(vec![fixture.found("http://a.example/1", 0)]).unwrap();
    fixture
        .runtime
        .block_on(fixture.frontier.commit(NOW, fixture.lease().into_iter().map(|o| fixture.land(o)).collect()))
        .unwrap();
    let mut now = NOW;
    for (cost, tries) in [(RetryCost::Try, 1), (RetryCost::TryUnlessRateLimited, 1), (RetryCost::Nothing, 1)] {
        now += Duration::from_secs(60);
        let Lease::Orders(mut orders) = fixture.runtime.block_on(fixture.frontier.lease(now, 1)).unwrap() else {
            panic!("nothing to lease")
        };
        let Finished { settles: Some((task, _)), .. } = fixture.land(orders.remove(0)) else { panic!("no task") };
        let settles = Some((task, Settlement::Retry { after: None, cost }));
        let batch = vec![Finished { settles, found: Vec::new(), visit: None::<Visit> }];
        fixture.runtime.block_on(fixture.frontier.commit(now, batch)).unwrap();
        assert_eq!(fixture.count("queue WHERE attempt = 0"), 1 - tries, "{cost:?}");
        assert_eq!(fixture.count("queue WHERE attempt = 1"), tries, "{cost:?}");
    }
}

#[test]
fn a_url_found_twice_in_a_batch_is_one_url_queued_once() {
    let fixture = Fixture::new();
    fixture.commit(vec![fixture.found("http://a.example/1", 3), fixture.found("http://a.example/1", 1)]).unwrap();
    fixture.commit(vec![fixture.found("http://a.example/1", 0)]).unwrap();
    assert_eq!((fixture.count("url"), fixture.count("found"), fixture.count("queue")), (1, 1, 1));
}

#[test]
fn tasks_leased_and_not_settled_stay_queued_when_the_process_ends() {
    let fixture = Fixture::new();
    fixture.commit(vec![fixture.found("http://a.example/1", 0), fixture.found("http://a.example/2", 0)]).unwrap();
    let robots = fixture.lease();
    let [Order::Fetch(task)] = &robots[..] else { panic!("{robots:?}") };
    fixture.frontier.ended(NOW, task, &ResponseSignal { irrelevant: true, ..ResponseSignal::default() });
    let settles = Some((task.clone(), Settlement::Robots(RobotsAnswer::Free)));
    let answered = Finished { settles, found: Vec::new(), visit: None };
    fixture.runtime.block_on(fixture.frontier.commit(NOW, vec![answered])).unwrap();
    let pages = fixture.lease();
    assert_eq!(pages.len(), 2);
    let Order::Fetch(done) = &pages[0] else { panic!("{pages:?}") };
    let done = Finished { settles: Some((done.clone(), Settlement::Done)), found: Vec::new(), visit: None };
    fixture.runtime.block_on(fixture.frontier.commit(NOW, vec![done])).unwrap();
    let Fixture { folder, frontier, writer_handle, .. } = fixture;
    drop(frontier);
    drop(writer_handle.take().unwrap());
    let unfinished = Record::open(folder.path()).unwrap().unfinished().unwrap().unwrap();
    assert_eq!((unfinished.run, unfinished.queued), (1, 1));
}

#[test]
fn a_queue_longer_than_the_window_is_read_back_completely_and_in_order() {
    let fixture = Fixture::new();
    let all: Vec<String> = (0..2000).map(|n| format!("http://a.example/{n}")).collect();
    fixture.commit(all.iter().map(|url| fixture.found(url, 0)).collect()).unwrap();
    let fetched = fixture.crawl();
    assert_eq!(fetched, all);
    assert_eq!(fixture.count("queue"), 0);
}

#[test]
fn tasks_in_memory_are_leased_while_the_record_is_being_written() {
    let fixture = Fixture::new();
    let all: Vec<String> = (0..600).map(|n| format!("http://a.example/{n}")).collect();
    fixture.commit(all.iter().map(|url| fixture.found(url, 0)).collect()).unwrap();
    // 128 of the 512 tasks in memory are left, so the next lease reads more from the record.
    let mut landed = Vec::new();
    while landed.len() < 384 {
        let batch: Vec<_> = fixture.lease().into_iter().map(|order| fixture.land(order)).collect();
        if pages(&batch).is_empty() {
            fixture.runtime.block_on(fixture.frontier.commit(NOW, batch)).unwrap();
        } else {
            landed.extend(batch);
        }
    }
    let mut fetched = pages(&landed);

    let other = connect(fixture.folder.path());
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let mut commit = pin!(fixture.frontier.commit(NOW, landed));
    assert!(poll(commit.as_mut()).is_pending(), "somebody else writes");
    let leased = poll(pin!(fixture.frontier.lease(NOW, 16)));
    let Poll::Ready(Ok(Lease::Orders(orders))) = leased else { panic!("{leased:?}") };
    other.execute_batch("ROLLBACK").unwrap();
    fixture.runtime.block_on(commit).unwrap();

    let batch: Vec<_> = orders.into_iter().map(|order| fixture.land(order)).collect();
    fetched.extend(pages(&batch));
    fixture.runtime.block_on(fixture.frontier.commit(NOW, batch)).unwrap();
    fetched.extend(fixture.crawl());
    assert_eq!(fetched, all);
}
