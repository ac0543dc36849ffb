//! Opening a record: the folder, the lock, the format.

use crate::error::StoreError;
use crate::migrate::{self, STEPS};
use crate::names;
use crate::place::stands_at;
use mapwright_files::{make_private_folder, only_plain_files, open_private_file};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Marks the file as a record of ours ("MWRT").
const APPLICATION: i64 = 0x4D57_5254;
/// Name of the database in the state folder.
pub(crate) const DATABASE: &str = "record.sqlite";
/// Name of the lock beside it.
const LOCK: &str = "lock";
/// All files of a record.
const FILES: [&str; 5] = [LOCK, DATABASE, "record.sqlite-wal", "record.sqlite-shm", "record.sqlite-journal"];
/// How long a reader outside may hold up a write.
const BUSY: Duration = Duration::from_secs(30);
/// What SQLite calls `auto_vacuum = INCREMENTAL`.
const INCREMENTAL: i64 = 2;

/// Takes the lock of the state folder, making the folder if it is missing. Held for as long as the file lives.
pub(crate) fn lock(folder: &Path) -> Result<File, StoreError> {
    let failed = |path: PathBuf| move |source| StoreError::File { path, source };
    make_private_folder(folder).map_err(failed(folder.to_owned()))?;
    only_ours(folder)?;
    let path = folder.join(LOCK);
    let file = open_private_file(&path).map_err(failed(path.clone()))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(StoreError::Locked(folder.to_owned())),
        Err(TryLockError::Error(source)) => Err(StoreError::File { path, source }),
    }
}

/// Sees that the files of a record are plain files, if they are there.
pub(crate) fn only_ours(folder: &Path) -> Result<(), StoreError> {
    only_plain_files(folder, &FILES).map_err(|(path, source)| StoreError::File { path, source })
}

/// Whether the lock is that of the folder still: nobody removed the folder, or made another in its place.
pub(crate) fn holds(lock: &File, folder: &Path) -> bool {
    lock.metadata().is_ok_and(|opened| stands_at(&opened, &folder.join(LOCK)))
}

/// Whether a process has the lock of the state folder.
pub(crate) fn is_locked(folder: &Path) -> bool {
    if only_ours(folder).is_err() {
        return false;
    }
    let file = File::open(folder.join(LOCK));
    file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

/// Whether a file is a database in which nothing stands yet. Another that looks at it just now is waited for: the first
/// after a kill has it alone, to bring its log in order. Where a first page was being written at the kill, none but a
/// writer may take it back: the file is looked at as it is.
pub(crate) fn is_blank(path: &Path) -> bool {
    let look = |connection: Connection| {
        connection.busy_timeout(BUSY)?;
        is_empty(&connection)
    };
    let shared = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).and_then(look);
    let blank = shared.or_else(|_| open_unchanging(path).and_then(look));
    blank.unwrap_or(false)
}

/// Opens the database for writing, making it if it is missing and bringing it up to date if it is of an older format.
/// One that is damaged (as far as [`CHECKED`] says), foreign or newer is named and left as it is.
pub(crate) fn open(folder: &Path) -> Result<Connection, StoreError> {
    open_with(folder, STEPS)
}

/// The same, given the steps that lead to the newest format.
pub(crate) fn open_with(folder: &Path, steps: &[&str]) -> Result<Connection, StoreError> {
    let path = folder.join(DATABASE);
    let damaged = |error: rusqlite::Error| match StoreError::from(error) {
        StoreError::Database(error) => StoreError::Damaged { path: path.clone(), why: error.to_string() },
        StoreError::Corrupt(why) => StoreError::Damaged { path: path.clone(), why },
        other => other,
    };
    // SQLite would make it for all to read. Where it cannot be opened, SQLite says why.
    drop(open_private_file(&path));
    let connection = Connection::open(&path).map_err(damaged)?;
    connection.busy_timeout(BUSY)?;
    let found = if is_empty(&connection).map_err(damaged)? {
        None
    } else {
        let found = format(&connection, &path, steps).map_err(|error| match error {
            StoreError::Database(error) => damaged(error),
            other => other,
        })?;
        Some(found)
    };
    if found.is_some() {
        check(&connection, &path).map_err(damaged)?;
    }
    prepare(&connection, found, steps).map_err(damaged)?;
    Ok(connection)
}

/// Bytes of a record that is looked through whole before anything is written: some tenths of a second. Damage in a
/// larger one is found where it is met.
const CHECKED: u64 = 64 << 20;

/// Sees that a record is whole, as far as that can be seen in bounded time.
fn check(connection: &Connection, path: &Path) -> rusqlite::Result<()> {
    if path.metadata().map_or(u64::MAX, |file| file.len()) > CHECKED {
        return Ok(());
    }
    let found: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if found == "ok" {
        return Ok(());
    }
    let corrupt = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CORRUPT);
    Err(rusqlite::Error::SqliteFailure(corrupt, Some(format!("it is damaged: {}", found.replace('\n', " ")))))
}

/// A connection to a database that is open for writing already, by which nothing is written but what is in the log.
pub(crate) fn open_beside(folder: &Path) -> Result<Connection, StoreError> {
    let connection = Connection::open(folder.join(DATABASE))?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    Ok(connection)
}

/// Opens the database for reading alone, beside a writer.
pub(crate) fn open_to_read(folder: &Path) -> Result<Connection, StoreError> {
    open_to_read_with(folder, STEPS)
}

/// The same, given the steps that lead to the newest format.
pub(crate) fn open_to_read_with(folder: &Path, steps: &[&str]) -> Result<Connection, StoreError> {
    let path = folder.join(DATABASE);
    if !path.exists() {
        let source = std::io::Error::new(std::io::ErrorKind::NotFound, "no record here; run a crawl first");
        return Err(StoreError::File { path, source });
    }
    only_ours(folder)?;
    look_into(&path, steps).map_err(|error| if is_blank(&path) { StoreError::Empty(path) } else { error })
}

/// Opens a file for reading alone.
fn look_into(path: &Path, steps: &[&str]) -> Result<Connection, StoreError> {
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    connection.busy_timeout(BUSY)?;
    let (connection, found) = match format(&connection, path, steps) {
        Ok(found) => (connection, found),
        // The folder cannot be written, so that the files that go with the log cannot be made: where no log is there,
        // the file may be read as one that does not change.
        Err(StoreError::ReadOnly(_) | StoreError::Unreadable(_)) if !has_log(path) => {
            let connection = open_unchanging(path)?;
            let found = format(&connection, path, steps)?;
            (connection, found)
        }
        Err(error) => return Err(error),
    };
    let known = migrate::newest(steps);
    if found < known {
        return Err(StoreError::Older { path: path.to_owned(), found, known });
    }
    keep_statements(&connection)?;
    Ok(connection)
}

/// Whether changes stand in the log that are not in the file.
fn has_log(path: &Path) -> bool {
    path.with_extension("sqlite-wal").metadata().is_ok_and(|log| log.len() > 0)
}

fn open_unchanging(path: &Path) -> rusqlite::Result<Connection> {
    let escaped = path.to_string_lossy().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    Connection::open_with_flags(format!("file:{escaped}?immutable=1"), flags)
}

/// Whether the database holds nothing yet: new, or left by a process that was killed while it made it.
fn is_empty(connection: &Connection) -> rusqlite::Result<bool> {
    let application: i64 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let tables: u64 = connection.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0))?;
    Ok(application == 0 && tables == 0)
}

/// The format of a record, if it is one that is known.
fn format(connection: &Connection, path: &Path, steps: &[&str]) -> Result<i64, StoreError> {
    let application: i64 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    if application != APPLICATION {
        return Err(StoreError::Damaged { path: path.to_owned(), why: "not written by mapwright".to_owned() });
    }
    let found: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let known = migrate::newest(steps);
    if found > known {
        return Err(StoreError::Newer { path: path.to_owned(), found, known });
    }
    if found < migrate::OLDEST {
        return Err(StoreError::Damaged { path: path.to_owned(), why: format!("there never was a format {found}") });
    }
    Ok(found)
}

/// Statements kept ready, more than there are: one that is prepared anew for each row costs more than the row.
const STATEMENTS: usize = 128;

/// Sees to it that a statement is prepared once: not anew when it has left a cache too small for all, nor when it is
/// given other values, by which SQLite would otherwise plan it again.
fn keep_statements(connection: &Connection) -> rusqlite::Result<()> {
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map(drop)
}

/// Makes the database ready for writing. `found` is its format; a new one has none.
fn prepare(connection: &Connection, found: Option<i64>, steps: &[&str]) -> rusqlite::Result<()> {
    if found.is_none() {
        // Before the first table: later it takes a VACUUM.
        connection.pragma_update(None, "auto_vacuum", INCREMENTAL)?;
    }
    keep_statements(connection)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.pragma_update(None, "temp_store", "FILE")?;
    connection.pragma_update(None, "cache_size", -32_768)?;
    connection.pragma_update(None, "wal_autocheckpoint", 4_000)?;
    let transaction = connection.unchecked_transaction()?;
    match found {
        None => make(&transaction, steps)?,
        Some(found) if found < migrate::newest(steps) => migrate::run(&transaction, found, steps)?,
        Some(_) => {}
    }
    names::write(&transaction)?;
    transaction.commit()
}

fn make(connection: &Connection, steps: &[&str]) -> rusqlite::Result<()> {
    connection.pragma_update(None, "application_id", APPLICATION)?;
    connection.pragma_update(None, "user_version", migrate::newest(steps))?;
    connection.execute_batch(include_str!("../sql/schema.sql"))?;
    connection.execute_batch(include_str!("../sql/views.sql"))
}
