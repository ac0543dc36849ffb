//! The history of runs in a record, one row each.

use crate::error::StoreError;
use crate::read::run_summary::RunSummary;
use crate::record::Record;
use crate::run_state::RunState;
use crate::schema::json::{self, Json};
use crate::schema::open;
use crate::write::recall::read_url;
use mapwright_web::Origin;
use rusqlite::{OptionalExtension, Row};

/// One run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunRow {
    /// Its number.
    pub run: i64,
    /// The start time, in milliseconds since 1970.
    pub started: i64,
    /// The end time; `None` while it goes on, or where its process was killed.
    pub ended: Option<i64>,
    /// Its state.
    pub state: RunState,
    /// Its start URLs, as JSON.
    pub starts: String,
    /// Its figures, once it has ended.
    pub summary: Option<RunSummary>,
    /// The number of URLs that are still queued.
    pub queued: u64,
}

const COLUMNS: &str = "id, started, ended, state, starts, summary, (SELECT count(*) FROM queue q WHERE q.run = run.id)";

impl Record {
    /// All runs, newest first.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn runs(&self) -> Result<Vec<RunRow>, StoreError> {
        let mut select = self.connection.prepare(&format!("SELECT {COLUMNS} FROM run ORDER BY id DESC"))?;
        let mut runs: Vec<RunRow> = select.query_map([], run_row)?.collect::<Result<_, _>>()?;
        let at_work = self.is_in_use();
        runs.iter_mut().for_each(|run| run.state = run.state.seen(at_work));
        Ok(runs)
    }

    /// Reports whether a process crawls with this record.
    pub(crate) fn is_in_use(&self) -> bool {
        self.is_locked() || open::is_locked(self.folder())
    }

    /// The median time to the first byte of a run's pages that were fetched, in milliseconds; 0 where there are none.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn median_first_byte(&self, run: i64) -> Result<u64, StoreError> {
        let timed = "FROM visit WHERE run = ?1 AND last = 1 AND purpose = 0 AND first_byte_ms IS NOT NULL";
        let select =
            format!("SELECT first_byte_ms {timed} ORDER BY first_byte_ms LIMIT 1 OFFSET (SELECT count(*) / 2 {timed})");
        Ok(self.connection.query_row(&select, [run], |row| row.get(0)).optional()?.unwrap_or_default())
    }

    /// The first-party origins of the newest run: those of its start URLs, and of the URLs to which these redirect.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn origins(&self) -> Result<Vec<Origin>, StoreError> {
        let mut select = self.connection.prepare("SELECT starts, coalesce(roots, '[]') FROM run WHERE id = ?")?;
        let both = |row: &Row<'_>| {
            let (Json::<Vec<String>>(starts), Json::<Vec<String>>(roots)) = (row.get(0)?, row.get(1)?);
            Ok([starts, roots].concat())
        };
        let texts = select.query_row([self.run], both).optional()?.unwrap_or_default();
        let mut origins: Vec<Origin> =
            texts.into_iter().filter_map(|text| read_url(&text)).map(|url| url.origin()).collect();
        origins.sort();
        origins.dedup();
        Ok(origins)
    }

    /// The figures of the newest run when it last ended. For a resumed run, these are the figures at its interruption,
    /// if its process could write any.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn summary(&self) -> Result<Option<RunSummary>, StoreError> {
        let mut select = self.connection.prepare("SELECT summary FROM run WHERE id = ?")?;
        let summary: Option<Option<Json<RunSummary>>> = select.query_row([self.run], |row| row.get(0)).optional()?;
        Ok(summary.flatten().map(|Json(summary)| summary))
    }

    /// The values of an option of the newest run, by its key, such as `publish.rewrite-host`.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn setting(&self, key: &str) -> Result<Vec<String>, StoreError> {
        let mut select = self.connection.prepare("SELECT settings FROM run WHERE id = ?")?;
        let settings: Option<Json<serde_json::Value>> = select.query_row([self.run], |row| row.get(0)).optional()?;
        let settings = json::or_default(settings);
        let text = |value: &serde_json::Value| value.as_str().map(str::to_owned);
        Ok(match settings.get(key) {
            Some(serde_json::Value::Array(values)) => values.iter().filter_map(text).collect(),
            value => value.and_then(text).into_iter().collect(),
        })
    }

    /// The product token that the newest run matched against robots.txt.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn agent(&self) -> Result<String, StoreError> {
        let mut select = self.connection.prepare(
            "SELECT coalesce(json_extract(settings, '$.\"fetch.robots-agent\"'),
                             json_extract(settings, '$.\"fetch.user-agent\"')) FROM run WHERE id = ?",
        )?;
        let agent: Option<Option<String>> = select.query_row([self.run], |row| row.get(0)).optional()?;
        let agent = agent.flatten().unwrap_or_else(|| "mapwright".to_owned());
        let end = agent.find(|c: char| !(c.is_ascii_alphabetic() || matches!(c, '-' | '_'))).unwrap_or(agent.len());
        Ok(agent.split_at(end).0.to_owned())
    }

    /// The two newest complete runs, which can be compared, the older one first. Fewer where there are no two.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn comparable(&self) -> Result<Vec<i64>, StoreError> {
        let mut runs: Vec<i64> =
            self.runs()?.into_iter().filter(|run| run.state == RunState::Complete).map(|run| run.run).take(2).collect();
        runs.reverse();
        Ok(runs)
    }
}

fn run_row(row: &Row<'_>) -> rusqlite::Result<RunRow> {
    Ok(RunRow {
        run: row.get(0)?,
        started: row.get(1)?,
        ended: row.get(2)?,
        state: row.get(3)?,
        starts: row.get(4)?,
        summary: row.get::<_, Option<Json<RunSummary>>>(5)?.map(|Json(summary)| summary),
        queued: row.get(6)?,
    })
}
