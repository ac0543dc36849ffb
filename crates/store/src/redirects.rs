//! Where redirects led in earlier runs: for the hour in which one of them fails.

use crate::error::StoreError;
use crate::recall::read_url;
use mapwright_engine::Outcome;
use mapwright_frontier::UrlId;
use mapwright_web::PageUrl;
use rusqlite::{Connection, OptionalExtension};
use std::collections::HashMap;

/// Recalls redirects. A run is looked through once, when something fails: the visits of a URL cannot be looked up while a
/// crawl writes them. And no run is that nothing asks about: a URL that failed in the run before takes one more.
#[derive(Debug)]
pub(crate) struct Redirects {
    /// For so many runs a redirect may fail, and still lead where it led.
    keep: u32,
    /// The whole runs before this one, newest first.
    runs: Option<Vec<i64>>,
    /// What the newest of them saw, as far as it was asked for.
    answers: Vec<Answers>,
}

/// What a run saw of URLs: where they redirected to, or nothing where they failed. All others answered, or were not
/// found.
type Answers = HashMap<u32, Option<u32>>;

impl Redirects {
    pub(crate) fn new(keep: u32) -> Self {
        Self { keep, runs: None, answers: Vec::new() }
    }

    /// Where a URL redirected when it last answered, if it did then.
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

    /// What the nth run before this one saw.
    fn answers(&mut self, connection: &Connection, run: i64, nth: usize) -> Result<Option<&Answers>, StoreError> {
        let runs = match &mut self.runs {
            Some(runs) => runs,
            unread => unread.insert(whole_runs(connection, run, self.keep)?),
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

fn whole_runs(connection: &Connection, run: i64, most: u32) -> Result<Vec<i64>, StoreError> {
    let mut select =
        connection.prepare("SELECT id FROM run WHERE id < ? AND state = 'whole' ORDER BY id DESC LIMIT ?")?;
    let runs = select.query_map((run, most), |row| row.get(0))?;
    Ok(runs.collect::<Result<_, _>>()?)
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
