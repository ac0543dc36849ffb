//! Errors of a record.

use std::path::PathBuf;

/// The error for a record that cannot be opened, read or written. Messages name the file; what to do about it is
/// for the caller to say.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another process has it open.
    #[error("{0}: another mapwright is at work on this record")]
    Locked(PathBuf),
    /// Its format is newer than this mapwright supports.
    #[error("{path}: format {found} is newer than the {known} that this mapwright reads")]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: i64,
        /// The newest format known.
        known: i64,
    },
    /// An older mapwright wrote it, and it is opened only for reading.
    #[error("{path}: format {found} is older than this mapwright reads ({known})")]
    Older {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: i64,
        /// The format that is read.
        known: i64,
    },
    /// It has no run yet: the process that created it was killed, or is still at work.
    #[error("{0}: the record holds no run yet")]
    Empty(PathBuf),
    /// It is damaged, or not a record.
    #[error("{path}: no usable record ({why})")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The message of SQLite.
        why: String,
    },
    /// Damage was found while it was read.
    #[error("it is damaged: {0}")]
    Corrupt(String),
    /// The file exists and cannot be opened.
    #[error("it cannot be opened: {0}")]
    Unreadable(String),
    /// Its file was removed while it was open, so that further writes are lost.
    #[error("{0}: the record was removed while it was at work, and nothing was published")]
    Removed(PathBuf),
    /// A folder or file cannot be created or opened.
    #[error("{path}: {source}")]
    File {
        /// The path.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// No space is left.
    #[error("the disk is full: {0}")]
    Full(String),
    /// The database or its folder cannot be written.
    #[error("{0}: it cannot be written")]
    ReadOnly(String),
    /// Any other failure of the database.
    #[error("the record failed: {0}")]
    Database(rusqlite::Error),
    /// The facts of a page cannot be compressed or decompressed.
    #[error("the facts of a page could not be packed: {0}")]
    Packing(#[source] std::io::Error),
    /// The writer thread has stopped.
    #[error("the record's writer has stopped")]
    Gone,
}

/// Returns the message of an SQLite error that is about the contents of the file, although its code is the general one:
/// the JSON columns and the tables, which SQLite itself reads, are written only by mapwright.
fn damage(error: &rusqlite::Error) -> Option<&str> {
    let message = match error {
        // A statement that does not fit the tables.
        rusqlite::Error::SqlInputError { msg, .. } => msg,
        rusqlite::Error::SqliteFailure(cause, Some(message)) if cause.code == rusqlite::ErrorCode::Unknown => message,
        _ => return None,
    };
    let words = ["malformed JSON", "no such column", "no such table"];
    words.iter().any(|words| message.starts_with(words)).then_some(message)
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        // Tables are STRICT with NOT NULL columns, so a value of another type or form was not written by mapwright.
        if let rusqlite::Error::InvalidColumnType(..)
        | rusqlite::Error::FromSqlConversionFailure(..)
        | rusqlite::Error::IntegralValueOutOfRange(..)
        | rusqlite::Error::Utf8Error(..) = error
        {
            return Self::Corrupt(error.to_string());
        }
        if let Some(message) = damage(&error) {
            return Self::Corrupt(message.to_owned());
        }
        match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::DiskFull) => Self::Full(error.to_string()),
            Some(rusqlite::ErrorCode::DatabaseCorrupt | rusqlite::ErrorCode::NotADatabase) => {
                Self::Corrupt(error.to_string())
            }
            Some(rusqlite::ErrorCode::CannotOpen | rusqlite::ErrorCode::PermissionDenied) => {
                Self::Unreadable(error.to_string())
            }
            Some(rusqlite::ErrorCode::ReadOnly) => Self::ReadOnly(error.to_string()),
            _ => Self::Database(error),
        }
    }
}
