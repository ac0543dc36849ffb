//! Moves what was committed out of the log and into the database's file, beside the writer.
//!
//! SQLite would do it within the commit by which the log became too long. Where the disk is slow that commit lasts as
//! long as a hundred requests, and since no more than so many visits may have ended without being committed, places
//! would stand empty meanwhile. A log that grows faster than this follows is still cut by the writer.

use crate::error::StoreError;
use crate::open;
use rusqlite::Connection;
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

/// Visits from one time to the next: about half of what makes the log too long.
const EVERY: usize = 1_000;

/// A thread with a connection of its own; it ends with this.
#[derive(Debug)]
pub(crate) struct Checkpointer {
    /// Visits since it last was its turn.
    since: usize,
    bell: Option<SyncSender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Checkpointer {
    /// Starts it for the record in `folder`.
    pub(crate) fn start(folder: &Path) -> Result<Self, StoreError> {
        let connection = open::open_beside(folder)?;
        let (bell, rings) = sync_channel(1);
        let thread = std::thread::Builder::new()
            .name("checkpoint".to_owned())
            .spawn(move || work(&connection, &rings))
            .map_err(|source| StoreError::File { path: folder.to_owned(), source })?;
        Ok(Self { since: 0, bell: Some(bell), thread: Some(thread) })
    }

    /// So many visits were committed.
    pub(crate) fn committed(&mut self, visits: usize) {
        self.since += visits;
        if self.since >= EVERY {
            self.since = 0;
            if let Some(bell) = &self.bell {
                // Where it was rung and not heard, it is at work still.
                let _ = bell.try_send(());
            }
        }
    }
}

fn work(connection: &Connection, rings: &Receiver<()>) {
    for () in rings {
        // Readers and the writer are not waited for: what they hold up is moved the next time.
        if let Err(error) = connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(())) {
            tracing::debug!(%error, "the log of the record was not emptied");
        }
    }
}

impl Drop for Checkpointer {
    /// Waits for it: whoever has the record next may want it alone.
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
    fn what_was_committed_comes_into_the_file_while_the_writer_goes_on() {
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
