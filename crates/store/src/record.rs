//! One record: its folder, its lock, its keys, its runs.

use crate::error::StoreError;
use crate::read::run_summary::RunSummary;
use crate::run_kind::RunKind;
use crate::run_state::RunState;
use crate::schema::json::Json;
use crate::schema::open;
use mapwright_web::KeyMaker;
use rusqlite::{Connection, OptionalExtension};
use std::fs::File;
use std::path::{Path, PathBuf};

/// The inputs of a run for the record, without secrets.
#[derive(Debug, Clone, Default)]
pub struct RunInfo {
    /// Its kind.
    pub kind: RunKind,
    /// The start URLs, as JSON.
    pub starts: String,
    /// The settings, as JSON.
    pub settings: String,
}

/// A run that was interrupted and can be resumed.
#[derive(Debug, Clone)]
pub struct Unfinished {
    /// Its number.
    pub run: i64,
    /// Its inputs.
    pub info: RunInfo,
    /// The number of queued URLs.
    pub queued: u64,
}

/// A record. When it is open for writing, it holds the lock of its folder until it is dropped.
#[derive(Debug)]
pub struct Record {
    pub(crate) connection: Connection,
    pub(crate) run: i64,
    /// The run was interrupted and is resumed.
    pub(crate) is_resumed: bool,
    folder: PathBuf,
    keys: (u64, u64),
    lock: Option<File>,
}

impl Record {
    /// Opens the record of the state folder `folder` for writing, creating it if it is missing.
    ///
    /// # Errors
    /// When another process has it, when it is damaged or of a newer format, or when files cannot be created.
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        let lock = open::lock(folder)?;
        let connection = open::open(folder)?;
        let keys = keys(&connection)?;
        let run = newest_run(&connection)?;
        Ok(Self { connection, run, is_resumed: false, folder: folder.to_owned(), keys, lock: Some(lock) })
    }

    /// Opens the record read-only; a crawl may write to it meanwhile.
    ///
    /// # Errors
    /// When there is none, or it cannot be read.
    pub fn open_to_read(folder: &Path) -> Result<Self, StoreError> {
        let connection = open::open_to_read(folder)?;
        let run = newest_run(&connection)?;
        let keys = read_keys(&connection)?;
        Ok(Self { connection, run, is_resumed: false, folder: folder.to_owned(), keys, lock: None })
    }

    /// The same record with `run` as its newest run.
    #[must_use]
    pub fn as_of(self, run: i64) -> Self {
        Self { run, ..self }
    }

    /// Reports whether this folder holds a record. An empty database, left by a process that was killed while it
    /// created the record, does not count.
    #[must_use]
    pub fn is_in(folder: &Path) -> bool {
        let file = Self::file_in(folder);
        // A file that is not a plain file counts, so that opening it reports the error.
        file.symlink_metadata().is_ok() && (open::only_ours(folder).is_err() || !open::is_blank(&file))
    }

    /// Reports whether a process is writing to the record in this folder.
    #[must_use]
    pub fn is_being_written(folder: &Path) -> bool {
        open::is_locked(folder)
    }

    /// The database file of a record in this folder.
    #[must_use]
    pub fn file_in(folder: &Path) -> PathBuf {
        folder.join(open::DATABASE)
    }

    /// Checks that its file was not removed or replaced since it was opened.
    ///
    /// # Errors
    /// [`StoreError::Removed`] if it was.
    pub fn still_there(&self) -> Result<(), StoreError> {
        let file = Self::file_in(&self.folder);
        let is_held = self.lock.as_ref().is_none_or(|lock| open::holds(lock, &self.folder));
        if file.exists() && is_held { Ok(()) } else { Err(StoreError::Removed(file)) }
    }

    /// The state folder of the record.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The maker of the keys of its URLs.
    #[must_use]
    pub fn keys(&self) -> KeyMaker {
        KeyMaker::new(self.keys.0, self.keys.1)
    }

    /// The number of the newest run; 0 before the first.
    #[must_use]
    pub fn run(&self) -> i64 {
        self.run
    }

    /// Reports whether this process holds the lock and may write.
    #[must_use]
    pub fn is_locked(&self) -> bool {
        self.lock.is_some()
    }

    /// The newest run, if it was not completed.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn unfinished(&self) -> Result<Option<Unfinished>, StoreError> {
        let mut select = self.connection.prepare(
            "SELECT id, kind, starts, settings, (SELECT count(*) FROM queue WHERE run = id) FROM run
             WHERE id = ? AND state IN ('running', 'cut')",
        )?;
        let row = select.query_row([self.run], |row| {
            Ok(Unfinished {
                run: row.get(0)?,
                info: RunInfo { kind: row.get(1)?, starts: row.get(2)?, settings: row.get(3)? },
                queued: row.get(4)?,
            })
        });
        Ok(row.optional()?)
    }

    /// Begins a new run and drops the queue of earlier runs.
    ///
    /// # Errors
    /// When the record cannot be written.
    pub fn begin(&mut self, info: &RunInfo) -> Result<i64, StoreError> {
        let transaction = self.connection.transaction()?;
        transaction.execute_batch(include_str!("../sql/no_indexes.sql"))?;
        transaction.execute("DELETE FROM queue", [])?;
        transaction.execute("UPDATE run SET state = 'dropped' WHERE state IN ('running', 'cut')", [])?;
        transaction.execute(
            "INSERT INTO run (started, state, kind, starts, settings, known)
             VALUES (?, 'running', ?, ?, ?, (SELECT coalesce(max(id), 0) FROM url))",
            (now(), info.kind, &info.starts, &info.settings),
        )?;
        self.run = transaction.last_insert_rowid();
        transaction.commit()?;
        Ok(self.run)
    }

    /// Ends the run.
    ///
    /// # Errors
    /// When the record cannot be written.
    pub fn end(&mut self, state: RunState, summary: &RunSummary) -> Result<(), StoreError> {
        let json = serde_json::to_string(summary).map_err(|error| StoreError::Packing(error.into()))?;
        self.connection.execute(
            "UPDATE run SET ended = ?, state = ?, summary = ?, published = ? WHERE id = ?",
            (now(), state, json, summary.published, self.run),
        )?;
        self.connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA optimize;")?;
        Ok(())
    }
}

/// The current time in milliseconds since 1970.
pub(crate) fn now() -> i64 {
    jiff::Timestamp::now().as_millisecond()
}

fn newest_run(connection: &Connection) -> rusqlite::Result<i64> {
    connection.query_row("SELECT coalesce(max(id), 0) FROM run", [], |row| row.get(0))
}

/// The record's own random key, so that no site can construct collisions of URLs. It is created if it is missing.
fn keys(connection: &Connection) -> Result<(u64, u64), StoreError> {
    for name in ["key0", "key1"] {
        connection.execute(
            "INSERT INTO meta (key, value) SELECT ?1, random() WHERE NOT EXISTS (SELECT 1 FROM meta WHERE key = ?1)",
            [name],
        )?;
    }
    read_keys(connection)
}

/// Reads the key. A missing key is damage, since with another key every known URL would count as new.
fn read_keys(connection: &Connection) -> Result<(u64, u64), StoreError> {
    let half = |name: &str| {
        let select = "SELECT value FROM meta WHERE key = ?";
        let half: Option<Json<i64>> = connection.query_row(select, [name], |row| row.get(0)).optional()?;
        let Json(half) = half.ok_or_else(|| StoreError::Corrupt("it has lost its key".to_owned()))?;
        Ok::<u64, StoreError>(half.cast_unsigned())
    };
    Ok((half("key0")?, half("key1")?))
}
