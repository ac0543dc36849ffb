//! A crawl that only writes to the record: pages that were generated beforehand, a batch at a time.

#![allow(dead_code, reason = "each program takes what it needs")]
#![allow(clippy::expect_used, clippy::panic, reason = "work that is fixed")]

mod page;

use jiff::Timestamp;
use mapwright_frontier::{
    Finished, Frontier, Lease, Order, PaceRules, ResponseSignal, RobotsAnswer, Rules, Settlement,
};
use mapwright_model::{
    Content, Discovery, Fingerprint, LinkRef, Links, Outcome, PageContent, Purpose, RecordedResponse, Route, Target,
    Task, Via, Visit,
};
use mapwright_store::{LocalFrontier, Record, Recrawl, RunInfo};
use mapwright_web::media::Media;
use mapwright_web::page::{DocumentHeaders, Limits, Link, read};
use mapwright_web::{KeyMaker, PageUrl, UrlIdentity};
use std::time::Duration;
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};

/// The number of visits in a batch, as in a full batch of the engine.
pub(crate) const BATCH: usize = 32;

/// A record that is written to.
pub(crate) struct Fixture {
    frontier: LocalFrontier,
    runtime: Runtime,
    keys: KeyMaker,
    limits: Limits,
    now: Duration,
    /// The folder of the record, which is removed when the fixture is dropped.
    _folder: TempDir,
}

impl Fixture {
    /// Creates a record in which the first pages are queued and robots.txt is known.
    pub(crate) fn new() -> Self {
        let folder = TempDir::new().expect("a folder for the record");
        let mut record = Record::open(folder.path()).expect("a new record");
        record.begin(&RunInfo::default()).expect("a new run");
        let keys = record.keys();
        let rules = Rules { pace: PaceRules { concurrency: BATCH, ..PaceRules::default() }, ..Rules::default() };
        let (frontier, _) = LocalFrontier::start(record, rules, Recrawl::default()).expect("a frontier");
        let runtime = Builder::new_current_thread().build().expect("a runtime");
        runtime.block_on(frontier.open(vec![page::url(0)])).expect("an open scope");
        let (limits, now) = (Limits::default(), Duration::ZERO);
        let mut fixture = Fixture { frontier, runtime, keys, limits, now, _folder: folder };
        let first = (0..2 * BATCH).map(|number| fixture.found(page::url(number), Via::Start)).collect();
        fixture.commit(vec![Finished { settles: None, found: first, visit: None }]);
        let robots = fixture.lease(1).into_iter().map(|task| {
            let settles = Some((task, Settlement::Robots(RobotsAnswer::Free)));
            Finished { settles, found: Vec::new(), visit: None }
        });
        let robots = robots.collect();
        fixture.commit(robots);
        fixture
    }

    /// Visits of the next pages in the queue. Their links keep the queue full, so that it never ends.
    pub(crate) fn batch(&mut self) -> Vec<Finished<Visit>> {
        self.lease(BATCH).into_iter().map(|task| self.visited(task)).collect()
    }

    /// Commits a batch in one transaction.
    pub(crate) fn commit(&self, batch: Vec<Finished<Visit>>) {
        self.runtime.block_on(self.frontier.commit(self.now, batch)).expect("a commit");
    }

    /// The number of known URLs.
    pub(crate) fn known(&self) -> usize {
        self.frontier.seen().len()
    }

    fn lease(&mut self, room: usize) -> Vec<Task> {
        self.now += Duration::from_millis(10);
        let lease = self.runtime.block_on(self.frontier.lease(self.now, room)).expect("a lease");
        let Lease::Orders(orders) = lease else { panic!("nothing to do: {lease:?}") };
        let fetched = orders.into_iter().map(|order| {
            let Order::Fetch(task) = order else { panic!("nothing here is refused: {order:?}") };
            let signal = ResponseSignal { first_byte: Some(Duration::from_millis(5)), ..ResponseSignal::default() };
            self.frontier.ended(self.now, &task, &signal);
            task
        });
        fetched.collect()
    }

    /// The visit of a page, read as a crawl reads it.
    fn visited(&self, task: Task) -> Finished<Visit> {
        let html = page::html(&task.url);
        let head = DocumentHeaders { content_type: Some("text/html; charset=utf-8"), ..DocumentHeaders::default() };
        let mut facts = read(html.as_bytes(), &head, &task.url, &self.limits);
        let links = std::mem::take(&mut facts.links);
        let found = links.iter().filter_map(|link| link.url.clone()).map(|url| self.found(url, Via::Link));
        let found = found.filter(|found| self.frontier.seen().get(found.key).is_none()).collect();
        let mut visit = Visit::new(task.clone(), Timestamp::UNIX_EPOCH, Outcome::Page);
        let mut content = PageContent { facts, ..PageContent::default() };
        links.into_iter().for_each(|link| self.link(link, &mut content.links));
        visit.content = Content::Page(Box::new(content));
        visit.response = RecordedResponse {
            status: Some(200),
            first_byte: Some(Duration::from_millis(5)),
            total: Some(Duration::from_millis(6)),
            wire_bytes: html.len() as u64 / 4,
            body_bytes: html.len() as u64,
            media: Some(Media::of(head.content_type, html.as_bytes())),
            fingerprint: Fingerprint { hash: Some(self.keys.hash(html.as_bytes())), ..Fingerprint::default() },
            ..RecordedResponse::default()
        };
        Finished { settles: Some((task, Settlement::Done)), found, visit: Some(visit) }
    }

    fn link(&self, link: Link, links: &mut Links) {
        let Some(url) = link.url else { return };
        let key = self.keys.key(&url);
        let target = self.frontier.seen().get(key).map_or(Target::New(key, url), |known| Target::Known(known.id));
        let Link { kind, rel, region, anchor, fragment, .. } = link;
        links.push(target, LinkRef { kind, rel, region, anchor: &anchor, fragment: fragment.as_deref() });
    }

    fn found(&self, url: PageUrl, via: Via) -> Discovery {
        let route = Route { depth: 1, ..Route::default() };
        Discovery { route, ..Discovery::new(self.keys.key(&url), url, via, Purpose::Page) }
    }
}

fn parse(text: &str) -> PageUrl {
    PageUrl::parse(text, &UrlIdentity::default()).expect("a fixed URL")
}
