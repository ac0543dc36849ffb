//! The frontier of one machine: the scheduler in memory, the queue in the record.

use crate::commit::Ledger;
use crate::error::StoreError;
use crate::memory::Recrawl;
use crate::record::Record;
use crate::resume::Progress;
use crate::writer::{self, Job, Keeper};
use mapwright_engine::{Remembered, Visit};
use mapwright_frontier::{Drain, Finished, Frontier, Lease, Rules, Scheduler, Seen, Task, UrlId, Weather};
use mapwright_web::PageUrl;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;

/// A frontier over one record. The scheduler's lock is held for the length of a decision, never across an await.
#[derive(Debug)]
pub struct LocalFrontier {
    scheduler: Mutex<Scheduler>,
    seen: Arc<Seen>,
    jobs: Sender<Job>,
}

impl LocalFrontier {
    /// Starts writing to `record`, by `rules`, asking for known pages as `recrawl` says. The keeper gives the record back once the frontier is dropped.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn start(record: Record, rules: Rules, recrawl: Recrawl) -> Result<(Self, Keeper), StoreError> {
        let order_matters = rules.order_matters();
        let seen = Arc::new(record.seen(order_matters)?);
        let Progress { pages, backlog, depths } = record.progress()?;
        let mut scheduler = Scheduler::new(rules);
        scheduler.go_on(pages, backlog, &depths);
        let ledger = Ledger::new(&record, Arc::clone(&seen), order_matters, recrawl)?;
        let (jobs, keeper) = writer::start(record, ledger)?;
        Ok((Self { scheduler: Mutex::new(scheduler), seen, jobs }, keeper))
    }

    fn scheduler(&self) -> MutexGuard<'_, Scheduler> {
        self.scheduler.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn ask<T>(&self, job: impl FnOnce(oneshot::Sender<Result<T, StoreError>>) -> Job) -> Result<T, StoreError> {
        let (reply, answer) = oneshot::channel();
        self.jobs.send(job(reply)).map_err(|_| StoreError::Gone)?;
        answer.await.map_err(|_| StoreError::Gone)?
    }

    async fn refill(&self) -> Result<(), StoreError> {
        loop {
            let wish = self.scheduler().wants();
            let Some(wish) = wish else { return Ok(()) };
            let tasks: Vec<Task> = self.ask(|reply| Job::Refill(wish.clone(), reply)).await?;
            self.scheduler().refill(&wish, tasks);
        }
    }
}

impl Frontier for LocalFrontier {
    type Visit = Visit;
    type Memory = Remembered;
    type Error = StoreError;

    async fn lease(&self, now: Duration, room: usize) -> Result<Lease, StoreError> {
        self.refill().await?;
        Ok(self.scheduler().lease(now, room))
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
