//! A frontier that stores everything in memory, in the way that the record stores it on disk.

use mapwright_frontier::{
    DiscoveryState, Finished, Frontier, Known, Lease, QueueState, ResponseSignal, Rules, Scheduler, Seen, Settlement,
};
use mapwright_model::{
    Discovery, Lane, Listing, Outcome, Purpose, Remembered, Target, Task, TaskId, TemplateId, UrlId, Via, Visit,
};
use mapwright_web::{KeyMaker, Origin, PageUrl, UrlKey};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

/// A record in memory. It is cheap to clone: the test keeps a clone to inspect what was recorded.
#[derive(Clone)]
pub(crate) struct Memory {
    shared: Arc<Mutex<Shared>>,
    seen: Arc<Seen>,
}

struct Shared {
    scheduler: Scheduler,
    order_matters: bool,
    urls: HashMap<u64, UrlId>,
    texts: BTreeMap<u32, PageUrl>,
    queue: BTreeMap<TaskId, Task>,
    next_seq: u64,
    visits: Vec<Visit>,
    found: Vec<Discovery>,
    /// Commits that succeed before one fails.
    commits_left: usize,
    commits: usize,
    largest_batch: usize,
}

#[derive(Debug, thiserror::Error)]
#[error("the disk is full")]
pub(crate) struct Full;

impl Memory {
    pub(crate) fn new(rules: Rules) -> Self {
        let shared = Shared {
            order_matters: rules.order_matters(),
            scheduler: Scheduler::new(rules),
            urls: HashMap::new(),
            texts: BTreeMap::new(),
            queue: BTreeMap::new(),
            next_seq: 1,
            visits: Vec::new(),
            found: Vec::new(),
            commits_left: usize::MAX,
            commits: 0,
            largest_batch: 0,
        };
        Self { shared: Arc::new(Mutex::new(shared)), seen: Arc::new(Seen::new()) }
    }

    /// Returns the same record, with commits that fail after this many.
    pub(crate) fn that_fills_up(self, after: usize) -> Self {
        self.shared().commits_left = after;
        self
    }

    fn shared(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap()
    }

    /// Returns the visits of this URL, in the order of their commits.
    pub(crate) fn visits(&self, url: &str) -> Vec<Visit> {
        self.shared().visits.iter().filter(|visit| visit.url().as_str() == url).cloned().collect()
    }

    /// Returns the only visit of this URL.
    pub(crate) fn visit(&self, url: &str) -> Visit {
        let visits = self.visits(url);
        assert_eq!(visits.len(), 1, "visits of {url}");
        visits.into_iter().next().unwrap()
    }

    /// Returns the URLs of pages with this outcome, sorted.
    pub(crate) fn pages(&self, outcome: Outcome) -> Vec<String> {
        let shared = self.shared();
        let pages = shared.visits.iter().filter(|v| v.task.purpose == Purpose::Page && v.outcome == outcome);
        let mut urls: Vec<String> = pages.map(|visit| visit.url().to_string()).collect();
        urls.sort();
        urls
    }

    /// Returns every committed discovery of this URL.
    pub(crate) fn found(&self, url: &str) -> Vec<Discovery> {
        self.shared().found.iter().filter(|found| found.url.as_str() == url).cloned().collect()
    }

    /// Returns the number of commits.
    pub(crate) fn commits(&self) -> usize {
        self.shared().commits
    }

    /// Returns the highest number of visits in one commit.
    pub(crate) fn largest_batch(&self) -> usize {
        self.shared().largest_batch
    }

    /// Returns the URLs that are still queued, sorted.
    pub(crate) fn queued(&self) -> Vec<String> {
        let mut urls: Vec<String> = self.shared().queue.values().map(|task| task.url.to_string()).collect();
        urls.sort();
        urls
    }

    fn apply(&self, shared: &mut Shared, now: Duration, batch: Vec<Finished<Visit>>) {
        let mut settled = Vec::new();
        let mut queued = Vec::new();
        for finished in batch {
            queued.extend(finished.found.into_iter().filter_map(|found| self.note(shared, found)));
            if let Some(visit) = finished.visit {
                self.number_targets(shared, &visit);
                shared.visits.push(visit);
            }
            settled.extend(finished.settles);
        }
        for task in queued {
            shared.scheduler.push(task);
        }
        for (task, settlement) in settled {
            if matches!(settlement, Settlement::Done) {
                shared.queue.remove(&task.task_id);
            }
            shared.scheduler.settle(now, task, settlement);
        }
    }

    fn number_targets(&self, shared: &mut Shared, visit: &Visit) {
        for (target, _) in visit.page().into_iter().flat_map(|page| page.links.iter()) {
            if let Target::New(key, url) = target {
                self.known(shared, *key, url);
            }
        }
    }

    fn known(&self, shared: &mut Shared, key: UrlKey, url: &PageUrl) -> Known {
        let id = UrlId(shared.urls.len() as u32 + 1);
        let id = *shared.urls.entry(key.0).or_insert(id);
        shared.texts.insert(id.0, url.clone());
        self.seen.insert(key, Known { id, discovery_state: DiscoveryState::Past });
        self.seen.get(key).unwrap()
    }

    /// Records a discovery; returns its task, if it is to be fetched.
    fn note(&self, shared: &mut Shared, found: Discovery) -> Option<Task> {
        let known = self.known(shared, found.key, &found.url);
        shared.found.push(found.clone());
        let listed = matches!(found.via, Via::Sitemap | Via::Feed) && shared.order_matters;
        let discovery_state = match found.refused {
            _ if found.purpose.is_prerequisite() => known.discovery_state,
            Some(why) if !why.is_final() => known.discovery_state.max(DiscoveryState::Mentioned),
            Some(_) => DiscoveryState::Decided,
            None if listed => DiscoveryState::Listed,
            None => DiscoveryState::Decided,
        };
        self.seen.insert(found.key, Known { discovery_state, ..known });
        let fresh = found.purpose.is_prerequisite() || known.discovery_state < discovery_state;
        if found.refused.is_some() || !fresh {
            return None;
        }
        let lane = match (found.purpose, found.via) {
            (Purpose::Page, Via::Start | Via::Redirect | Via::Refresh) => Lane::Redirect,
            (Purpose::Page, Via::Sitemap | Via::Feed) => Lane::Listed,
            (Purpose::Page, _) => Lane::Link,
            _ => Lane::Prerequisite,
        };
        let task = Task { route: found.route, ..Task::new(shared.next_seq, known.id, found.url, found.purpose, lane) };
        shared.next_seq += 1;
        shared.queue.insert(task.task_id, task.clone());
        Some(task)
    }
}

impl Frontier for Memory {
    type Visit = Visit;
    type Memory = Remembered;
    type Error = Full;

    async fn lease(&self, now: Duration, room: usize) -> Result<Lease, Full> {
        let mut shared = self.shared();
        while let Some(wish) = shared.scheduler.next_refill() {
            let waits = |task: &&Task| task.lane == wish.lane && task.url.origin() == wish.origin;
            let tasks = shared.queue.range(TaskId::Queued(wish.after + 1)..).map(|(_, task)| task).filter(waits);
            let tasks = tasks.take(wish.count).cloned().collect();
            shared.scheduler.refill(&wish, tasks);
        }
        Ok(shared.scheduler.lease(now, room))
    }

    fn ended(&self, now: Duration, task: &Task, signal: &ResponseSignal) {
        self.shared().scheduler.ended(now, task, signal);
    }

    fn turn(&self, now: Duration, origin: &Origin, crawl_delay: Option<f64>) -> Duration {
        self.shared().scheduler.turn(now, origin, crawl_delay)
    }

    fn throttled(&self, now: Duration, origin: &Origin, signal: &ResponseSignal) {
        self.shared().scheduler.throttled(now, origin, signal);
    }

    async fn commit(&self, now: Duration, batch: Vec<Finished<Visit>>) -> Result<(), Full> {
        let mut shared = self.shared();
        shared.commits_left = shared.commits_left.checked_sub(1).ok_or(Full)?;
        shared.commits += 1;
        shared.largest_batch = shared.largest_batch.max(batch.len());
        self.apply(&mut shared, now, batch);
        Ok(())
    }

    async fn recall(&self, _: UrlId) -> Result<Option<Remembered>, Full> {
        Ok(None)
    }

    async fn recall_file(&self, _: UrlId) -> Result<Listing, Full> {
        Ok(Listing::default())
    }

    async fn recall_redirect(&self, _: UrlId) -> Result<Option<PageUrl>, Full> {
        Ok(None)
    }

    async fn resources(&self, _: HashSet<Origin>, _: u64) -> Result<Vec<PageUrl>, Full> {
        Ok(Vec::new())
    }

    async fn request_again(&self, _: TemplateId) -> Result<u64, Full> {
        Ok(0)
    }

    async fn open(&self, _: Vec<PageUrl>) -> Result<(), Full> {
        self.shared().scheduler.open();
        Ok(())
    }

    fn seen(&self) -> Arc<Seen> {
        Arc::clone(&self.seen)
    }

    fn queue_state(&self) -> QueueState {
        self.shared().scheduler.queue_state()
    }
}

/// The key maker of the tests' engines.
pub(crate) fn keys() -> KeyMaker {
    KeyMaker::new(1, 2)
}
