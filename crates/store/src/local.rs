//! The frontier of one machine: the scheduler in memory, the queue in the record.

use crate::error::StoreError;
use crate::record::Record;
use crate::writer::{self, Job, Keeper};
use mapwright_engine::Visit;
use mapwright_frontier::{Drain, Finished, Frontier, Lease, Rules, Scheduler, Seen, Task, Weather};
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
    /// Starts writing to `record`, by `rules`. The keeper gives the record back once the frontier is dropped.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn start(record: Record, rules: Rules) -> Result<(Self, Keeper), StoreError> {
        let seen = Arc::new(record.seen()?);
        let (jobs, keeper) = writer::start(record, Arc::clone(&seen), rules.order_matters())?;
        Ok((Self { scheduler: Mutex::new(Scheduler::new(rules)), seen, jobs }, keeper))
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

    fn open(&self) {
        self.scheduler().open();
    }

    fn seen(&self) -> Arc<Seen> {
        Arc::clone(&self.seen)
    }

    fn drain(&self) -> Drain {
        self.scheduler().drain()
    }
}
