//! Checkpoints the write-ahead log into the database file, on a thread beside the writer.
//!
//! SQLite would do so within the commit by which the log became too long. On a slow disk that commit takes as long as a
//! hundred requests. Since the number of finished visits that wait for a commit is limited, connections would be idle
//! meanwhile. If the log grows faster than this thread works, the writer still checkpoints it.

use crate::error::StoreError;
use crate::schema::open;
use rusqlite::Connection;
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

/// The number of visits between checkpoints: about half of those that make the log too long.
const EVERY: usize = 1_000;

/// The checkpointing thread, with a connection of its own; it ends when this value is dropped.
#[derive(Debug)]
pub(crate) struct Checkpointer {
    /// The number of visits since the last checkpoint.
    since: usize,
    bell: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Checkpointer {
    /// Starts the thread for the record in `folder`.
    pub(crate) fn start(folder: &Path) -> Result<Self, StoreError> {
        let connection = open::open_beside(folder)?;
        let (bell, rings) = sync_channel(1);
        let thread = std::thread::Builder::new()
            .name("checkpoint".to_owned())
            .spawn(move || work(&connection, &rings))
            .map_err(|source| StoreError::File { path: folder.to_owned(), source })?;
        Ok(Self { since: 0, bell: Some(bell), thread: Some(thread) })
    }

    /// Counts committed visits and starts a checkpoint when enough have accumulated.
    pub(crate) fn committed(&mut self, visits: usize) {
        self.since += visits;
        if self.since >= EVERY {
            self.since = 0;
            if let Some(bell) = &self.bell {
                // The channel is full while the thread is still at work.
                let _ = bell.try_send(());
            }
        }
    }
}

fn work(connection: &Connection, rings: &Receiver<()>) {
    for () in rings {
        // PASSIVE does not wait for readers or the writer; pages that they block are moved at the next checkpoint.
        if let Err(error) = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(())) {
            tracing::debug!(%error, "the log of the record was not emptied");
        }
    }
}

impl Drop for Checkpointer {
    /// Waits for the thread, because the next user of the record may need exclusive access.
    fn drop(&mut self) {
        self.bell = None;
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Record;
    use std::time::{Duration, Instant};

    #[test]
    fn commits_are_checkpointed_into_the_file_while_the_writer_is_open() {
        let folder = tempfile::tempdir().unwrap();
        let record = Record::open(folder.path()).unwrap();
        record.connection.execute_batch("CREATE TABLE filler (bytes BLOB)").unwrap();
        let file = Record::file_in(folder.path());
        let size = || file.metadata().unwrap().len();
        let small = size();
        record.connection.execute("INSERT INTO filler VALUES (zeroblob(1000000))", []).unwrap();
        assert_eq!(size(), small, "in the log alone");
        let mut checkpointer = Checkpointer::start(folder.path()).unwrap();
        checkpointer.committed(EVERY - 1);
        checkpointer.committed(1);
        let deadline = Instant::now() + Duration::from_secs(20);
        while size() < small + 1_000_000 {
            assert!(Instant::now() < deadline, "never moved");
            std::thread::yield_now();
        }
        record.connection.execute("INSERT INTO filler VALUES (x'00')", []).unwrap();
    }
}
