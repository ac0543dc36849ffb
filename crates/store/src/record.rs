//! One record: its folder, its lock, its keys, its runs.

use crate::error::StoreError;
use crate::json::Json;
use crate::open;
use crate::run_state::RunState;
use mapwright_web::KeyMaker;
use rusqlite::{Connection, OptionalExtension};
use std::fs::File;
use std::path::{Path, PathBuf};

/// What a run was asked to do, as JSON texts for the record. Never a secret among them.
#[derive(Debug, Clone, Default)]
pub struct RunInfo {
    /// The start URLs.
    pub starts: String,
    /// The settings.
    pub settings: String,
}

/// A run that was cut, and can go on.
#[derive(Debug, Clone)]
pub struct Unfinished {
    /// Its number.
    pub run: i64,
    /// What it was asked to do.
    pub info: RunInfo,
    /// URLs that are queued.
    pub queued: u64,
}

/// A record open for writing. The lock is held for as long as it lives.
#[derive(Debug)]
pub struct Record {
    pub(crate) connection: Connection,
    pub(crate) run: i64,
    /// The run was cut before, and goes on.
    pub(crate) goes_on: bool,
    folder: PathBuf,
    keys: (u64, u64),
    lock: Option<File>,
}

impl Record {
    /// Opens the record of the state folder `folder`, making it if it is missing.
    ///
    /// # Errors
    /// When another process has it, when it is damaged or of a newer format, or when files cannot be made.
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        let lock = open::lock(folder)?;
        let connection = open::open(folder)?;
        let keys = keys(&connection)?;
        let run = newest_run(&connection)?;
        Ok(Self { connection, run, goes_on: false, folder: folder.to_owned(), keys, lock: Some(lock) })
    }

    /// Opens the record for reading alone; a crawl may go on meanwhile.
    ///
    /// # Errors
    /// When there is none, or it cannot be read.
    pub fn open_to_read(folder: &Path) -> Result<Self, StoreError> {
        let connection = open::open_to_read(folder)?;
        let run = newest_run(&connection)?;
        let keys = read_keys(&connection)?;
        Ok(Self { connection, run, goes_on: false, folder: folder.to_owned(), keys, lock: None })
    }

    /// The same record, read as it was when this run was its newest.
    #[must_use]
    pub fn as_of(self, run: i64) -> Self {
        Self { run, ..self }
    }

    /// Whether a record lies in this folder. One that was being made when its process was killed is none yet.
    #[must_use]
    pub fn is_in(folder: &Path) -> bool {
        let file = Self::file_in(folder);
        // What is no plain file is told of when it is to be opened.
        file.symlink_metadata().is_ok() && (open::only_ours(folder).is_err() || !open::is_blank(&file))
    }

    /// Whether a process is writing the record in this folder.
    #[must_use]
    pub fn is_at_work(folder: &Path) -> bool {
        open::is_locked(folder)
    }

    /// The file that a record in this folder is.
    #[must_use]
    pub fn file_in(folder: &Path) -> PathBuf {
        folder.join(open::DATABASE)
    }

    /// Looks whether its file is where it was opened, and nobody made another in its place.
    ///
    /// # Errors
    /// [`StoreError::Removed`] where it is not.
    pub fn still_there(&self) -> Result<(), StoreError> {
        let file = Self::file_in(&self.folder);
        let is_held = self.lock.as_ref().is_none_or(|lock| open::holds(lock, &self.folder));
        if file.exists() && is_held { Ok(()) } else { Err(StoreError::Removed(file)) }
    }

    /// The folder it lies in.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Makes the keys of its URLs.
    #[must_use]
    pub fn keys(&self) -> KeyMaker {
        KeyMaker::new(self.keys.0, self.keys.1)
    }

    /// The number of the newest run; 0 before the first.
    #[must_use]
    pub fn run(&self) -> i64 {
        self.run
    }

    /// Whether this process may write.
    #[must_use]
    pub fn is_locked(&self) -> bool {
        self.lock.is_some()
    }

    /// The newest run, if it did not come to its end.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn unfinished(&self) -> Result<Option<Unfinished>, StoreError> {
        let mut select = self.connection.prepare(
            "SELECT id, starts, settings, (SELECT count(*) FROM queue WHERE run = id) FROM run
             WHERE id = ? AND state IN ('running', 'cut')",
        )?;
        let row = select.query_row([self.run], |row| {
            Ok(Unfinished {
                run: row.get(0)?,
                info: RunInfo { starts: row.get(1)?, settings: row.get(2)? },
                queued: row.get(3)?,
            })
        });
        Ok(row.optional()?)
    }

    /// Begins a run afresh: what earlier runs left queued is let go.
    ///
    /// # Errors
    /// When the record cannot be written.
    pub fn begin(&mut self, info: &RunInfo) -> Result<i64, StoreError> {
        let transaction = self.connection.transaction()?;
        transaction.execute_batch(include_str!("../sql/no_indexes.sql"))?;
        transaction.execute("DELETE FROM queue", [])?;
        transaction.execute("UPDATE run SET state = 'dropped' WHERE state IN ('running', 'cut')", [])?;
        transaction.execute(
            "INSERT INTO run (started, state, starts, settings, known)
             VALUES (?, 'running', ?, ?, (SELECT coalesce(max(id), 0) FROM url))",
            (now(), &info.starts, &info.settings),
        )?;
        self.run = transaction.last_insert_rowid();
        transaction.commit()?;
        Ok(self.run)
    }

    /// Ends the run.
    ///
    /// # Errors
    /// When the record cannot be written.
    pub fn end(&mut self, state: RunState, summary: &str) -> Result<(), StoreError> {
        self.connection.execute(
            "UPDATE run SET ended = ?, state = ?, summary = ? WHERE id = ?",
            (now(), state, summary, self.run),
        )?;
        self.connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA optimize;")?;
        Ok(())
    }
}

/// Milliseconds since 1970.
pub(crate) fn now() -> i64 {
    jiff::Timestamp::now().as_millisecond()
}

fn newest_run(connection: &Connection) -> rusqlite::Result<i64> {
    connection.query_row("SELECT coalesce(max(id), 0) FROM run", [], |row| row.get(0))
}

/// The record's own random key, drawn when it was made: no site can aim collisions at it.
fn keys(connection: &Connection) -> Result<(u64, u64), StoreError> {
    for name in ["key0", "key1"] {
        connection.execute(
            "INSERT INTO meta (key, value) SELECT ?1, random() WHERE NOT EXISTS (SELECT 1 FROM meta WHERE key = ?1)",
            [name],
        )?;
    }
    read_keys(connection)
}

/// Under another key every known URL would be taken for a new one.
fn read_keys(connection: &Connection) -> Result<(u64, u64), StoreError> {
    let half = |name: &str| {
        let select = "SELECT value FROM meta WHERE key = ?";
        let half: Option<Json<i64>> = connection.query_row(select, [name], |row| row.get(0)).optional()?;
        let Json(half) = half.ok_or_else(|| StoreError::Corrupt("it has lost its key".to_owned()))?;
        Ok::<u64, StoreError>(half.cast_unsigned())
    };
    Ok((half("key0")?, half("key1")?))
}
