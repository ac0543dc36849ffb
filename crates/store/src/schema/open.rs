//! Opening a record: the folder, the lock, the format.

use crate::error::StoreError;
use crate::schema::migrate::{self, STEPS};
use crate::schema::names;
use crate::schema::same_file::is_same_file;
use mapwright_files::{check_plain_files, make_private_folder, open_private_file};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The application id that marks the file as a record of mapwright ("MWRT").
const APPLICATION: i64 = 0x4D57_5254;
/// The name of the database in the state folder.
pub(crate) const DATABASE: &str = "record.sqlite";
/// The name of the lock file beside it.
const LOCK: &str = "lock";
/// All files of a record.
const FILES: [&str; 5] = [LOCK, DATABASE, "record.sqlite-wal", "record.sqlite-shm", "record.sqlite-journal"];
/// The time that a write waits for readers in other processes.
const BUSY: Duration = Duration::from_secs(30);
/// The value of SQLite's `auto_vacuum = INCREMENTAL`.
const INCREMENTAL: i64 = 2;

/// Takes the lock of the state folder, creating the folder if it is missing. The lock is held until the file is
/// dropped.
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

/// Checks that the existing files of a record are plain files.
pub(crate) fn only_ours(folder: &Path) -> Result<(), StoreError> {
    check_plain_files(folder, &FILES).map_err(|(path, source)| StoreError::File { path, source })
}

/// Reports whether the lock is still that of the folder, which may have been removed or replaced.
pub(crate) fn holds(lock: &File, folder: &Path) -> bool {
    lock.metadata().is_ok_and(|opened| is_same_file(&opened, &folder.join(LOCK)))
}

/// Reports whether a process holds the lock of the state folder.
pub(crate) fn is_locked(folder: &Path) -> bool {
    if only_ours(folder).is_err() {
        return false;
    }
    let file = File::open(folder.join(LOCK));
    file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

/// Reports whether a file is an empty database. The first process to open it after a kill has exclusive access for the
/// recovery of the log, so this waits for it. If the process was killed while it wrote the first page, only a writer
/// may roll that back; then the file is read as immutable.
pub(crate) fn is_blank(path: &Path) -> bool {
    let look = |connection: Connection| {
        connection.busy_timeout(BUSY)?;
        is_empty(&connection)
    };
    let shared = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY).and_then(look);
    let blank = shared.or_else(|_| open_unchanging(path).and_then(look));
    blank.unwrap_or(false)
}

/// Opens the database for writing. Creates it if it is missing, and migrates it if its format is older. A database that
/// is damaged (as far as [`CHECKED`] allows a check), foreign or newer is an error and stays unchanged.
pub(crate) fn open(folder: &Path) -> Result<Connection, StoreError> {
    open_with(folder, STEPS)
}

/// Opens the database like [`open`], with these migration steps to the newest format.
pub(crate) fn open_with(folder: &Path, steps: &[&str]) -> Result<Connection, StoreError> {
    let path = folder.join(DATABASE);
    let damaged = |error: rusqlite::Error| match StoreError::from(error) {
        StoreError::Database(error) => StoreError::Damaged { path: path.clone(), why: error.to_string() },
        StoreError::Corrupt(why) => StoreError::Damaged { path: path.clone(), why },
        other => other,
    };
    // Created here because SQLite would make the file readable for all users. On an error, SQLite reports the cause
    // below.
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

/// The most bytes of a record that is checked completely when it is opened for writing, which takes some tenths of a
/// second. Damage in a larger record is found only when it is read.
const CHECKED: u64 = 64 << 20;

/// Checks a record for damage, if it is small enough to do so in bounded time.
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

/// A second connection to a database that is open for writing, used only for checkpoints.
pub(crate) fn open_beside(folder: &Path) -> Result<Connection, StoreError> {
    let connection = Connection::open(folder.join(DATABASE))?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    Ok(connection)
}

/// Opens the database read-only, beside a writer.
pub(crate) fn open_to_read(folder: &Path) -> Result<Connection, StoreError> {
    open_to_read_with(folder, STEPS)
}

/// Opens the database like [`open_to_read`], with these migration steps to the newest format.
pub(crate) fn open_to_read_with(folder: &Path, steps: &[&str]) -> Result<Connection, StoreError> {
    let path = folder.join(DATABASE);
    if !path.exists() {
        let source = std::io::Error::new(std::io::ErrorKind::NotFound, "no record here; run a crawl first");
        return Err(StoreError::File { path, source });
    }
    only_ours(folder)?;
    look_into(&path, steps).map_err(|error| if is_blank(&path) { StoreError::Empty(path) } else { error })
}

/// Opens a database file read-only.
fn look_into(path: &Path, steps: &[&str]) -> Result<Connection, StoreError> {
    // A connection is used by one thread at a time, so SQLite need not lock it at every call.
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY)?;
    let (connection, found) = match format(&connection, path, steps) {
        Ok(found) => (connection, found),
        // In a read-only folder, SQLite cannot create the files of the log. Without a log, the file may be read as
        // immutable.
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

/// Reports whether the log holds changes that are not in the database file.
fn has_log(path: &Path) -> bool {
    path.with_extension("sqlite-wal").metadata().is_ok_and(|log| log.len() > 0)
}

fn open_unchanging(path: &Path) -> rusqlite::Result<Connection> {
    let escaped = path.to_string_lossy().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    Connection::open_with_flags(format!("file:{escaped}?immutable=1"), flags)
}

/// Reports whether the database is empty: new, or left by a process that was killed while it created it.
fn is_empty(connection: &Connection) -> rusqlite::Result<bool> {
    let application: i64 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let tables: u64 = connection.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get(0))?;
    Ok(application == 0 && tables == 0)
}

/// Returns the format of a record; an unknown format is an error.
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

/// The number of prepared statements kept, more than there are: preparing a statement for each row costs more than the
/// row.
const STATEMENTS: usize = 128;

/// Makes sure that each statement is prepared only once: the cache is large enough for all, and SQLite does not plan a
/// statement again for other bound values.
fn keep_statements(connection: &Connection) -> rusqlite::Result<()> {
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map(drop)
}

/// Prepares the database for writing. `found` is its format, `None` for a new database.
fn prepare(connection: &Connection, found: Option<i64>, steps: &[&str]) -> rusqlite::Result<()> {
    if found.is_none() {
        // Set before the first table is created; changing it later requires a VACUUM.
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
    connection.execute_batch(include_str!("../../sql/schema.sql"))?;
    connection.execute_batch(include_str!("../../sql/views.sql"))
}
