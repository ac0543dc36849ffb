//! The loop: lease, visit, commit, until nothing is left.

use crate::admission::{Admission, Along};
use crate::batch::{Batch, MOST_UNCOMMITTED};
use crate::desk::Desk;
use crate::ended::{Cut, Ended, EngineError, How};
use crate::event::{Event, Observer};
use crate::flight::{Flight, Landing};
use crate::opening::Opening;
use crate::options::EngineOptions;
use crate::remembered::Remembered;
use crate::start::Start;
use crate::visit;
use crate::visited::{Outcome, Visit};
use mapwright_fetch::Fetch;
use mapwright_frontier::{Finished, Frontier, Lease, Order, Purpose, Settlement, Via, Weather};
use mapwright_web::Scope;
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::{Id, JoinError, JoinHandle, JoinSet};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// One crawl.
pub struct Engine<F: Frontier<Visit = Visit, Memory = Remembered>, C: Fetch> {
    frontier: Arc<F>,
    desk: Arc<Desk<C>>,
    options: EngineOptions,
    admission: Admission,
    observer: Arc<dyn Observer>,
    began: Instant,
    visits: JoinSet<Finished<Visit>>,
    flight: Flight,
    opening: Opening,
    /// The scope is settled.
    opened: bool,
    batch: Batch,
    committing: Option<JoinHandle<Result<(), F::Error>>>,
    start_answered: bool,
    any_answer_will_do: bool,
    starts_left: Vec<(String, String)>,
}

/// What a lease came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Supply {
    /// Every place is taken.
    Full,
    /// Places are free, and nothing is to be had before this time.
    Short(Option<Duration>),
    /// The queue is empty.
    Drained,
}

impl<F: Frontier<Visit = Visit, Memory = Remembered>, C: Fetch> Engine<F, C> {
    /// An engine over `frontier` and `fetcher`, for a crawl of `scope`.
    pub fn new(frontier: F, fetcher: C, scope: Scope, options: EngineOptions, observer: Arc<dyn Observer>) -> Self {
        let desk = Arc::new(Desk::new(fetcher, &options, frontier.seen()));
        let batch = Batch::new(options.batch_wait);
        Self {
            frontier: Arc::new(frontier),
            desk,
            admission: Admission::new(scope, &options),
            options,
            observer,
            began: Instant::now(),
            visits: JoinSet::new(),
            flight: Flight::new(),
            opening: Opening::new(&[]),
            opened: false,
            batch,
            committing: None,
            start_answered: false,
            any_answer_will_do: false,
            starts_left: Vec::new(),
        }
    }

    /// Crawls until nothing is left, or until `stop` is cancelled or time is up.
    ///
    /// # Errors
    /// When the record cannot be kept.
    pub async fn run(mut self, start: Start, stop: CancellationToken) -> Result<Ended, EngineError<F::Error>> {
        let cut = match self.begin(start).await {
            Ok(()) => self.crawl(&stop).await.map_err(EngineError)?,
            Err(error) => return Err(EngineError(error)),
        };
        let drain = self.frontier.drain();
        let how = match cut {
            Some(cut) => How::Cut(cut),
            None if drain.down.is_empty() => How::Whole,
            None => How::Cut(Cut::SiteDown),
        };
        Ok(Ended {
            how,
            drain,
            refused: self.admission.refused(),
            scope: self.admission.scope().clone(),
            start_answered: self.start_answered,
            starts_left: self.starts_left,
        })
    }

    /// Queues the start URLs and the list; a run that goes on has them queued.
    async fn begin(&mut self, mut start: Start) -> Result<(), F::Error> {
        let keys = self.options.reading.keys;
        let seen = self.frontier.seen();
        self.any_answer_will_do = start.urls.is_empty();
        if let Some(resumed) = start.resumed.take() {
            self.start_answered = resumed.start_answered;
            self.admission.go_on(resumed);
            return self.open().await;
        }
        let mut once = HashSet::new();
        let mut seeds = start.seeds(&keys);
        seeds.retain(|seed| once.insert(seed.key));
        let seeds = self.admission.decide(None, seeds, &seen);
        self.opening = Opening::new(&seeds);
        let mut listed = self.admission.decide(None, start.listed(&keys), &seen);
        listed.retain(|found| once.insert(found.key));
        let found = seeds.into_iter().chain(listed).collect();
        self.frontier.commit(self.now(), vec![Finished { settles: None, found, visit: None }]).await?;
        Ok(())
    }

    /// The scope is settled: everything may be leased.
    async fn open(&mut self) -> Result<(), F::Error> {
        self.opened = true;
        self.frontier.open(self.admission.scope().roots().to_vec()).await
    }

    /// Once all start URLs are settled, so is the scope: what was held back is judged by it. Whether that was just now.
    async fn open_when_settled(&mut self) -> Result<bool, F::Error> {
        if self.opened || self.opening.is_on() {
            return Ok(false);
        }
        self.open().await?;
        self.opening.release().into_iter().for_each(|finished| self.admit(finished));
        Ok(true)
    }

    /// The loop itself. What cut it, if anything did.
    async fn crawl(&mut self, stop: &CancellationToken) -> Result<Option<Cut>, F::Error> {
        let deadline = self.options.max_time.map(|time| self.began + time);
        loop {
            let mut supply = self.lease().await?;
            // A start URL may be settled without a request: then there is more to lease at once.
            while self.open_when_settled().await? {
                supply = self.lease().await?;
            }
            self.commit_if_due(supply);
            let idle = self.visits.is_empty() && self.batch.is_empty() && self.committing.is_none();
            if supply == Supply::Drained && idle {
                if !self.check_resources().await? {
                    return Ok(None);
                }
                continue;
            }
            let wake = self.next_wake(supply);
            tokio::select! {
                landing = self.flight.landing() => self.landed(landing),
                Some(ended) = self.visits.join_next_with_id() => self.take(ended),
                done = committed(&mut self.committing) => self.committed(done)?,
                () = sleep_until(wake) => {}
                () = stop.cancelled() => return self.drain(Cut::Stopped).await.map(Some),
                () = sleep_until(deadline) => return self.drain(Cut::Time).await.map(Some),
            }
        }
    }

    /// When all pages are read, an audit asks for what they show, once: till then it may turn out to be a page. Whether there
    /// is anything to ask for.
    async fn check_resources(&mut self) -> Result<bool, F::Error> {
        let most = std::mem::take(&mut self.options.checks.external);
        if most == 0 {
            return Ok(false);
        }
        let resources = self.frontier.resources(most).await?;
        let found = self.admission.checks_of(resources, &self.frontier.seen());
        let any = !found.is_empty();
        if any {
            self.frontier.commit(self.now(), vec![Finished { settles: None, found, visit: None }]).await?;
        }
        Ok(any)
    }

    /// Starts as many visits as there is room for.
    async fn lease(&mut self) -> Result<Supply, F::Error> {
        loop {
            let places = self.options.concurrency.saturating_sub(self.busy());
            let room = places.min(self.most_leased().saturating_sub(self.leased()));
            if room == 0 {
                return Ok(Supply::Full);
            }
            if self.options.in_order && (!self.batch.is_empty() || self.committing.is_some()) {
                return Ok(Supply::Short(None));
            }
            match self.frontier.lease(self.now(), room).await? {
                Lease::Orders(orders) => orders.into_iter().for_each(|order| self.carry_out(order)),
                Lease::Idle(until) => return Ok(Supply::Short(until)),
                Lease::Drained => return Ok(Supply::Drained),
            }
        }
    }

    /// Places that are taken: by requests, until they have landed. Where the order of what is found matters, by visits,
    /// until they are read.
    fn busy(&self) -> usize {
        if self.options.in_order { self.visits.len() } else { self.flight.in_the_air() }
    }

    /// Visits that have begun and are not committed.
    fn leased(&self) -> usize {
        self.visits.len() + self.batch.uncommitted()
    }

    fn most_leased(&self) -> usize {
        self.options.concurrency + MOST_UNCOMMITTED
    }

    fn carry_out(&mut self, order: Order) {
        match order {
            Order::Fetch(task) => {
                if let Some(settled) = self.admission.settle(&task) {
                    self.frontier.ended(self.now(), &task, &Weather { none: true, ..Weather::default() });
                    self.finish(settled);
                    return;
                }
                let tower = self.flight.tower();
                let visit = visit::visit(Arc::clone(&self.desk), Arc::clone(&self.frontier), task.clone(), tower);
                self.flight.begin(self.visits.spawn(visit).id(), task, true);
            }
            Order::Prove(task) => {
                let prove = visit::prove(Arc::clone(&self.desk), task.clone(), self.flight.tower());
                self.flight.begin(self.visits.spawn(prove).id(), task, true);
            }
            Order::Recall(task) => {
                let visit = visit::recalled(Arc::clone(&self.desk), Arc::clone(&self.frontier), task.clone());
                self.flight.begin(self.visits.spawn(visit).id(), task, false);
            }
            Order::Refuse(task, refusal) => self.finish(visit::refused(task, refusal)),
            Order::Drop(task) => {
                let settles = Some((task, Settlement::Done));
                self.finish(Finished { settles, found: Vec::new(), visit: None });
            }
        }
    }

    /// The answer to a request is here: its place is free while the answer is read.
    fn landed(&mut self, landing: Landing) {
        let now = self.now();
        if let Some(task) = self.flight.land(landing.id) {
            self.frontier.ended(now, task, &landing.weather);
        }
    }

    /// A visit has ended, well or by a panic.
    fn take(&mut self, ended: Result<(Id, Finished<Visit>), JoinError>) {
        while let Some(landing) = self.flight.landed() {
            self.landed(landing);
        }
        let (id, finished) = match ended {
            Ok((id, finished)) => (id, Ok(finished)),
            Err(error) => (error.id(), Err(error)),
        };
        let Some((task, in_the_air)) = self.flight.end(id) else { return };
        if in_the_air {
            self.frontier.ended(self.now(), &task, &Weather { none: true, ..Weather::default() });
        }
        self.finish(finished.unwrap_or_else(|error| visit::crashed(task, &error.to_string())));
    }

    /// Decides on what a visit found, and puts it into the batch; start pages wait for the scope to be settled.
    fn finish(&mut self, mut finished: Finished<Visit>) {
        self.tell(&finished);
        let over = matches!(&finished.settles, Some((task, Settlement::Done)) if task.seed);
        if over && self.opening.is_on() && !self.goes_on(&mut finished) {
            self.opening.hold(finished);
            return;
        }
        self.admit(finished);
    }

    fn admit(&mut self, mut finished: Finished<Visit>) {
        if let Some((task, Settlement::Robots(answer))) = &finished.settles {
            self.admission.variants().learn_robots(task, answer);
        }
        let task = finished.settles.as_ref().map(|(task, _)| task);
        if let Some(visit) = finished.visit.as_ref().filter(|visit| !visit.task.timed) {
            if visit.outcome == Outcome::Page {
                self.admission.read(&visit.task.url, &visit.again, visit.carried.is_some());
            }
            if matches!(visit.outcome, Outcome::Page | Outcome::File) {
                self.admission.learn_content(&visit.task.url, visit.content(self.options.reading.whole));
            }
        }
        if let Some(visit) = &finished.visit {
            self.admission.variants().read(visit);
            finished.found.extend(self.admission.variants().owed(&visit.task));
            finished.found.extend(self.admission.variants().reopened());
        }
        finished.found = self.admission.decide(task, finished.found, &self.desk.seen);
        self.desk.set_wary(self.admission.is_wary());
        self.batch.push(finished);
    }

    /// Whether a start URL redirects to where the crawl goes along: the target is then a start URL in its place.
    fn goes_on(&mut self, finished: &mut Finished<Visit>) -> bool {
        let Some((task, _)) = &finished.settles else { return false };
        let Some(hop) = finished.found.iter_mut().find(|f| matches!(f.via, Via::Redirect | Via::Refresh)) else {
            return false;
        };
        match self.admission.follow_start(&task.url, &hop.url) {
            Along::Inside => {}
            Along::Moved(root) => {
                let (from, to) = (task.url.as_str(), hop.url.as_str());
                self.observer.see(&Event::ScopeMoved { from, to, root: root.as_str() });
            }
            Along::Left => {
                self.observer.see(&Event::StartLeft { from: task.url.as_str(), to: hop.url.as_str() });
                self.starts_left.push((task.url.to_string(), hop.url.to_string()));
                return false;
            }
        }
        hop.seed = true;
        // What is asked for once more is no further start: the record may know better, and not ask.
        !hop.back && self.admission.would_queue(hop, &self.desk.seen) && self.opening.replaces(hop.key)
    }

    /// Tells the observer, and notes whether a start URL has answered.
    fn tell(&mut self, finished: &Finished<Visit>) {
        let Some(visit) = &finished.visit else { return };
        let is_page = visit.task.purpose == Purpose::Page;
        self.start_answered |= is_page && (visit.task.seed || self.any_answer_will_do) && visit.answered_well();
        self.observer.see(&Event::Visited {
            url: visit.task.url.as_str(),
            is_page,
            outcome: visit.outcome,
            status: visit.status,
            total: visit.total,
            again: visit.to_be_tried_again,
        });
    }

    /// Starts a commit if one is due.
    fn commit_if_due(&mut self, supply: Supply) {
        if self.committing.is_none() && self.batch.is_due(supply != Supply::Full) {
            self.start_commit();
        }
    }

    fn start_commit(&mut self) {
        self.admission.turn();
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
        self.observer.see(&Event::Committed { queued: self.frontier.drain().queued });
        Ok(())
    }

    fn next_wake(&self, supply: Supply) -> Option<Instant> {
        let offered = if let Supply::Short(until) = supply { until.map(|until| self.began + until) } else { None };
        let due = self.batch.due_at().filter(|_| self.committing.is_none());
        offered.into_iter().chain(due).min()
    }

    /// Stops: nothing new is fetched, what is in flight may end within the grace, and what has ended is recorded.
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

/// Waits for a commit under way; for ever if there is none.
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
