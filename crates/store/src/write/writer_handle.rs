//! The writer thread.

use crate::error::StoreError;
use crate::record::Record;
use crate::write::checkpoint::Checkpointer;
use crate::write::commit::CommitResult;
use crate::write::files::Files;
use crate::write::queue;
use crate::write::recall::Recaller;
use crate::write::recalled_redirects::Redirects;
use crate::write::resources::resources;
use crate::write::writer_state::WriterState;
use futures_channel::oneshot;
use mapwright_frontier::{Finished, Refill};
use mapwright_model::{Listing, Remembered, Task, TemplateId, UrlId, Visit};
use mapwright_web::{Origin, PageUrl};
use std::collections::HashSet;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

/// A request to the writer.
pub(crate) enum WriterRequest {
    /// Commits a batch in one transaction.
    Commit(Vec<Finished<Visit>>, oneshot::Sender<Result<CommitResult, StoreError>>),
    /// Reads queued tasks.
    Refill(Refill, oneshot::Sender<Result<Vec<Task>, StoreError>>),
    /// Recalls a page from earlier runs.
    Recall(UrlId, oneshot::Sender<Result<Option<Remembered>, StoreError>>),
    /// Recalls the entries of a sitemap or feed from earlier runs.
    RecallFile(UrlId, oneshot::Sender<Result<Listing, StoreError>>),
    /// Recalls the target of a redirect from earlier runs.
    RecallRedirect(UrlId, oneshot::Sender<Result<Option<PageUrl>, StoreError>>),
    /// Reads the URLs of these origins that were found only as images or other resources.
    Resources(HashSet<Origin>, u64, oneshot::Sender<Result<Vec<PageUrl>, StoreError>>),
    /// Queues again the pages of a template that were read without their scripts.
    RequestAgain(TemplateId, oneshot::Sender<Result<Vec<Task>, StoreError>>),
    /// Stores the roots of the scope.
    Open(Vec<PageUrl>, oneshot::Sender<Result<(), StoreError>>),
}

/// Owns the record while a crawl writes to it, and returns it afterwards.
#[derive(Debug)]
pub struct WriterHandle {
    thread: JoinHandle<Record>,
}

impl WriterHandle {
    /// Returns the record once the frontier that wrote to it is dropped. Blocks until the last write is done.
    ///
    /// # Errors
    /// When the writer thread failed.
    pub fn take(self) -> Result<Record, StoreError> {
        self.thread.join().map_err(|_| StoreError::Gone)
    }
}

/// Starts the thread.
pub(crate) fn start(
    record: Record,
    writer_state: WriterState,
) -> Result<(Sender<WriterRequest>, WriterHandle), StoreError> {
    let (sender, receiver) = channel();
    let checkpointer = Checkpointer::start(record.folder())?;
    let thread = std::thread::Builder::new()
        .name("record".to_owned())
        .spawn(move || write(record, writer_state, checkpointer, &receiver))
        .map_err(|source| StoreError::File { path: "record".into(), source })?;
    Ok((sender, WriterHandle { thread }))
}

fn write(
    mut record: Record,
    mut writer_state: WriterState,
    mut checkpointer: Checkpointer,
    requests: &Receiver<WriterRequest>,
) -> Record {
    let (mut recaller, mut files) = (Recaller::new(writer_state.order_matters), Files::default());
    let mut redirects = Redirects::new(writer_state.recrawl.keep_failing);
    for request in requests {
        // Sending fails if the engine was stopped and the receiver dropped; then the reply is not needed.
        match request {
            WriterRequest::Commit(batch, reply) => {
                let visits = batch.len();
                drop(reply.send(writer_state.commit(&mut record.connection, batch)));
                checkpointer.committed(visits);
            }
            WriterRequest::Refill(refill, reply) => drop(reply.send(queue::read(&record, &writer_state, &refill))),
            WriterRequest::Recall(url, reply) => {
                let is_decided = |target| writer_state.is_decided(target);
                drop(reply.send(recaller.recall(&record.connection, url, &is_decided)));
            }
            WriterRequest::RecallFile(file, reply) => {
                drop(reply.send(files.recall(&record.connection, record.run, file)))
            }
            WriterRequest::RecallRedirect(url, reply) => {
                drop(reply.send(redirects.recall(&record.connection, record.run, url)));
            }
            WriterRequest::Resources(origins, most, reply) => drop(reply.send(resources(&record, &origins, most))),
            WriterRequest::RequestAgain(template, reply) => {
                drop(reply.send(writer_state.request_again(&mut record.connection, template)));
            }
            WriterRequest::Open(roots, reply) => drop(reply.send(record.note_roots(&roots))),
        }
    }
    record
}
