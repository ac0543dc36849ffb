//! The one thread that writes.

use crate::checkpoint::Checkpointer;
use crate::commit::{Applied, Ledger};
use crate::error::StoreError;
use crate::files::Files;
use crate::queue;
use crate::recall::Recaller;
use crate::record::Record;
use crate::redirects::Redirects;
use crate::resources::resources;
use mapwright_engine::{Remembered, Visit};
use mapwright_frontier::{Finished, Listing, Refill, Task, UrlId};
use mapwright_web::PageUrl;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use tokio::sync::oneshot;

/// Something for the writer to do.
pub(crate) enum Job {
    /// Record a batch in one transaction.
    Commit(Vec<Finished<Visit>>, oneshot::Sender<Result<Applied, StoreError>>),
    /// Read tasks that wait.
    Refill(Refill, oneshot::Sender<Result<Vec<Task>, StoreError>>),
    /// Recall what earlier runs saw of a page.
    Recall(UrlId, oneshot::Sender<Result<Option<Remembered>, StoreError>>),
    /// Recall what a sitemap or feed listed.
    RecallFile(UrlId, oneshot::Sender<Result<Listing, StoreError>>),
    /// Recall where a redirect led.
    RecallRedirect(UrlId, oneshot::Sender<Result<Option<PageUrl>, StoreError>>),
    /// Read what was found as an image or the like alone.
    Resources(u64, oneshot::Sender<Result<Vec<PageUrl>, StoreError>>),
    /// Note the roots of the scope.
    Open(Vec<PageUrl>, oneshot::Sender<Result<(), StoreError>>),
}

/// Keeps the record while a crawl writes to it, and gives it back afterwards.
#[derive(Debug)]
pub struct Keeper {
    thread: JoinHandle<Record>,
}

impl Keeper {
    /// The record, once the frontier that wrote to it is gone. Blocks until the last write is done.
    ///
    /// # Errors
    /// When the writing thread failed.
    pub fn take(self) -> Result<Record, StoreError> {
        self.thread.join().map_err(|_| StoreError::Gone)
    }
}

/// Starts the thread.
pub(crate) fn start(record: Record, ledger: Ledger) -> Result<(Sender<Job>, Keeper), StoreError> {
    let (sender, receiver) = channel();
    let checkpointer = Checkpointer::start(record.folder())?;
    let thread = std::thread::Builder::new()
        .name("record".to_owned())
        .spawn(move || write(record, ledger, checkpointer, &receiver))
        .map_err(|source| StoreError::File { path: "record".into(), source })?;
    Ok((sender, Keeper { thread }))
}

fn write(mut record: Record, mut ledger: Ledger, mut checkpointer: Checkpointer, jobs: &Receiver<Job>) -> Record {
    let (mut recaller, mut files) = (Recaller::new(ledger.order_matters), Files::default());
    let mut redirects = Redirects::new(ledger.recrawl.keep_failing);
    for job in jobs {
        // A receiver that has gone away no longer wants the answer: the engine was stopped.
        match job {
            Job::Commit(batch, reply) => {
                let visits = batch.len();
                drop(reply.send(ledger.commit(&mut record.connection, batch)));
                checkpointer.committed(visits);
            }
            Job::Refill(wish, reply) => drop(reply.send(queue::read(&record, &ledger, &wish))),
            Job::Recall(url, reply) => {
                let is_decided = |target| ledger.is_decided(target);
                drop(reply.send(recaller.recall(&record.connection, url, &is_decided)));
            }
            Job::RecallFile(file, reply) => drop(reply.send(files.recall(&record.connection, record.run, file))),
            Job::RecallRedirect(url, reply) => {
                drop(reply.send(redirects.recall(&record.connection, record.run, url)));
            }
            Job::Resources(most, reply) => drop(reply.send(resources(&record, most))),
            Job::Open(roots, reply) => drop(reply.send(record.note_roots(&roots))),
        }
    }
    record
}
