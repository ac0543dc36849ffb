//! The frontier of one machine: the scheduler is in memory, the queue in the record.

use crate::error::StoreError;
use crate::read::resume::Progress;
use crate::record::Record;
use crate::write::recrawl::Recrawl;
use crate::write::writer_handle::{self, WriterHandle, WriterRequest};
use crate::write::writer_state::WriterState;
use futures_channel::oneshot;
use mapwright_frontier::{Finished, Frontier, Lease, QueueState, Refill, ResponseSignal, Rules, Scheduler, Seen};
use mapwright_model::{Listing, Remembered, Task, TemplateId, UrlId, Visit};
use mapwright_web::{Origin, PageUrl};
use std::collections::{HashSet, VecDeque};
use std::future::{Future as _, poll_fn};
use std::pin::Pin;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

/// A frontier over one record. The scheduler's lock is held only for a decision, never across an await.
#[derive(Debug)]
pub struct LocalFrontier {
    scheduler: Mutex<Scheduler>,
    seen: Arc<Seen>,
    requests: Sender<WriterRequest>,
    order_matters: bool,
    refilling: Mutex<VecDeque<Refilling>>,
}

/// Tasks that are being read from the record, while the scheduler hands out those it has.
#[derive(Debug)]
struct Refilling {
    refill: Refill,
    answer: oneshot::Receiver<Result<Vec<Task>, StoreError>>,
}

impl LocalFrontier {
    /// Starts the frontier and the writer of `record`. `rules` order the queue; `recrawl` decides how known pages are
    /// requested. The second value returns the record once the frontier is dropped.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn start(record: Record, rules: Rules, recrawl: Recrawl) -> Result<(Self, WriterHandle), StoreError> {
        let (order_matters, listed_lane) = (rules.order_matters(), rules.listed_lane());
        let seen = Arc::new(record.seen(order_matters)?);
        let Progress { pages, backlog, depths } = record.progress()?;
        let mut scheduler = Scheduler::new(rules);
        scheduler.resume(pages, backlog, &depths);
        let writer_state = WriterState::new(&record, Arc::clone(&seen), order_matters, listed_lane, recrawl)?;
        let (requests, writer_handle) = writer_handle::start(record, writer_state)?;
        let scheduler = Mutex::new(scheduler);
        Ok((Self { scheduler, seen, requests, order_matters, refilling: Mutex::default() }, writer_handle))
    }

    fn scheduler(&self) -> MutexGuard<'_, Scheduler> {
        self.scheduler.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn refilling(&self) -> MutexGuard<'_, VecDeque<Refilling>> {
        self.refilling.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn send<T>(
        &self,
        request: impl FnOnce(oneshot::Sender<Result<T, StoreError>>) -> WriterRequest,
    ) -> Result<T, StoreError> {
        let (reply, answer) = oneshot::channel();
        self.requests.send(request(reply)).map_err(|_| StoreError::Gone)?;
        answer.await.map_err(|_| StoreError::Gone)?
    }

    /// Requests from the record the tasks that the scheduler will soon need.
    fn look_ahead(&self) -> Result<(), StoreError> {
        while let Some(refill) = { self.scheduler().next_refill() } {
            let (reply, answer) = oneshot::channel();
            self.requests.send(WriterRequest::Refill(refill.clone(), reply)).map_err(|_| StoreError::Gone)?;
            self.refilling().push_back(Refilling { refill, answer });
        }
        Ok(())
    }

    /// Waits for the first pending refill and passes its tasks to the scheduler. Returns whether one was pending.
    async fn refilled(&self) -> Result<bool, StoreError> {
        poll_fn(|context| self.poll_refilled(context)).await
    }

    fn poll_refilled(&self, context: &mut Context<'_>) -> Poll<Result<bool, StoreError>> {
        let mut refilling = self.refilling();
        let Some(Refilling { refill, answer }) = refilling.front_mut() else { return Poll::Ready(Ok(false)) };
        let Poll::Ready(tasks) = Pin::new(answer).poll(context) else { return Poll::Pending };
        let tasks = tasks.map_err(|_| StoreError::Gone).flatten()?;
        self.scheduler().refill(refill, tasks);
        refilling.pop_front();
        Poll::Ready(Ok(true))
    }

    /// Passes the tasks read so far to the scheduler and requests more. It does not wait for pending reads, because
    /// they may wait for a commit and connections would be idle meanwhile. Where the order matters, it waits.
    async fn refill(&self) -> Result<(), StoreError> {
        self.look_ahead()?;
        if self.order_matters {
            while self.refilled().await? {
                self.look_ahead()?;
            }
            return Ok(());
        }
        while let Poll::Ready(true) = self.poll_refilled(&mut Context::from_waker(Waker::noop()))? {
            self.look_ahead()?;
        }
        Ok(())
    }
}

impl Frontier for LocalFrontier {
    type Visit = Visit;
    type Memory = Remembered;
    type Error = StoreError;

    async fn lease(&self, now: Duration, room: usize) -> Result<Lease, StoreError> {
        loop {
            self.refill().await?;
            let lease = self.scheduler().lease(now, room);
            if matches!(lease, Lease::Orders(_)) || !self.refilled().await? {
                return Ok(lease);
            }
        }
    }

    fn ended(&self, now: Duration, task: &Task, signal: &ResponseSignal) {
        self.scheduler().ended(now, task, signal);
    }

    fn turn(&self, now: Duration, origin: &Origin, crawl_delay: Option<f64>) -> Duration {
        self.scheduler().turn(now, origin, crawl_delay)
    }

    fn throttled(&self, now: Duration, origin: &Origin, signal: &ResponseSignal) {
        self.scheduler().throttled(now, origin, signal);
    }

    async fn commit(&self, now: Duration, batch: Vec<Finished<Visit>>) -> Result<(), StoreError> {
        let applied = self.send(|reply| WriterRequest::Commit(batch, reply)).await?;
        let mut scheduler = self.scheduler();
        applied.queued.into_iter().for_each(|task| scheduler.push(task));
        applied.settled.into_iter().for_each(|(task, settlement)| scheduler.settle(now, task, settlement));
        Ok(())
    }

    async fn recall(&self, url: UrlId) -> Result<Option<Remembered>, StoreError> {
        self.send(|reply| WriterRequest::Recall(url, reply)).await
    }

    async fn recall_file(&self, file: UrlId) -> Result<Listing, StoreError> {
        self.send(|reply| WriterRequest::RecallFile(file, reply)).await
    }

    async fn recall_redirect(&self, url: UrlId) -> Result<Option<PageUrl>, StoreError> {
        self.send(|reply| WriterRequest::RecallRedirect(url, reply)).await
    }

    async fn resources(&self, origins: HashSet<Origin>, most: u64) -> Result<Vec<PageUrl>, StoreError> {
        self.send(|reply| WriterRequest::Resources(origins, most, reply)).await
    }

    async fn request_again(&self, template: TemplateId) -> Result<u64, StoreError> {
        let queued = self.send(|reply| WriterRequest::RequestAgain(template, reply)).await?;
        let count = queued.len() as u64;
        let mut scheduler = self.scheduler();
        queued.into_iter().for_each(|task| scheduler.push(task));
        Ok(count)
    }

    async fn open(&self, roots: Vec<PageUrl>) -> Result<(), StoreError> {
        self.send(|reply| WriterRequest::Open(roots, reply)).await?;
        self.scheduler().open();
        Ok(())
    }

    fn seen(&self) -> Arc<Seen> {
        Arc::clone(&self.seen)
    }

    fn queue_state(&self) -> QueueState {
        self.scheduler().queue_state()
    }
}
