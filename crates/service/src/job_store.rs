//! The job store: the runs and schedule states of all jobs, and the outbox, in one SQLite file.
//!
//! Several processes may write to it (the service, and `run` from a timer): each change is one short transaction.

use crate::job_run::{JobRun, JobRunCounts};
use crate::job_run_state::JobRunState;
use crate::run_key::RunKey;
use crate::view::Outage;
use jiff::Timestamp;
use mapwright_crawl::{CrawlError, CrawlFault};
use mapwright_files::{check_plain_files, make_private_folder, open_private_file};
use mapwright_notify::{Message, OUTBOX_SCHEMA, Outbox};
use mapwright_schedule::ScheduleState;
use rusqlite::{Connection, ErrorCode, OptionalExtension, Row, Transaction, TransactionBehavior, params};
use std::collections::BTreeSet;
use std::fmt::Display;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The name of the file below the state root.
const FILE: &str = "service.sqlite";
/// The file with its companions.
const FILES: [&str; 5] = [FILE, "service.sqlite-wal", "service.sqlite-shm", "service.sqlite-journal", "service.lock"];
/// The format of the file, kept as its `user_version`.
const FORMAT: i64 = 2;
/// The columns that are read of a run.
pub(crate) const RUN_COLUMNS: &str =
    "id, job, scheduled_for, occurrence, started, ended, record_run, state, reason, counts, hints";
/// The time that another process may lock the file.
const PATIENCE: Duration = Duration::from_secs(20);
/// The number of runs that are kept of each job.
const MAX_RUNS: i64 = 4000;
/// The time that notifications are kept after they were delivered or given up.
const KEEP_NOTIFICATIONS: Duration = Duration::from_secs(30 * 86_400);

/// The job store of one state root.
#[derive(Debug)]
pub struct JobStore {
    connection: Mutex<Connection>,
    path: PathBuf,
    /// The file as it was opened.
    opened: Metadata,
}

/// The outcome of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct StoredOutcome {
    pub(crate) state: JobRunState,
    /// The reason, in words.
    pub(crate) reason: String,
    /// The run in the record.
    pub(crate) record_run: Option<i64>,
    pub(crate) counts: JobRunCounts,
    /// Advice about the site, if the run checked it.
    pub(crate) hints: Option<Vec<String>>,
}

/// A run that was due and did not begin.
#[derive(Debug, Clone)]
pub(crate) struct SkippedRun {
    pub(crate) job: String,
    pub(crate) key: RunKey,
    pub(crate) state: JobRunState,
    pub(crate) reason: String,
    pub(crate) notice: RunNotification,
}

/// A notification about a run, and the change of the incident that it reports.
#[derive(Debug, Clone)]
pub(crate) struct RunNotification {
    pub(crate) message: Option<Message>,
    /// The labels of the channels that the message goes to.
    pub(crate) channels: Vec<String>,
    pub(crate) incident: IncidentChange,
}

/// The change of the incident of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum IncidentChange {
    /// Unchanged.
    Ongoing,
    /// The job has recovered.
    Resolved,
    /// The job has this incident: `refused`, `missed`, `failed` (the site does not answer; or `failed` with what it
    /// does instead), or `failed at` a place. The text identifies the incident.
    Opened(String),
}

impl JobStore {
    /// Opens the job store below `root`, or creates it.
    ///
    /// # Errors
    /// If it cannot be read or written, or was written by a newer version.
    pub fn open(root: &Path) -> Result<Self, CrawlError> {
        // A place that cannot be used is an error of usage, which the user fixes before anything begins.
        let unfit = |path: &Path, error: &dyn Display| CrawlError { fault: CrawlFault::Usage, ..fault(path, error) };
        make_private_folder(root).map_err(|error| unfit(root, &error))?;
        check_plain_files(root, &FILES).map_err(|(path, error)| unfit(&path, &error))?;
        let path = root.join(FILE);
        // SQLite would create the file readable for all. If it cannot be opened here, SQLite reports the reason.
        drop(open_private_file(&path));
        let connection = connect(&path).map_err(|error| unfit(&path, &error))?;
        let format: i64 =
            connection.query_row("PRAGMA user_version", [], |row| row.get(0)).map_err(|error| unfit(&path, &error))?;
        if format > FORMAT {
            let what = format!(
                "{}: format {format} is newer than the {FORMAT} that this mapwright reads: use the mapwright that wrote \
                 it, or name another directory (--state-root)",
                path.display()
            );
            return Err(CrawlError {
                fault: CrawlFault::Usage,
                what,
                place: String::new(),
                hint: String::new(),
                key: None,
            });
        }
        let opened = std::fs::metadata(&path).map_err(|error| unfit(&path, &error))?;
        Ok(Self { connection: Mutex::new(connection), path, opened })
    }

    /// Opens the job store below `root`, if there is one.
    ///
    /// # Errors
    /// As [`JobStore::open`].
    pub fn known(root: &Path) -> Result<Option<Self>, CrawlError> {
        if root.join(FILE).exists() { Self::open(root).map(Some) } else { Ok(None) }
    }

    fn lock(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Checks that its file is still in place. A removed file can still be read and written, but is lost when this
    /// process ends.
    pub(crate) fn still_there(&self) -> Result<(), CrawlError> {
        let is_there = mapwright_store::is_same_file(&self.opened, &self.path);
        if is_there { Ok(()) } else { Err(fault(&self.path, &"it was removed")) }
    }

    /// Returns the outage, if its file is not in place. Waits for no lock.
    pub(crate) fn lost(&self) -> Option<Outage> {
        let what = || format!("the database {} was removed or replaced", self.path.display());
        self.still_there().is_err().then(|| Outage { what: what(), is_lost: true })
    }

    /// Returns the outage, if its file is not in place or cannot be written. A file that another process is writing to
    /// is not an outage.
    pub(crate) fn outage(&self) -> Option<Outage> {
        let path = self.path.display();
        if let Some(lost) = self.lost() {
            return Some(lost);
        }
        match self.lock().pragma_update(None, "user_version", FORMAT) {
            Err(error) if error.sqlite_error_code() != Some(ErrorCode::DatabaseBusy) => {
                Some(Outage { what: format!("the database {path} cannot be written: {error}"), is_lost: false })
            }
            _ => None,
        }
    }

    /// Runs a change in one transaction.
    pub(crate) fn write<T>(
        &self,
        change: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, CrawlError> {
        let mut connection = self.lock();
        let changed = (|| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let value = change(&transaction)?;
            transaction.commit()?;
            Ok(value)
        })();
        changed.map_err(|error: rusqlite::Error| fault(&self.path, &error))
    }

    pub(crate) fn read<T>(&self, look: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T, CrawlError> {
        look(&self.lock()).map_err(|error| fault(&self.path, &error))
    }

    /// Returns the stored schedule state of a job.
    pub(crate) fn schedule_state(&self, job: &str) -> Result<Option<ScheduleState>, CrawlError> {
        let json: Option<String> = self.read(|connection| {
            connection.query_row("SELECT state FROM job_schedule WHERE job = ?", [job], |row| row.get(0)).optional()
        })?;
        // A text that cannot be parsed counts as none: the schedule of the job begins again.
        Ok(json.and_then(|json| serde_json::from_str(&json).ok()))
    }

    /// Stores the schedule state of a job.
    pub(crate) fn set_schedule_state(&self, job: &str, schedule_state: &ScheduleState) -> Result<(), CrawlError> {
        self.write(|transaction| put_schedule_state(transaction, job, schedule_state))
    }

    /// Deletes the schedule states, incidents and waiting submissions of all jobs but these. A job that is added again
    /// begins without them.
    pub(crate) fn forget_other_jobs(&self, jobs: &[String]) -> Result<(), CrawlError> {
        let jobs = serde_json::to_string(jobs).unwrap_or_default();
        self.write(|transaction| {
            for table in ["job_schedule", "incident", "indexnow_queue", "indexnow_pause"] {
                let others = "WHERE job NOT IN (SELECT value FROM json_each(?))";
                transaction.execute(&format!("DELETE FROM {table} {others}"), [&jobs])?;
            }
            Ok(())
        })
    }

    /// Stores that a run begins or resumes. Returns its number.
    pub(crate) fn begin(&self, job: &str, key: RunKey, now: Timestamp) -> Result<i64, CrawlError> {
        self.write(|transaction| {
            // One run of a job is in progress at a time: another that is stored as running was killed.
            transaction.execute(
                "UPDATE job_run SET state = 'unfinished', reason = 'the process was killed', ended = ?4
                 WHERE job = ?1 AND (scheduled_for, occurrence) <> (?2, ?3) AND state = 'running'",
                params![job, key.milliseconds(), key.occurrence, now.as_millisecond()],
            )?;
            transaction.execute(
                "INSERT INTO job_run (job, scheduled_for, occurrence, started, state) VALUES (?1, ?2, ?3, ?4, 'running')
                 ON CONFLICT (job, scheduled_for, occurrence)
                 DO UPDATE SET state = 'running', ended = NULL, reason = '', started = coalesce(started, excluded.started)",
                params![job, key.milliseconds(), key.occurrence, now.as_millisecond()],
            )?;
            let select = "SELECT id FROM job_run WHERE job = ? AND scheduled_for = ? AND occurrence = ?";
            transaction.query_row(select, params![job, key.milliseconds(), key.occurrence], |row| row.get(0))
        })
    }

    /// Stores the run of the record that belongs to a job run: the one that it resumes, or is about to begin.
    pub(crate) fn set_run(&self, job_run: i64, run: i64) -> Result<(), CrawlError> {
        self.write(|transaction| {
            transaction.execute("UPDATE job_run SET record_run = ? WHERE id = ?", [run, job_run]).map(drop)
        })
    }

    /// Stores the end of a run, with its notifications in the same transaction.
    pub(crate) fn settle(
        &self,
        job_run: i64,
        outcome: &StoredOutcome,
        notice: &RunNotification,
        now: Timestamp,
    ) -> Result<(), CrawlError> {
        let counts = serde_json::to_string(&outcome.counts).unwrap_or_default();
        self.write(|transaction| {
            transaction.execute(
                "UPDATE job_run SET state = ?, reason = ?, record_run = ?, counts = ?, hints = ?, ended = ? WHERE id = ?",
                params![
                    outcome.state,
                    outcome.reason,
                    outcome.record_run,
                    counts,
                    outcome.hints.as_ref().map(|lines| lines.join("\n")),
                    now.as_millisecond(),
                    job_run
                ],
            )?;
            let job: String = transaction.query_row("SELECT job FROM job_run WHERE id = ?", [job_run], |row| row.get(0))?;
            put_notice(transaction, &job, notice, now)?;
            prune(transaction, &job, now)
        })
    }

    /// Stores runs that did not begin, in one transaction, because after a long downtime there may be thousands.
    pub(crate) fn store_skipped(&self, runs: &[SkippedRun], now: Timestamp) -> Result<(), CrawlError> {
        self.write(|transaction| {
            let mut insert = transaction.prepare(
                "INSERT INTO job_run (job, scheduled_for, occurrence, ended, state, reason) VALUES (?, ?, ?, ?, ?, ?)
                 ON CONFLICT DO NOTHING",
            )?;
            for skipped in runs {
                let SkippedRun { job, key, state, reason, notice } = skipped;
                let noted = insert.execute(params![
                    job,
                    key.milliseconds(),
                    key.occurrence,
                    now.as_millisecond(),
                    state,
                    reason
                ])?;
                if noted > 0 {
                    put_notice(transaction, job, notice, now)?;
                }
            }
            let jobs: BTreeSet<&str> = runs.iter().map(|skipped| skipped.job.as_str()).collect();
            jobs.into_iter().try_for_each(|job| prune(transaction, job, now))
        })
    }

    /// Returns the runs of a job that are older than number `before`, newest first.
    ///
    /// # Errors
    /// If the job store cannot be read.
    pub fn runs(&self, job: &str, before: Option<i64>, most: usize) -> Result<Vec<JobRun>, CrawlError> {
        self.read(|connection| {
            let mut select = connection.prepare_cached(&format!(
                "SELECT {RUN_COLUMNS} FROM job_run WHERE job = ? AND id < ? ORDER BY id DESC LIMIT ?"
            ))?;
            let rows = select.query_map(params![job, before.unwrap_or(i64::MAX), most], job_run)?;
            rows.collect()
        })
    }

    /// Returns a run by its number.
    pub(crate) fn job_run(&self, number: i64) -> Result<Option<JobRun>, CrawlError> {
        self.read(|connection| {
            let select = format!("SELECT {RUN_COLUMNS} FROM job_run WHERE id = ?");
            connection.query_row(&select, [number], job_run).optional()
        })
    }

    /// Returns the newest run of a job that began and was not settled, other than the one that is due now: it was
    /// killed.
    pub(crate) fn unsettled(&self, job: &str, key: RunKey) -> Result<Option<JobRun>, CrawlError> {
        self.read(|connection| {
            let select = format!(
                "SELECT {RUN_COLUMNS} FROM job_run
                 WHERE job = ? AND (scheduled_for, occurrence) <> (?, ?) AND state = 'running' ORDER BY id DESC LIMIT 1"
            );
            connection.query_row(&select, params![job, key.milliseconds(), key.occurrence], job_run).optional()
        })
    }

    /// Returns the advice of the last run before this one that checked it.
    pub(crate) fn hints_before(&self, job: &str, job_run: i64) -> Result<Vec<String>, CrawlError> {
        let hints: Option<String> = self.read(|connection| {
            let select = "SELECT hints FROM job_run WHERE job = ? AND id < ? AND hints IS NOT NULL
                          ORDER BY id DESC LIMIT 1";
            connection.query_row(select, params![job, job_run], |row| row.get(0)).optional()
        })?;
        Ok(lines(&hints.unwrap_or_default()))
    }

    /// Returns whether runs of a job were skipped that were due after this instant.
    pub(crate) fn skipped_since(&self, job: &str, scheduled_for: Timestamp) -> Result<bool, CrawlError> {
        let select = "SELECT EXISTS (SELECT 1 FROM job_run WHERE job = ? AND scheduled_for > ? AND state = ?)";
        let parameters = params![job, scheduled_for.as_millisecond(), JobRunState::Skipped];
        self.read(|connection| connection.query_row(select, parameters, |row| row.get(0)))
    }

    /// Returns the incident of a job that was reported, if it is not resolved.
    pub(crate) fn incident(&self, job: &str) -> Result<Option<String>, CrawlError> {
        self.read(|connection| {
            connection.query_row("SELECT kind FROM incident WHERE job = ?", [job], |row| row.get(0)).optional()
        })
    }

    /// Returns whether a job is paused.
    ///
    /// # Errors
    /// If the job store cannot be read.
    pub fn is_paused(&self, job: &str) -> Result<bool, CrawlError> {
        Ok(self.schedule_state(job)?.is_some_and(|schedule_state| schedule_state.is_paused()))
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
        transaction.execute_batch(include_str!("job_store.sql"))?;
        transaction.execute_batch(OUTBOX_SCHEMA)?;
    }
    // Format 1 had no logs of runs.
    if format < FORMAT {
        transaction.execute_batch(include_str!("run_log.sql"))?;
        transaction.pragma_update(None, "user_version", FORMAT)?;
    }
    transaction.commit()?;
    Ok(connection)
}

fn put_schedule_state(
    transaction: &Transaction<'_>,
    job: &str,
    schedule_state: &ScheduleState,
) -> rusqlite::Result<()> {
    let json = serde_json::to_string(schedule_state).unwrap_or_default();
    let upsert = "INSERT INTO job_schedule (job, state) VALUES (?, ?) ON CONFLICT DO UPDATE SET state = excluded.state";
    transaction.execute(upsert, [job, &json]).map(drop)
}

/// Deletes old runs of a job, and notifications that were settled long ago.
fn prune(transaction: &Transaction<'_>, job: &str, now: Timestamp) -> rusqlite::Result<()> {
    transaction.execute(
        "DELETE FROM job_run WHERE job = ?1
         AND id <= (SELECT id FROM job_run WHERE job = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)",
        params![job, MAX_RUNS],
    )?;
    Outbox::forget_settled(transaction, now.saturating_sub(KEEP_NOTIFICATIONS).unwrap_or(Timestamp::MIN))
}

fn put_notice(
    transaction: &Transaction<'_>,
    job: &str,
    notice: &RunNotification,
    now: Timestamp,
) -> rusqlite::Result<()> {
    match &notice.incident {
        IncidentChange::Ongoing => 0,
        IncidentChange::Resolved => transaction.execute("DELETE FROM incident WHERE job = ?", [job])?,
        IncidentChange::Opened(kind) => {
            let upsert =
                "INSERT INTO incident (job, kind) VALUES (?, ?) ON CONFLICT DO UPDATE SET kind = excluded.kind";
            transaction.execute(upsert, [job, kind])?
        }
    };
    match &notice.message {
        Some(message) => Outbox::put(transaction, message, &notice.channels, now),
        None => Ok(()),
    }
}

pub(crate) fn job_run(row: &Row<'_>) -> rusqlite::Result<JobRun> {
    let time = |at: Option<i64>| at.and_then(|at| Timestamp::from_millisecond(at).ok());
    let counts: String = row.get(9)?;
    Ok(JobRun {
        number: row.get(0)?,
        job: row.get(1)?,
        key: RunKey { scheduled_for: time(row.get(2)?).unwrap_or_default(), occurrence: row.get(3)? },
        started: time(row.get(4)?),
        ended: time(row.get(5)?),
        record_run: row.get(6)?,
        state: row.get(7)?,
        reason: row.get(8)?,
        counts: serde_json::from_str::<JobRunCounts>(&counts).unwrap_or_default(),
        hints: lines(&row.get::<_, Option<String>>(10)?.unwrap_or_default()),
    })
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

fn fault(path: &Path, error: &dyn Display) -> CrawlError {
    CrawlError {
        fault: CrawlFault::Failed,
        what: error.to_string(),
        place: format!("the service's database {} (--state-root)", path.display()),
        hint: "see that it can be read and written, and that its disk has room".to_owned(),
        key: None,
    }
}
