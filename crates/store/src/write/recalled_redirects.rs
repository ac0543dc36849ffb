//! The targets of redirects in earlier runs, used while a redirect fails.

use crate::error::StoreError;
use crate::write::recall::read_url;
use mapwright_model::{Outcome, UrlId};
use mapwright_web::PageUrl;
use rusqlite::{Connection, OptionalExtension};
use std::collections::HashMap;

/// Recalls redirects. The visits of a URL cannot be looked up during a crawl, since the index does not exist then, so
/// all visits of an earlier run are read at once. A run is read only when it is needed: the last run at the first
/// failure, and one run more for a URL that failed in all runs read so far.
#[derive(Debug)]
pub(crate) struct Redirects {
    /// The number of runs for which a failing redirect keeps its target.
    keep: u32,
    /// The complete runs before this one, newest first.
    runs: Option<Vec<i64>>,
    /// The responses in the newest of these runs, as far as they were needed.
    answers: Vec<Answers>,
}

/// The responses of a run by URL: the target of a redirect, or `None` for a failure. Other URLs answered or were not
/// found.
type Answers = HashMap<u32, Option<u32>>;

impl Redirects {
    pub(crate) fn new(keep: u32) -> Self {
        Self { keep, runs: None, answers: Vec::new() }
    }

    /// The target of a URL's redirect, if its last successful response was a redirect.
    pub(crate) fn recall(
        &mut self,
        connection: &Connection,
        run: i64,
        url: UrlId,
    ) -> Result<Option<PageUrl>, StoreError> {
        for nth in 0.. {
            match self.answers(connection, run, nth)?.and_then(|answers| answers.get(&url.0)) {
                Some(None) => {}
                Some(Some(target)) => return text(connection, *target),
                None => break,
            }
        }
        Ok(None)
    }

    /// The responses in the nth run before this one.
    fn answers(&mut self, connection: &Connection, run: i64, nth: usize) -> Result<Option<&Answers>, StoreError> {
        let runs = match &mut self.runs {
            Some(runs) => runs,
            unread => unread.insert(complete_runs(connection, run, self.keep)?),
        };
        if let Some(run) = runs.get(self.answers.len()).filter(|_| nth == self.answers.len()) {
            self.answers.push(answers(connection, *run)?);
        }
        Ok(self.answers.get(nth))
    }
}

fn text(connection: &Connection, url: u32) -> Result<Option<PageUrl>, StoreError> {
    let text = connection.query_row("SELECT text FROM url WHERE id = ?", [url], |row| row.get::<_, String>(0));
    Ok(text.optional()?.as_deref().and_then(read_url))
}

fn complete_runs(connection: &Connection, run: i64, most: u32) -> Result<Vec<i64>, StoreError> {
    let mut select =
        connection.prepare("SELECT id FROM run WHERE id < ? AND state = 'complete' ORDER BY id DESC LIMIT ?")?;
    let runs = select.query_map((run, most), |row| row.get(0))?;
    Ok(runs.collect::<Result<_, _>>()?)
}

/// Reads the redirects and the transient failures of a run. These are by
/// [`mapwright_model::Visit::is_transient_failure`]: no answer, a broken response, throttling, 5xx.
fn answers(connection: &Connection, run: i64) -> Result<Answers, StoreError> {
    let mut select = connection.prepare(
        "SELECT url, CASE outcome WHEN ?2 THEN target END FROM visit
         WHERE run = ?1 AND last AND (outcome IN (?2, ?3, ?4, ?5) OR outcome = ?6 AND status >= 500)",
    )?;
    let outcomes = [Outcome::Redirect, Outcome::NoAnswer, Outcome::Broken, Outcome::Throttled, Outcome::Status];
    let [redirect, silent, broken, throttled, status] = outcomes.map(Outcome::code);
    let rows =
        select.query_map((run, redirect, silent, broken, throttled, status), |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}
