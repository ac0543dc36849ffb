//! Commits each batch in one transaction: the visits, their discoveries, and the settled tasks.

use crate::error::StoreError;
use crate::write::link_sets::Sets;
use crate::write::origins::Origins;
use crate::write::writer::Writer;
use crate::write::writer_state::WriterState;
use crate::write::{found, queue, visits};
use mapwright_frontier::{Finished, RetryCost, Settlement};
use mapwright_model::{Task, TaskId, UrlId, Visit};
use mapwright_web::{KeyMap, UrlKey};
use rusqlite::Connection;

/// The result of a commit.
#[derive(Debug, Default)]
pub(crate) struct CommitResult {
    /// Tasks that were queued.
    pub(crate) queued: Vec<Task>,
    /// Tasks that were settled.
    pub(crate) settled: Vec<(Task, Settlement)>,
}

impl WriterState {
    /// Commits a batch. On an error, nothing of it is stored, and none of its URLs becomes known.
    pub(crate) fn commit(
        &mut self,
        connection: &mut Connection,
        batch: Vec<Finished<Visit>>,
    ) -> Result<CommitResult, StoreError> {
        let applied = self.apply(connection, batch);
        if applied.is_err() {
            self.origins = Origins::load(connection)?;
            self.sets = Sets::new(connection)?;
        }
        applied
    }

    fn apply(&mut self, connection: &mut Connection, batch: Vec<Finished<Visit>>) -> Result<CommitResult, StoreError> {
        let transaction = connection.transaction()?;
        let mut writing =
            Writer { writer_state: self, transaction: &transaction, fresh: KeyMap::default(), queued: Vec::new() };
        let mut settled = Vec::new();
        for finished in batch {
            writing.finished(&finished)?;
            settled.extend(finished.settles);
        }
        let Writer { fresh, queued, .. } = writing;
        transaction.commit()?;
        for (key, known) in fresh {
            self.seen.insert(UrlKey(key), known);
            self.note_decided(known);
        }
        Ok(CommitResult { queued, settled })
    }
}

impl Writer<'_> {
    fn finished(&mut self, finished: &Finished<Visit>) -> Result<(), StoreError> {
        let parent = match &finished.settles {
            Some((task, _)) => Some(self.url_id(task)?),
            None => None,
        };
        for discovery in &finished.found {
            found::note(self, discovery, parent)?;
        }
        if let (Some(visit), Some(id)) = (&finished.visit, parent) {
            visits::note(self, visit, id)?;
        }
        match &finished.settles {
            Some((Task { task_id: TaskId::Robots(_) | TaskId::Probe(_), .. }, _)) => Ok(()),
            Some((task, Settlement::Done)) => queue::remove(self, task),
            // Only a failed try is counted in the record. A resumed run may therefore make a few tries more.
            Some((task, Settlement::Retry { cost: RetryCost::Try, .. })) => queue::tried(self, task),
            _ => Ok(()),
        }
    }

    /// The number of a task's URL; a robots task has none yet.
    fn url_id(&mut self, task: &Task) -> Result<UrlId, StoreError> {
        match task.url_id {
            Some(id) => Ok(id),
            None => Ok(self.known(self.writer_state.keys.key(&task.url), &task.url)?.id),
        }
    }
}
