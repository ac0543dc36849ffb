//! The loop: lease, visit, commit, until nothing is left.

use crate::admission::{Admission, StartRedirect};
use crate::audit_requests::ResourceRounds;
use crate::batch::{Batch, MAX_UNCOMMITTED};
use crate::context::VisitContext;
use crate::distinct::distinct_content;
use crate::ended::{Completeness, CrawlResult, Cut, EngineError};
use crate::event::{Event, Observer};
use crate::options::EngineOptions;
use crate::page_requests::RobotsFiles;
use crate::pending_starts::PendingStarts;
use crate::render::Renders;
use crate::start::Start;
use crate::visit;
use crate::visits_in_flight::{Answered, InFlight};
use mapwright_fetch::Fetch;
use mapwright_frontier::{Finished, Frontier, Lease, Order, ResponseSignal, Settlement};
use mapwright_model::{Outcome, Purpose, Remembered, Via, Visit};
use mapwright_web::Scope;
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::{Id, JoinError, JoinHandle, JoinSet};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

mod rendering;
mod rounds;

/// One crawl.
pub struct Engine<F: Frontier<Visit = Visit, Memory = Remembered>, C: Fetch> {
    frontier: Arc<F>,
    context: Arc<VisitContext<C>>,
    options: EngineOptions,
    admission: Admission,
    observer: Arc<dyn Observer>,
    began: Instant,
    visits: JoinSet<Finished<Visit>>,
    in_flight: InFlight,
    pending_starts: PendingStarts,
    /// The scope is settled.
    scope_settled: bool,
    batch: Batch,
    committing: Option<JoinHandle<Result<(), F::Error>>>,
    start_answered: bool,
    any_answer_will_do: bool,
    starts_on_other_site: Vec<(String, String)>,
    resource_rounds: ResourceRounds,
    /// The robots.txt that the requests of pages obey.
    robots_of_pages: Option<Arc<RobotsFiles>>,
}

/// The result of a lease.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LeaseResult {
    /// Every place is taken.
    Full,
    /// Places are free, and no task is available before this time; `starved`: a commit may bring some.
    Short { until: Option<Duration>, starved: bool },
    /// The queue is empty.
    Drained,
}

impl<F: Frontier<Visit = Visit, Memory = Remembered>, C: Fetch> Engine<F, C> {
    /// Returns an engine over `frontier` and `fetcher`, for a crawl of `scope`.
    pub fn new(frontier: F, fetcher: C, scope: Scope, options: EngineOptions, observer: Arc<dyn Observer>) -> Self {
        let context = Arc::new(VisitContext::new(fetcher, &options, frontier.seen()));
        let batch = Batch::new(options.batch_wait);
        let resource_rounds = ResourceRounds::new(options.checks.resources);
        Self {
            frontier: Arc::new(frontier),
            context,
            admission: Admission::new(scope, &options),
            options,
            observer,
            began: Instant::now(),
            visits: JoinSet::new(),
            in_flight: InFlight::new(),
            pending_starts: PendingStarts::new(&[]),
            scope_settled: false,
            batch,
            committing: None,
            start_answered: false,
            any_answer_will_do: false,
            starts_on_other_site: Vec::new(),
            resource_rounds,
            robots_of_pages: None,
        }
    }

    /// Crawls until nothing is left, until `stop` is cancelled, or until the time limit.
    ///
    /// # Errors
    /// When the record cannot be read or written.
    pub async fn run(mut self, start: Start, stop: CancellationToken) -> Result<CrawlResult, EngineError<F::Error>> {
        let cut = match self.begin(start).await {
            Ok(()) => self.crawl(&stop).await.map_err(EngineError)?,
            Err(error) => return Err(EngineError(error)),
        };
        self.observer.see(&Event::Ended);
        let queue = self.frontier.queue_state();
        let completeness = match cut {
            Some(cut) => Completeness::Cut(cut),
            None if queue.down.is_empty() => Completeness::Complete,
            None => Completeness::Cut(Cut::SiteDown),
        };
        Ok(CrawlResult {
            completeness,
            queue,
            refused: self.admission.refused(),
            scope: self.admission.scope().clone(),
            start_answered: self.start_answered,
            starts_on_other_site: self.starts_on_other_site,
            browser: self.context.renders().and_then(Renders::browser),
        })
    }

    /// Queues the start URLs and the list; a resumed run has them queued already.
    async fn begin(&mut self, mut start: Start) -> Result<(), F::Error> {
        let keys = self.options.reading.keys;
        let seen = self.frontier.seen();
        self.any_answer_will_do = start.urls.is_empty();
        if let Some(resumed) = start.resumed.take() {
            self.start_answered = resumed.start_answered;
            self.admission.resume(resumed);
            return self.open().await;
        }
        let mut once = HashSet::new();
        let mut seeds = start.seeds(&keys);
        seeds.retain(|seed| once.insert(seed.key));
        let seeds = self.admission.decide(None, seeds, &seen);
        self.pending_starts = PendingStarts::new(&seeds);
        let mut listed = self.admission.decide(None, start.listed(&keys), &seen);
        listed.retain(|found| once.insert(found.key));
        let found = seeds.into_iter().chain(listed).collect();
        self.frontier.commit(self.now(), vec![Finished { settles: None, found, visit: None }]).await?;
        Ok(())
    }

    /// Settles the scope, so that every task may be leased.
    async fn open(&mut self) -> Result<(), F::Error> {
        self.scope_settled = true;
        self.frontier.open(self.admission.scope().roots().to_vec()).await
    }

    /// Settles the scope once all start URLs are settled, and judges the held-back links by it. Returns whether it did
    /// so now.
    async fn open_when_settled(&mut self) -> Result<bool, F::Error> {
        if self.scope_settled || self.pending_starts.has_pending() {
            return Ok(false);
        }
        self.open().await?;
        self.pending_starts.release().into_iter().for_each(|finished| self.admit(finished));
        Ok(true)
    }

    /// Runs the loop. Returns the reason why the crawl was cut, if it was.
    async fn crawl(&mut self, stop: &CancellationToken) -> Result<Option<Cut>, F::Error> {
        let deadline = self.options.max_time.map(|time| self.began + time);
        loop {
            if self.has_lost_browser() {
                return self.drain(Cut::Browser).await.map(Some);
            }
            let mut lease_result = self.lease().await?;
            // A start URL may be settled without a request, which makes more tasks available at once.
            while self.open_when_settled().await? {
                lease_result = self.lease().await?;
            }
            self.commit_if_due(lease_result);
            let idle = self.visits.is_empty() && self.batch.is_empty() && self.committing.is_none();
            if lease_result == LeaseResult::Drained && idle {
                if !self.begin_next_round().await? {
                    return Ok(None);
                }
                continue;
            }
            let wake = self.next_wake(lease_result);
            tokio::select! {
                answered = self.in_flight.answered() => self.handle_answer(answered),
                Some(ended) = self.visits.join_next_with_id() => self.take(ended),
                done = committed(&mut self.committing) => self.committed(done)?,
                () = sleep_until(wake) => {}
                () = stop.cancelled() => return self.drain(Cut::Stopped).await.map(Some),
                () = sleep_until(deadline) => return self.drain(Cut::Time).await.map(Some),
            }
        }
    }

    /// Starts as many visits as there is room for.
    async fn lease(&mut self) -> Result<LeaseResult, F::Error> {
        loop {
            let places = self.options.concurrency.saturating_sub(self.busy());
            let room = places.min(self.most_leased().saturating_sub(self.leased()));
            if room == 0 {
                return Ok(LeaseResult::Full);
            }
            if self.options.in_order && (!self.batch.is_empty() || self.committing.is_some()) {
                return Ok(LeaseResult::Short { until: None, starved: true });
            }
            match self.frontier.lease(self.now(), room).await? {
                Lease::Orders(orders) => orders.into_iter().for_each(|order| self.carry_out(order)),
                Lease::Idle { until, starved } => return Ok(LeaseResult::Short { until, starved }),
                Lease::Drained => return Ok(LeaseResult::Drained),
            }
        }
    }

    /// Returns the number of taken places: by requests in flight or, where the order of discoveries matters, by visits
    /// until they are read.
    fn busy(&self) -> usize {
        if self.options.in_order { self.visits.len() } else { self.in_flight.in_flight() }
    }

    /// Returns the number of visits that have begun and are not committed.
    fn leased(&self) -> usize {
        self.visits.len() + self.batch.uncommitted()
    }

    fn most_leased(&self) -> usize {
        self.options.concurrency + MAX_UNCOMMITTED
    }

    fn carry_out(&mut self, order: Order) {
        match order {
            Order::Fetch(task) => {
                if let Some(settled) = self.admission.settle(&task) {
                    self.frontier.ended(
                        self.now(),
                        &task,
                        &ResponseSignal { irrelevant: true, ..ResponseSignal::default() },
                    );
                    self.finish(settled);
                    return;
                }
                let answers = self.in_flight.answers();
                let visit = visit::visit(Arc::clone(&self.context), Arc::clone(&self.frontier), task.clone(), answers);
                self.in_flight.begin(self.visits.spawn(visit).id(), task, true);
            }
            Order::HealthProbe(task) => {
                let health_probe =
                    visit::health_probe(Arc::clone(&self.context), task.clone(), self.in_flight.answers());
                self.in_flight.begin(self.visits.spawn(health_probe).id(), task, true);
            }
            Order::Recall(task) => {
                let visit = visit::recalled(Arc::clone(&self.context), Arc::clone(&self.frontier), task.clone());
                self.in_flight.begin(self.visits.spawn(visit).id(), task, false);
            }
            Order::Refuse(task, refusal) => self.finish(visit::refused(task, refusal)),
            Order::Drop(task) => {
                let settles = Some((task, Settlement::Done));
                self.finish(Finished { settles, found: Vec::new(), visit: None });
            }
        }
    }

    /// Handles a response that has arrived: its place is free while the response is read.
    fn handle_answer(&mut self, answered: Answered) {
        let now = self.now();
        if let Some(task) = self.in_flight.note_answer(answered.id) {
            self.frontier.ended(now, task, &answered.signal);
        }
    }

    /// Handles a visit that has ended, normally or by a panic.
    fn take(&mut self, ended: Result<(Id, Finished<Visit>), JoinError>) {
        while let Some(answered) = self.in_flight.try_answered() {
            self.handle_answer(answered);
        }
        let (id, finished) = match ended {
            Ok((id, finished)) => (id, Ok(finished)),
            Err(error) => (error.id(), Err(error)),
        };
        let Some((task, in_flight)) = self.in_flight.end(id) else { return };
        if in_flight {
            self.frontier.ended(self.now(), &task, &ResponseSignal { irrelevant: true, ..ResponseSignal::default() });
        }
        self.finish(finished.unwrap_or_else(|error| visit::crashed(task, &error.to_string())));
    }

    /// Decides on the discoveries of a visit, and adds it to the batch; start pages wait until the scope is settled.
    fn finish(&mut self, mut finished: Finished<Visit>) {
        self.report(&finished);
        let over = matches!(&finished.settles, Some((task, Settlement::Done)) if task.route.seed);
        if over && self.pending_starts.has_pending() && !self.follows_start_redirect(&mut finished) {
            self.pending_starts.hold(finished);
            return;
        }
        self.admit(finished);
    }

    fn admit(&mut self, mut finished: Finished<Visit>) {
        if let Some((task, Settlement::Robots(answer))) = &finished.settles {
            self.admission.variants().learn_robots(task, answer);
            if let (Some(robots), Some(origin)) = (&self.robots_of_pages, &task.robots_of) {
                robots.learn(origin, answer);
            }
        }
        let task = finished.settles.as_ref().map(|(task, _)| task);
        if let Some(visit) = finished.visit.as_ref().filter(|visit| !visit.task.tries.timed) {
            if visit.outcome == Outcome::Page {
                self.admission.read(&visit.task.url, &visit.relinked, visit.reused().is_some());
            }
            if matches!(visit.outcome, Outcome::Page | Outcome::File) {
                self.admission
                    .learn_content(&visit.task.url, distinct_content(visit, self.options.reading.full_body_kinds));
            }
        }
        if let Some(visit) = &finished.visit {
            self.admission.variants().read(visit);
        }
        finished.found = self.admission.decide(task, finished.found, &self.context.seen);
        self.context.set_tracks_relinks(self.admission.tracks_relinks());
        self.batch.push(finished);
    }

    /// Reports whether the crawl follows the redirect of a start URL: the target is then a start URL in its place.
    fn follows_start_redirect(&mut self, finished: &mut Finished<Visit>) -> bool {
        let Some((task, _)) = &finished.settles else { return false };
        let Some(hop) = finished.found.iter_mut().find(|f| matches!(f.via, Via::Redirect | Via::Refresh)) else {
            return false;
        };
        match self.admission.follow_start(&task.url, &hop.url) {
            StartRedirect::Inside => {}
            StartRedirect::Moved(root) => {
                let (from, to) = (task.url.as_str(), hop.url.as_str());
                self.observer.see(&Event::ScopeMoved { from, to, root: root.as_str() });
            }
            StartRedirect::OtherSite => {
                self.observer.see(&Event::StartOnOtherSite { from: task.url.as_str(), to: hop.url.as_str() });
                self.starts_on_other_site.push((task.url.to_string(), hop.url.to_string()));
                return false;
            }
        }
        hop.route.seed = true;
        // A page that is requested once more is no further start: the record may remember it and not request it.
        !hop.after_cookie_wall
            && self.admission.would_queue(hop, &self.context.seen)
            && self.pending_starts.replaces(hop.key)
    }

    /// Notifies the observer, and notes whether a start URL has responded well.
    fn report(&mut self, finished: &Finished<Visit>) {
        let Some(visit) = &finished.visit else { return };
        let is_page = visit.task.purpose == Purpose::Page;
        self.start_answered |= is_page && (visit.task.route.seed || self.any_answer_will_do) && visit.answered_well();
        self.observer.see(&Event::Visited {
            url: visit.task.url.as_str(),
            is_page,
            outcome: visit.outcome,
            status: visit.response.status,
            total: visit.response.total,
            will_retry: visit.will_retry,
        });
    }

    /// Starts a commit if one is due.
    fn commit_if_due(&mut self, lease_result: LeaseResult) {
        let starved = matches!(lease_result, LeaseResult::Short { starved: true, .. } | LeaseResult::Drained);
        if self.committing.is_none() && self.batch.is_due(starved) {
            self.start_commit();
        }
    }

    fn start_commit(&mut self) {
        self.admission.begin_commit();
        let (frontier, now, batch) = (Arc::clone(&self.frontier), self.now(), self.batch.take());
        self.committing = Some(tokio::spawn(async move { frontier.commit(now, batch).await }));
    }

    fn committed(&mut self, done: Result<Result<(), F::Error>, JoinError>) -> Result<(), F::Error> {
        self.committing = None;
        self.batch.committed();
        match done {
            Ok(result) => result?,
            Err(error) => std::panic::resume_unwind(error.into_panic()),
        }
        let rendering = self.context.renders().map_or(0, Renders::in_progress);
        self.observer.see(&Event::Committed { queued: self.frontier.queue_state().queued, rendering });
        Ok(())
    }

    fn next_wake(&self, lease_result: LeaseResult) -> Option<Instant> {
        let offered = if let LeaseResult::Short { until, .. } = lease_result { until } else { None };
        let offered = offered.map(|until| self.began + until);
        let due = self.batch.due_at().filter(|_| self.committing.is_none());
        offered.into_iter().chain(due).min()
    }

    /// Stops the crawl: nothing new is fetched, requests in flight may end within the grace time, and the visits that
    /// have ended are recorded.
    async fn drain(&mut self, cut: Cut) -> Result<Cut, F::Error> {
        let end = Instant::now() + self.options.grace;
        while !self.visits.is_empty() {
            tokio::select! {
                Some(ended) = self.visits.join_next_with_id() => self.take(ended),
                () = tokio::time::sleep_until(end) => self.visits.abort_all(),
            }
            if Instant::now() >= end {
                break;
            }
        }
        while self.committing.is_some() || !self.batch.is_empty() {
            if self.committing.is_none() {
                self.start_commit();
            }
            let done = committed(&mut self.committing).await;
            self.committed(done)?;
        }
        Ok(cut)
    }

    fn now(&self) -> Duration {
        self.began.elapsed()
    }
}

/// Waits for a commit in progress; for ever if there is none.
async fn committed<E>(commit: &mut Option<JoinHandle<Result<(), E>>>) -> Result<Result<(), E>, JoinError> {
    match commit {
        Some(handle) => handle.await,
        None => std::future::pending().await,
    }
}

async fn sleep_until(time: Option<Instant>) {
    match time {
        Some(time) => tokio::time::sleep_until(time).await,
        None => std::future::pending().await,
    }
}
