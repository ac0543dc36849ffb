//! The frontier of one machine: the scheduler in memory, the queue in the record.

use crate::commit::Ledger;
use crate::error::StoreError;
use crate::memory::Recrawl;
use crate::record::Record;
use crate::resume::Progress;
use crate::writer::{self, Job, Keeper};
use mapwright_engine::{Remembered, Visit};
use mapwright_frontier::{
    Drain, Finished, Frontier, Lease, Listing, Refill, Rules, Scheduler, Seen, Task, UrlId, Weather,
};
use mapwright_web::PageUrl;
use std::collections::VecDeque;
use std::future::{Future as _, poll_fn};
use std::pin::Pin;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;
use tokio::sync::oneshot;

/// A frontier over one record. The scheduler's lock is held for the length of a decision, never across an await.
#[derive(Debug)]
pub struct LocalFrontier {
    scheduler: Mutex<Scheduler>,
    seen: Arc<Seen>,
    jobs: Sender<Job>,
    order_matters: bool,
    refilling: Mutex<VecDeque<Refilling>>,
}

/// Tasks that are being read from the record, while those at hand are handed out.
#[derive(Debug)]
struct Refilling {
    wish: Refill,
    answer: oneshot::Receiver<Result<Vec<Task>, StoreError>>,
}

impl LocalFrontier {
    /// Starts writing to `record`, by `rules`, asking for known pages as `recrawl` says. The keeper gives the record back
    /// once the frontier is dropped.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn start(record: Record, rules: Rules, recrawl: Recrawl) -> Result<(Self, Keeper), StoreError> {
        let (order_matters, listed_lane) = (rules.order_matters(), rules.listed_lane());
        let seen = Arc::new(record.seen(order_matters)?);
        let Progress { pages, backlog, depths } = record.progress()?;
        let mut scheduler = Scheduler::new(rules);
        scheduler.go_on(pages, backlog, &depths);
        let ledger = Ledger::new(&record, Arc::clone(&seen), order_matters, listed_lane, recrawl)?;
        let (jobs, keeper) = writer::start(record, ledger)?;
        let scheduler = Mutex::new(scheduler);
        Ok((Self { scheduler, seen, jobs, order_matters, refilling: Mutex::default() }, keeper))
    }

    fn scheduler(&self) -> MutexGuard<'_, Scheduler> {
        self.scheduler.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn refilling(&self) -> MutexGuard<'_, VecDeque<Refilling>> {
        self.refilling.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn ask<T>(&self, job: impl FnOnce(oneshot::Sender<Result<T, StoreError>>) -> Job) -> Result<T, StoreError> {
        let (reply, answer) = oneshot::channel();
        self.jobs.send(job(reply)).map_err(|_| StoreError::Gone)?;
        answer.await.map_err(|_| StoreError::Gone)?
    }

    /// Asks the record for the tasks that the scheduler will soon be short of.
    fn look_ahead(&self) -> Result<(), StoreError> {
        while let Some(wish) = { self.scheduler().wants() } {
            let (reply, answer) = oneshot::channel();
            self.jobs.send(Job::Refill(wish.clone(), reply)).map_err(|_| StoreError::Gone)?;
            self.refilling().push_back(Refilling { wish, answer });
        }
        Ok(())
    }

    /// Hands the scheduler what it was short of, once that was read. Whether anything was being read.
    async fn refilled(&self) -> Result<bool, StoreError> {
        poll_fn(|context| self.poll_refilled(context)).await
    }

    fn poll_refilled(&self, context: &mut Context<'_>) -> Poll<Result<bool, StoreError>> {
        let mut refilling = self.refilling();
        let Some(Refilling { wish, answer }) = refilling.front_mut() else { return Poll::Ready(Ok(false)) };
        let Poll::Ready(tasks) = Pin::new(answer).poll(context) else { return Poll::Pending };
        let tasks = tasks.map_err(|_| StoreError::Gone).flatten()?;
        self.scheduler().refill(wish, tasks);
        refilling.pop_front();
        Poll::Ready(Ok(true))
    }

    /// What is at hand is handed out while more is being read: a commit under way makes that wait, and no place is to
    /// stand empty for it. Where the order matters, what comes first is waited for.
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

    fn ended(&self, now: Duration, task: &Task, weather: &Weather) {
        self.scheduler().ended(now, task, weather);
    }

    async fn commit(&self, now: Duration, batch: Vec<Finished<Visit>>) -> Result<(), StoreError> {
        let applied = self.ask(|reply| Job::Commit(batch, reply)).await?;
        let mut scheduler = self.scheduler();
        applied.queued.into_iter().for_each(|task| scheduler.push(task));
        applied.settled.into_iter().for_each(|(task, settlement)| scheduler.settle(now, task, settlement));
        Ok(())
    }

    async fn recall(&self, url: UrlId) -> Result<Option<Remembered>, StoreError> {
        self.ask(|reply| Job::Recall(url, reply)).await
    }

    async fn recall_file(&self, file: UrlId) -> Result<Listing, StoreError> {
        self.ask(|reply| Job::RecallFile(file, reply)).await
    }

    async fn recall_redirect(&self, url: UrlId) -> Result<Option<PageUrl>, StoreError> {
        self.ask(|reply| Job::RecallRedirect(url, reply)).await
    }

    async fn resources(&self, most: u64) -> Result<Vec<PageUrl>, StoreError> {
        self.ask(|reply| Job::Resources(most, reply)).await
    }

    async fn open(&self, roots: Vec<PageUrl>) -> Result<(), StoreError> {
        self.ask(|reply| Job::Open(roots, reply)).await?;
        self.scheduler().open();
        Ok(())
    }

    fn seen(&self) -> Arc<Seen> {
        Arc::clone(&self.seen)
    }

    fn drain(&self) -> Drain {
        self.scheduler().drain()
    }
}
