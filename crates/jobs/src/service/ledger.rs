//! The ledger: what came of each night, where each job stands, and the outbox, in one SQLite file.
//!
//! Several processes may write to it (the service, and `run` from a timer): each change is one short transaction.

use super::job_run_state::JobRunState;
use super::view::{JobRun, JobRunCounts, Outage};
use crate::error::{JobError, JobFault};
use jiff::Timestamp;
use mapwright_files::{make_private_folder, only_plain_files, open_private_file};
use mapwright_schedule::Standing;
use mapwright_tell::{Message, OUTBOX_SCHEMA, Outbox};
use rusqlite::{Connection, ErrorCode, OptionalExtension, Row, Transaction, TransactionBehavior, params};
use std::collections::BTreeSet;
use std::fmt::Display;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The file's name below the state root.
const FILE: &str = "service.sqlite";
/// The same with all that goes with it.
const FILES: [&str; 5] = [FILE, "service.sqlite-wal", "service.sqlite-shm", "service.sqlite-journal", "service.lock"];
/// The format of the file, kept as its `user_version`.
const FORMAT: i64 = 1;
/// What is read of a night.
const NIGHT: &str = "id, job, due, began, ended, run, state, why, counts, advice";
/// How long another process may hold the file.
const PATIENCE: Duration = Duration::from_secs(20);
/// Nights that are kept of each job.
const KEPT_NIGHTS: i64 = 4000;
/// How long messages are kept after they were delivered or given up.
const KEPT_LETTERS: Duration = Duration::from_secs(30 * 86_400);

/// The ledger of one state root.
#[derive(Debug)]
pub struct Ledger {
    connection: Mutex<Connection>,
    path: PathBuf,
    /// The file as it was opened.
    opened: Metadata,
}

/// What a night came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) state: JobRunState,
    /// Why, in words.
    pub(crate) why: String,
    /// The run in the record.
    pub(crate) run: Option<i64>,
    pub(crate) counts: JobRunCounts,
    /// What is to be done at the site, where that was looked at.
    pub(crate) advice: Option<Vec<String>>,
}

/// A night that was due and did not run.
#[derive(Debug, Clone)]
pub(crate) struct LeftOut {
    pub(crate) job: String,
    pub(crate) due: Timestamp,
    pub(crate) state: JobRunState,
    pub(crate) why: String,
    pub(crate) told: Told,
}

/// What people are told, and what they know then.
#[derive(Debug, Clone)]
pub(crate) struct Told {
    pub(crate) message: Option<Message>,
    /// The labels of the channels that the message goes to.
    pub(crate) channels: Vec<String>,
    pub(crate) trouble: Trouble,
}

/// What a night makes of the trouble that people know of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// It is as it was.
    AsBefore,
    /// The job is well.
    Over,
    /// The job is in this trouble: `refused`, `missed`, `failed` (the site does not answer; else with what it does
    /// instead), or `failed at` a place. One trouble is told from another by this text.
    Is(String),
}

impl Ledger {
    /// Opens the ledger below `root`, or makes one.
    ///
    /// # Errors
    /// When it cannot be read or written, or was written by a newer version.
    pub fn open(root: &Path) -> Result<Self, JobError> {
        // A place that cannot be used is for the user to mend, before anything has begun.
        let unfit = |path: &Path, error: &dyn Display| JobError { fault: JobFault::Usage, ..fault(path, error) };
        make_private_folder(root).map_err(|error| unfit(root, &error))?;
        only_plain_files(root, &FILES).map_err(|(path, error)| unfit(&path, &error))?;
        let path = root.join(FILE);
        // SQLite would make it for all to read. Where it cannot be opened, SQLite says why.
        drop(open_private_file(&path));
        let connection = connect(&path).map_err(|error| unfit(&path, &error))?;
        let format: i64 =
            connection.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(|error| unfit(&path, &error))?;
        if format > FORMAT {
            return Err(unfit(&path, &format!("it has format {format}, and this version reads up to {FORMAT}")));
        }
        let opened = std::fs::metadata(&path).map_err(|error| unfit(&path, &error))?;
        Ok(Self { connection: Mutex::new(connection), path, opened })
    }

    /// The ledger below `root`, if there is one.
    ///
    /// # Errors
    /// As [`Ledger::open`].
    pub fn known(root: &Path) -> Result<Option<Self>, JobError> {
        if root.join(FILE).exists() { Self::open(root).map(Some) } else { Ok(None) }
    }

    fn lock(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether its file is where it was: one that was removed can be read and written still, and is lost with this
    /// process.
    pub(crate) fn still_there(&self) -> Result<(), JobError> {
        let is_there = mapwright_store::stands_at(&self.opened, &self.path);
        if is_there { Ok(()) } else { Err(fault(&self.path, &"it was removed")) }
    }

    /// What is wrong with its file, if it is not where it was, or cannot be written; one that another process writes to
    /// just now can be.
    pub(super) fn outage(&self) -> Option<Outage> {
        let path = self.path.display();
        if self.still_there().is_err() {
            return Some(Outage { what: format!("the database {path} was removed or replaced"), is_lost: true });
        }
        match self.lock().pragma_update(None, "user_version", FORMAT) {
            Err(error) if error.sqlite_error_code() != Some(ErrorCode::DatabaseBusy) => {
                Some(Outage { what: format!("the database {path} cannot be written: {error}"), is_lost: false })
            }
            _ => None,
        }
    }

    /// One transaction.
    pub(super) fn write<T>(&self, change: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>) -> Result<T, JobError> {
        let mut connection = self.lock();
        let changed = (|| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let value = change(&transaction)?;
            transaction.commit()?;
            Ok(value)
        })();
        changed.map_err(|error: rusqlite::Error| fault(&self.path, &error))
    }

    pub(super) fn read<T>(&self, look: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, JobError> {
        look(&self.lock()).map_err(|error| fault(&self.path, &error))
    }

    /// Where the job stood last.
    pub(crate) fn standing(&self, job: &str) -> Result<Option<Standing>, JobError> {
        let json: Option<String> = self.read(|connection| {
            connection.query_row("SELECT json FROM standing WHERE job = ?", [job], |row| row.get(0)).optional()
        })?;
        // Text that cannot be read counts as nothing: the job begins again.
        Ok(json.and_then(|json| serde_json::from_str(&json).ok()))
    }

    /// Notes where a job stands.
    pub(crate) fn set_standing(&self, job: &str, standing: &Standing) -> Result<(), JobError> {
        self.write(|transaction| put_standing(transaction, job, standing))
    }

    /// Forgets where jobs stood that are not among these, and what was to be told of them: one that comes back begins
    /// anew.
    pub(crate) fn keep_standings(&self, jobs: &[String]) -> Result<(), JobError> {
        let jobs = serde_json::to_string(jobs).unwrap_or_default();
        self.write(|transaction| {
            for table in ["standing", "trouble", "unsent", "rest"] {
                let others = "WHERE job NOT IN (SELECT value FROM json_each(?))";
                transaction.execute(&format!("DELETE FROM {table} {others}"), [&jobs])?;
            }
            Ok(())
        })
    }

    /// A night begins, or goes on: its number.
    pub(crate) fn begin(&self, job: &str, due: Timestamp, now: Timestamp) -> Result<i64, JobError> {
        self.write(|transaction| {
            // One night of a job runs at a time: another that seems to was killed.
            transaction.execute(
                "UPDATE night SET state = 'unfinished', why = 'the process was killed', ended = ?3
                 WHERE job = ?1 AND due <> ?2 AND state = 'running'",
                params![job, due.as_millisecond(), now.as_millisecond()],
            )?;
            transaction.execute(
                "INSERT INTO night (job, due, began, state) VALUES (?1, ?2, ?3, 'running')
                 ON CONFLICT (job, due) DO UPDATE SET state = 'running', ended = NULL, why = '',
                                                      began = coalesce(began, excluded.began)",
                params![job, due.as_millisecond(), now.as_millisecond()],
            )?;
            let select = "SELECT id FROM night WHERE job = ? AND due = ?";
            transaction.query_row(select, params![job, due.as_millisecond()], |row| row.get(0))
        })
    }

    /// Notes which run of the record is a night's: the one that it goes on with, or is about to begin.
    pub(crate) fn set_run(&self, night: i64, run: i64) -> Result<(), JobError> {
        self.write(|transaction| transaction.execute("UPDATE night SET run = ? WHERE id = ?", [run, night]).map(drop))
    }

    /// A night ended. What is told of it goes into the outbox with that, or not at all.
    pub(crate) fn settle(&self, night: i64, outcome: &Outcome, told: &Told, now: Timestamp) -> Result<(), JobError> {
        let counts = serde_json::to_string(&outcome.counts).unwrap_or_default();
        self.write(|transaction| {
            transaction.execute(
                "UPDATE night SET state = ?, why = ?, run = ?, counts = ?, advice = ?, ended = ? WHERE id = ?",
                params![
                    outcome.state,
                    outcome.why,
                    outcome.run,
                    counts,
                    outcome.advice.as_ref().map(|lines| lines.join("\n")),
                    now.as_millisecond(),
                    night
                ],
            )?;
            let job: String = transaction.query_row("SELECT job FROM night WHERE id = ?", [night], |row| row.get(0))?;
            put_told(transaction, &job, told, now)?;
            prune(transaction, &job, now)
        })
    }

    /// Nights were left out: in one transaction, for after a long downtime there may be thousands.
    pub(crate) fn leave_out(&self, nights: &[LeftOut], now: Timestamp) -> Result<(), JobError> {
        self.write(|transaction| {
            let mut insert = transaction.prepare(
                "INSERT INTO night (job, due, ended, state, why) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            )?;
            for night in nights {
                let LeftOut { job, due, state, why, told } = night;
                let noted = insert.execute(params![job, due.as_millisecond(), now.as_millisecond(), state, why])?;
                if noted > 0 {
                    put_told(transaction, job, told, now)?;
                }
            }
            let jobs: BTreeSet<&str> = nights.iter().map(|night| night.job.as_str()).collect();
            jobs.into_iter().try_for_each(|job| prune(transaction, job, now))
        })
    }

    /// The runs of a job, newest first, of those older than number `before`.
    ///
    /// # Errors
    /// When the ledger cannot be read.
    pub fn runs(&self, job: &str, before: Option<i64>, most: usize) -> Result<Vec<JobRun>, JobError> {
        self.read(|connection| {
            let mut select = connection.prepare_cached(&format!(
                "SELECT {NIGHT} FROM night WHERE job = ? AND id < ? ORDER BY id DESC LIMIT ?"
            ))?;
            let rows = select.query_map(params![job, before.unwrap_or(i64::MAX), most], night_view)?;
            rows.collect()
        })
    }

    /// The newest night of a job, or its newest one that `ran` and has ended.
    ///
    /// # Errors
    /// When the ledger cannot be read.
    pub fn newest_run(&self, job: &str, ran: bool) -> Result<Option<JobRun>, JobError> {
        self.read(|connection| {
            let mut select = connection.prepare_cached(&format!(
                "SELECT {NIGHT} FROM night
                 WHERE job = ? AND (NOT ? OR state IN ('done', 'refused', 'failed')) ORDER BY id DESC LIMIT 1"
            ))?;
            select.query_row(params![job, ran], night_view).optional()
        })
    }

    /// A night by its number.
    pub(crate) fn night(&self, number: i64) -> Result<Option<JobRun>, JobError> {
        self.read(|connection| {
            let select = format!("SELECT {NIGHT} FROM night WHERE id = ?");
            connection.query_row(&select, [number], night_view).optional()
        })
    }

    /// The newest night of a job that began and was not settled, other than the one that is due now: it was killed.
    pub(crate) fn unsettled(&self, job: &str, due: Timestamp) -> Result<Option<JobRun>, JobError> {
        self.read(|connection| {
            let select = format!(
                "SELECT {NIGHT} FROM night WHERE job = ? AND due <> ? AND state = 'running' ORDER BY id DESC LIMIT 1"
            );
            connection.query_row(&select, params![job, due.as_millisecond()], night_view).optional()
        })
    }

    /// The advice of the last night before this one at which it was looked at.
    pub(crate) fn advice_before(&self, job: &str, night: i64) -> Result<Vec<String>, JobError> {
        let advice: Option<String> = self.read(|connection| {
            let select = "SELECT advice FROM night WHERE job = ? AND id < ? AND advice IS NOT NULL
                          ORDER BY id DESC LIMIT 1";
            connection.query_row(select, params![job, night], |row| row.get(0)).optional()
        })?;
        Ok(lines(&advice.unwrap_or_default()))
    }

    /// Whether nights of a job were skipped that were due after this one.
    pub(crate) fn skipped_since(&self, job: &str, due: Timestamp) -> Result<bool, JobError> {
        let select = "SELECT EXISTS (SELECT 1 FROM night WHERE job = ? AND due > ? AND state = ?)";
        let parameters = params![job, due.as_millisecond(), JobRunState::Skipped];
        self.read(|connection| connection.query_row(select, parameters, |row| row.get(0)))
    }

    /// The trouble of a job that people know of.
    pub(crate) fn trouble(&self, job: &str) -> Result<Option<String>, JobError> {
        self.read(|connection| {
            connection.query_row("SELECT kind FROM trouble WHERE job = ?", [job], |row| row.get(0)).optional()
        })
    }

    /// Whether a job is paused.
    ///
    /// # Errors
    /// When the ledger cannot be read.
    pub fn is_paused(&self, job: &str) -> Result<bool, JobError> {
        Ok(self.standing(job)?.is_some_and(|standing| standing.is_paused()))
    }
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let mut connection = Connection::open(path)?;
    connection.busy_timeout(PATIENCE)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let format: i64 = transaction.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    if format == 0 {
        transaction.execute_batch(include_str!("ledger.sql"))?;
        transaction.execute_batch(OUTBOX_SCHEMA)?;
        transaction.pragma_update(None, "user_version", FORMAT)?;
    }
    transaction.commit()?;
    Ok(connection)
}

fn put_standing(transaction: &Transaction<'_>, job: &str, standing: &Standing) -> rusqlite::Result<()> {
    let json = serde_json::to_string(standing).unwrap_or_default();
    let upsert = "INSERT INTO standing (job, json) VALUES (?, ?) ON CONFLICT DO UPDATE SET json = excluded.json";
    transaction.execute(upsert, [job, &json]).map(drop)
}

/// Lets old nights of a job go, and messages that were settled long ago.
fn prune(transaction: &Transaction<'_>, job: &str, now: Timestamp) -> rusqlite::Result<()> {
    transaction.execute(
        "DELETE FROM night WHERE job = ?1
         AND id <= (SELECT id FROM night WHERE job = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)",
        params![job, KEPT_NIGHTS],
    )?;
    Outbox::forget_settled(transaction, now.saturating_sub(KEPT_LETTERS).unwrap_or(Timestamp::MIN))
}

fn put_told(transaction: &Transaction<'_>, job: &str, told: &Told, now: Timestamp) -> rusqlite::Result<()> {
    match &told.trouble {
        Trouble::AsBefore => 0,
        Trouble::Over => transaction.execute("DELETE FROM trouble WHERE job = ?", [job])?,
        Trouble::Is(kind) => {
            let upsert = "INSERT INTO trouble (job, kind) VALUES (?, ?) ON CONFLICT DO UPDATE SET kind = excluded.kind";
            transaction.execute(upsert, [job, kind])?
        }
    };
    match &told.message {
        Some(message) => Outbox::put(transaction, message, &told.channels, now),
        None => Ok(()),
    }
}

fn night_view(row: &Row<'_>) -> rusqlite::Result<JobRun> {
    let time = |at: Option<i64>| at.and_then(|at| Timestamp::from_millisecond(at).ok());
    let counts: String = row.get(8)?;
    Ok(JobRun {
        number: row.get(0)?,
        job: row.get(1)?,
        due: time(row.get(2)?).unwrap_or_default(),
        began: time(row.get(3)?),
        ended: time(row.get(4)?),
        run: row.get(5)?,
        outcome: row.get(6)?,
        why: row.get(7)?,
        counts: serde_json::from_str::<JobRunCounts>(&counts).unwrap_or_default(),
        advice: lines(&row.get::<_, Option<String>>(9)?.unwrap_or_default()),
    })
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

fn fault(path: &Path, error: &dyn Display) -> JobError {
    JobError {
        fault: JobFault::Failed,
        what: error.to_string(),
        place: format!("the ledger {} (--state-root)", path.display()),
        remedy: "see that it can be read and written, and that its disk has room".to_owned(),
        key: None,
    }
}
