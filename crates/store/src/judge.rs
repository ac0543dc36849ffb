//! Verdicts: the graph is read from the record, judged, and what is decided written back.

use crate::arrivals::Arrivals;
use crate::changes;
use crate::error::StoreError;
use crate::graph::{self, Graph};
use crate::keeping::Keeping;
use crate::lastmod::Dates;
use crate::past::Pasts;
use crate::record::Record;
use mapwright_verdict::{Fate, Reason, Verdicts, judge};
use rusqlite::Transaction;
use std::cell::RefCell;

/// Gives a URL another one, or none where it stays as it is.
pub type Renames<'o> = &'o dyn Fn(&str) -> Option<String>;

/// What verdicts depend on beside the record.
pub struct JudgeOptions<'o> {
    /// Whether documents of this kind (see `media_kind` in the record) are listed.
    pub lists: &'o dyn Fn(&str) -> bool,
    /// Whether a URL is crawled and not listed (`--no-list`).
    pub no_list: &'o dyn Fn(&str) -> bool,
    /// Under which URL another is published, where that is not its own (`--rewrite-host`): its pages may name that as
    /// their canonical.
    pub published: Option<Renames<'o>>,
    /// Text shared by all twins of a URL.
    pub twin: &'o dyn Fn(&str) -> String,
    /// What no expert would submit is left out, not only what the site forbids (`--list recommended`).
    pub recommended: bool,
    /// Why URLs that are still queued were not fetched.
    pub unreached: Reason,
    /// Whether dates are looked for.
    pub lastmod: bool,
    /// Whether boilerplate is looked for in the content; not where the user has named the content.
    pub learns: bool,
    /// The run is one to build on: what it saw of changes, dates and failures is remembered. A run that was cut or
    /// failed is judged and not remembered.
    pub remembers: bool,
    /// Links that say nofollow were followed (`--follow-nofollow`): they are a way, too.
    pub follows_nofollow: bool,
    /// For so many runs a page that was listed stays listed though it fails for the hour.
    pub keep_failing: u32,
}

impl Record {
    /// Judges every URL of the newest run, and records the verdicts. Done anew when called again.
    ///
    /// # Errors
    /// When the record cannot be read or written.
    pub fn judge(&mut self, options: &JudgeOptions<'_>) -> Result<(), StoreError> {
        let run = self.run;
        let keys = self.keys();
        let transaction = self.connection.transaction()?;
        transaction.execute_batch(include_str!("../sql/indexes.sql"))?;
        changes::judge(&transaction, run, options.learns, options.remembers)?;
        let graph = graph::load(&transaction, run, options, &keys)?;
        let unreadable = RefCell::new(None);
        let text = |node: u32| -> String {
            let text = transaction.query_row("SELECT text FROM url WHERE id = ?", [node], |row| row.get(0));
            text.unwrap_or_else(|error| {
                unreadable.replace(Some(error));
                String::new()
            })
        };
        let verdicts = judge(&graph.known, &graph.judgements, &text);
        if let Some(error) = unreadable.take() {
            return Err(error.into());
        }
        transaction.execute("DELETE FROM verdict WHERE run = ?", [run])?;
        write(&transaction, run, &graph, &verdicts, options)?;
        transaction.commit()?;
        Ok(())
    }
}

/// Decides on every URL by its number, beside what is remembered of it, and writes that down.
fn write(
    transaction: &Transaction<'_>,
    run: i64,
    graph: &Graph,
    verdicts: &Verdicts<'_>,
    options: &JudgeOptions<'_>,
) -> Result<(), StoreError> {
    let dates = options.lastmod.then(|| Dates::load(transaction, run)).transpose()?;
    let arrivals = Arrivals::load(transaction, run)?;
    let parent = |node: u32| graph.places.get(node as usize).and_then(|place| place.parent());
    let keeping = Keeping { run, runs: options.keep_failing };
    let mut pasts = Pasts::new(transaction, run);
    let mut insert = transaction.prepare(
        "INSERT INTO verdict (run, url, reason, evidence, inlinks, depth, lastmod, lastmod_from, parent, content, kept)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )?;
    for (node, (known, place)) in (0_u32..).zip(graph.known.iter().zip(&graph.places)) {
        let Some(verdict) = verdicts.of(node) else { continue };
        let mut past = pasts.of(node)?;
        if let Some(past) = past.as_mut().filter(|_| options.remembers && known.checked) {
            past.check();
        }
        let (reason, kept) = match past.as_mut().filter(|_| options.remembers) {
            // What is to be in no sitemap is kept in none.
            Some(past) => keeping.settle(past, verdict.reason, known.bad_hour && !known.no_list),
            None => (verdict.reason, 0),
        };
        let dated = match (&dates, reason) {
            (Some(dates), None) => match dates.of(node, past.as_ref())? {
                None if arrivals.include(node, &parent)? => past.as_ref().and_then(|past| dates.first_seen(past)),
                dated => dated,
            },
            _ => None,
        };
        if let Some(past) = past.as_mut().filter(|_| options.remembers) {
            past.tell(&dated);
            pasts.keep(past)?;
        }
        let (lastmod, from) = dated.unzip();
        let content = past.and_then(|past| past.since).filter(|_| matches!(known.fate, Fate::Page | Fate::File));
        insert.execute((
            run,
            node,
            reason.map(Reason::code),
            verdict.evidence,
            known.inlinks,
            place.depth(),
            lastmod,
            from,
            place.parent(),
            content,
            kept,
        ))?;
    }
    Ok(())
}
