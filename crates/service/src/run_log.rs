//! The log of a run: what happened in it, for the time after it.

use crate::clock::Clock;
use crate::job_run_state::JobRunState;
use crate::job_store::JobStore;
use crate::log_line::{LogLevel, LogLine};
use crate::run_changes::Changes;
use jiff::Timestamp;
use mapwright_crawl::{CrawlError, CrawlSpeed};
use mapwright_engine::{Event, Observer};
use mapwright_text::counted_in_groups as counted;
use rusqlite::params;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Lines that are kept of a run, at most.
const MAX_LINES: usize = 1_000;
/// Lines at the end of a run, for which there is always room.
const LAST_LINES: usize = 4;
/// Requests that failed which are logged, at most; the audit names all of them.
const MAX_FAILED: u64 = 500;
/// The time between two lines about the progress.
const PROGRESS: Duration = Duration::from_secs(300);
/// The time that lines wait to be stored, at most, while the run commits: a kill loses no more.
const STORE_AFTER: Duration = Duration::from_secs(10);
/// The newest runs of a job whose logs are kept.
const KEPT_RUNS: i64 = 100;
/// Characters of a line, at most.
const MAX_CHARS: usize = 500;

/// Logs the events of one run, and passes them on.
pub(crate) struct RunLog {
    observer: Arc<dyn Observer>,
    clock: Clock,
    job_store: Arc<JobStore>,
    run: i64,
    state: Mutex<State>,
}

struct State {
    speed: CrawlSpeed,
    /// Lines that are not stored yet.
    waiting: Vec<LogLine>,
    /// Lines so far.
    lines: usize,
    failed: u64,
    stored: Instant,
    progress: Instant,
}

impl RunLog {
    pub(crate) fn new(observer: Arc<dyn Observer>, clock: Clock, job_store: Arc<JobStore>, run: i64) -> Self {
        let now = Instant::now();
        let speed = CrawlSpeed::new(now);
        let state = State { speed, waiting: Vec::new(), lines: 0, failed: 0, stored: now, progress: now };
        Self { observer, clock, job_store, run, state: Mutex::new(state) }
    }

    /// Adds a line.
    pub(crate) fn add(&self, level: LogLevel, text: &str) {
        self.push(&mut self.state(), level, text);
    }

    /// Adds the outcome of the run, and stores what is left. A log that cannot be stored is no fault of the run.
    pub(crate) fn end(&self, ended: JobRunState, reason: &str, changes: &Changes) {
        let mut state = self.state();
        let unnamed = state.failed.saturating_sub(MAX_FAILED);
        if unnamed > 0 {
            self.append(&mut state, LogLevel::Error, &format!("{unnamed} further requests failed"));
        }
        for (level, text) in outcome(ended, reason, changes) {
            self.append(&mut state, level, &text);
        }
        self.store(&mut state);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, state: &mut State, level: LogLevel, text: &str) {
        if state.lines < MAX_LINES - LAST_LINES {
            state.lines += 1;
            self.append(state, level, text);
        }
    }

    fn append(&self, state: &mut State, level: LogLevel, text: &str) {
        let text = text.chars().take(MAX_CHARS).map(|c| if c.is_control() { ' ' } else { c }).collect();
        state.waiting.push(LogLine { at: self.clock.now(), level, text });
    }

    fn store(&self, state: &mut State) {
        state.stored = Instant::now();
        let lines = std::mem::take(&mut state.waiting);
        if let Err(error) = self.job_store.add_log(self.run, &lines) {
            tracing::warn!("the log of a run is not complete: {error}");
        }
    }
}

impl Observer for RunLog {
    fn see(&self, event: &Event<'_>) {
        let mut state = self.state();
        let now = Instant::now();
        let failed = state.speed.see(event, now);
        match event {
            Event::Visited { url, outcome, status, .. } if failed => {
                state.failed += 1;
                if state.failed <= MAX_FAILED {
                    let what = status.map_or_else(|| outcome.as_str().to_owned(), |status| status.to_string());
                    self.push(&mut state, LogLevel::Error, &format!("{what}: {url}"));
                }
            }
            Event::Committed { queued, .. } => {
                if now.duration_since(state.progress) >= PROGRESS {
                    state.progress = now;
                    let text =
                        format!("{} done, {} wait", counted(state.speed.pages(), "page"), counted(*queued, "URL"));
                    self.push(&mut state, LogLevel::Info, &text);
                }
                if !state.waiting.is_empty() && now.duration_since(state.stored) >= STORE_AFTER {
                    self.store(&mut state);
                }
            }
            Event::Notice { text } => self.push(&mut state, LogLevel::Warning, text),
            Event::ScopeMoved { from, to, root } => {
                self.push(&mut state, LogLevel::Warning, &format!("{from} leads to {to}: the crawl is of {root}"));
            }
            Event::StartOnOtherSite { from, to } => {
                let text = format!("{from} leads to {to}, another site, which is not followed");
                self.push(&mut state, LogLevel::Warning, &text);
            }
            Event::Ended => {
                let text = format!("the crawl has ended: {}", counted(state.speed.pages(), "page"));
                self.push(&mut state, LogLevel::Info, &text);
            }
            Event::Visited { .. } => {}
        }
        drop(state);
        self.observer.see(event);
    }
}

/// Returns the lines about the outcome of a run.
fn outcome(ended: JobRunState, reason: &str, changes: &Changes) -> Vec<(LogLevel, String)> {
    let counts = &changes.counts;
    let mut lines = Vec::new();
    if changes.published {
        let listed = counted(counts.listed, "URL");
        let text = format!("published: {listed}, {} added, {} removed", counts.added, counts.removed);
        lines.push((LogLevel::Info, text));
    }
    if counts.errors + counts.warnings + counts.notices > 0 {
        let by_severity = [(counts.errors, "error"), (counts.warnings, "warning"), (counts.notices, "notice")];
        let by_severity = by_severity.map(|(count, word)| counted(count, word)).join(", ");
        let text = format!("findings: {by_severity}; {} new, {} fixed", counts.new, counts.fixed);
        lines.push((LogLevel::Info, text));
    }
    let level = if ended == JobRunState::Done { LogLevel::Info } else { LogLevel::Warning };
    let reason = if reason.is_empty() { String::new() } else { format!(": {reason}") };
    lines.push((level, format!("the run has ended: {ended}{reason}")));
    lines
}

impl JobStore {
    /// Adds lines to the log of a run, and deletes the logs of old runs of its job.
    pub(crate) fn add_log(&self, run: i64, lines: &[LogLine]) -> Result<(), CrawlError> {
        self.write(|transaction| {
            transaction.execute(
                "DELETE FROM job_run_log WHERE run IN
                 (SELECT id FROM job_run WHERE job = (SELECT job FROM job_run WHERE id = ?1)
                  ORDER BY id DESC LIMIT -1 OFFSET ?2)",
                params![run, KEPT_RUNS],
            )?;
            let mut insert =
                transaction.prepare("INSERT INTO job_run_log (run, at, level, text) VALUES (?, ?, ?, ?)")?;
            lines.iter().try_for_each(|line| {
                let row = params![run, line.at.as_millisecond(), line.level.as_str(), line.text];
                insert.execute(row).map(drop)
            })
        })
    }

    /// Returns the log of a run of a job; empty if it is not kept.
    pub(crate) fn run_log(&self, job: &str, run: i64) -> Result<Vec<LogLine>, CrawlError> {
        self.read(|connection| {
            let mut select = connection.prepare(
                "SELECT at, level, text FROM job_run_log JOIN job_run ON job_run.id = run
                 WHERE job = ? AND run = ? ORDER BY job_run_log.id",
            )?;
            let line = |row: &rusqlite::Row<'_>| {
                let at = Timestamp::from_millisecond(row.get(0)?).unwrap_or(Timestamp::UNIX_EPOCH);
                Ok(LogLine { at, level: LogLevel::of(&row.get::<_, String>(1)?), text: row.get(2)? })
            };
            select.query_map(params![job, run], line)?.collect()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run_key::RunKey;
    use mapwright_engine::NoObserver;
    use mapwright_model::Outcome;

    fn begun(job_store: &JobStore, second: i64) -> i64 {
        let key = RunKey { scheduled_for: Timestamp::from_second(second).unwrap(), occurrence: 0 };
        job_store.begin("shop", key, key.scheduled_for).unwrap()
    }

    #[test]
    fn a_run_is_logged_within_limits() {
        let folder = tempfile::tempdir().unwrap();
        let job_store = Arc::new(JobStore::open(folder.path()).unwrap());
        let run = begun(&job_store, 1);
        let log = RunLog::new(Arc::new(NoObserver), Clock::real(), Arc::clone(&job_store), run);
        log.add(LogLevel::Info, "the run begins");
        for number in 0..600 {
            let url = format!("http://a.example/{number}\u{1b}");
            let (outcome, status) = (Outcome::Status, Some(500));
            log.see(&Event::Visited { url: &url, is_page: true, outcome, status, total: None, will_retry: false });
        }
        for _ in 0..2_000 {
            log.see(&Event::Notice { text: "a notice" });
        }
        log.end(JobRunState::Failed, "no start URL\nanswered", &Changes::default());
        let lines = job_store.run_log("shop", run).unwrap();
        assert_eq!(lines.len(), MAX_LINES - LAST_LINES + 2);
        assert_eq!((lines[0].level, lines[0].text.as_str()), (LogLevel::Info, "the run begins"));
        assert_eq!(lines[1].text, "500: http://a.example/0 ");
        assert_eq!(lines.iter().filter(|line| line.level == LogLevel::Error).count(), 501);
        assert_eq!(lines[lines.len() - 2].text, "100 further requests failed");
        let last = lines.last().unwrap();
        assert_eq!(
            (last.level, last.text.as_str()),
            (LogLevel::Warning, "the run has ended: failed: no start URL answered")
        );
        assert_eq!(job_store.run_log("docs", run).unwrap(), []);
    }

    #[test]
    fn a_job_store_of_the_first_format_gets_logs() {
        let folder = tempfile::tempdir().unwrap();
        let job_store = JobStore::open(folder.path()).unwrap();
        let run = begun(&job_store, 1);
        job_store
            .write(|transaction| transaction.execute_batch("DROP TABLE job_run_log; PRAGMA user_version = 1"))
            .unwrap();
        drop(job_store);
        let job_store = JobStore::open(folder.path()).unwrap();
        let line = LogLine { at: Timestamp::from_second(2).unwrap(), level: LogLevel::Info, text: "a line".to_owned() };
        job_store.add_log(run, std::slice::from_ref(&line)).unwrap();
        assert_eq!(job_store.run_log("shop", run).unwrap(), [line]);
    }

    #[test]
    fn logs_of_old_runs_go() {
        let folder = tempfile::tempdir().unwrap();
        let job_store = Arc::new(JobStore::open(folder.path()).unwrap());
        let runs: Vec<i64> = (1..=KEPT_RUNS + 2).map(|second| begun(&job_store, second)).collect();
        for run in &runs {
            let log = RunLog::new(Arc::new(NoObserver), Clock::real(), Arc::clone(&job_store), *run);
            log.end(JobRunState::Failed, "no start URL\nanswered", &Changes::default());
        }
        let has_log = |run: &i64| !job_store.run_log("shop", *run).unwrap().is_empty();
        assert_eq!(runs.iter().filter(|run| has_log(run)).count(), usize::try_from(KEPT_RUNS).unwrap());
        assert!(!has_log(&runs[1]) && has_log(&runs[2]));
    }
}
