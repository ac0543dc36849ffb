//! Where redirects led in earlier runs: for the hour in which one of them fails.

use crate::error::StoreError;
use crate::recall::read_url;
use mapwright_engine::Outcome;
use mapwright_frontier::UrlId;
use mapwright_web::PageUrl;
use rusqlite::{Connection, OptionalExtension};
use std::collections::HashMap;

/// Recalls redirects. A run is looked through once, when something fails: the visits of a URL cannot be looked up while a
/// crawl writes them.
#[derive(Debug)]
pub(crate) struct Redirects {
    /// For so many runs a redirect may fail, and still lead where it led.
    keep: u32,
    /// The whole runs before this one, newest first.
    runs: Option<Vec<Answers>>,
}

/// What a run saw of URLs: where they redirected to, or nothing where they failed. All others answered, or were not
/// found.
type Answers = HashMap<u32, Option<u32>>;

impl Redirects {
    pub(crate) fn new(keep: u32) -> Self {
        Self { keep, runs: None }
    }

    /// Where a URL redirected when it last answered, if it did then.
    pub(crate) fn recall(
        &mut self,
        connection: &Connection,
        run: i64,
        url: UrlId,
    ) -> Result<Option<PageUrl>, StoreError> {
        let runs = match &mut self.runs {
            Some(runs) => runs,
            unread => unread.insert(read(connection, run, self.keep)?),
        };
        let Some(target) = runs.iter().map_while(|answers| answers.get(&url.0)).find_map(|target| *target) else {
            return Ok(None);
        };
        let text = connection.query_row("SELECT text FROM url WHERE id = ?", [target], |row| row.get::<_, String>(0));
        Ok(text.optional()?.as_deref().and_then(read_url))
    }
}

fn read(connection: &Connection, run: i64, keep: u32) -> Result<Vec<Answers>, StoreError> {
    let mut select =
        connection.prepare("SELECT id FROM run WHERE id < ? AND state = 'whole' ORDER BY id DESC LIMIT ?")?;
    let runs = select.query_map((run, keep), |row| row.get::<_, i64>(0))?;
    runs.map(|run| answers(connection, run?)).collect()
}

/// By [`mapwright_engine::Visit::is_bad_hour`]: no answer, a broken one, throttling, 5xx.
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
