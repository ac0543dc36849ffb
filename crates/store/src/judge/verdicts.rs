//! Computes the verdicts: reads the graph from the record, judges it, and writes the verdicts back.

use crate::error::StoreError;
use crate::judge::changes;
use crate::judge::graph::{self, Graph};
use crate::judge::lastmod::Dates;
use crate::judge::new_pages::NewPages;
use crate::judge::options::JudgeOptions;
use crate::judge::page_states::PageStates;
use crate::judge::transient_failures::TransientFailures;
use crate::record::Record;
use mapwright_verdict::{FetchStatus, Reason, Verdicts, judge};
use rusqlite::Transaction;
use std::cell::RefCell;

impl Record {
    /// Judges every URL of the newest run and stores the verdicts. A repeated call replaces them.
    ///
    /// # Errors
    /// When the record cannot be read or written.
    pub fn judge(&mut self, options: &JudgeOptions<'_>) -> Result<(), StoreError> {
        let run = self.run;
        let keys = self.keys();
        let transaction = self.connection.transaction()?;
        transaction.execute_batch(include_str!("../../sql/indexes.sql"))?;
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

/// Decides on every URL, in the order of the numbers and with its history from earlier runs, and stores the verdicts.
fn write(
    transaction: &Transaction<'_>,
    run: i64,
    graph: &Graph,
    verdicts: &Verdicts<'_>,
    options: &JudgeOptions<'_>,
) -> Result<(), StoreError> {
    let dates = options.lastmod.then(|| Dates::load(transaction, run)).transpose()?;
    let arrivals = NewPages::load(transaction, run)?;
    let parent = |node: u32| graph.places.get(node as usize).and_then(|place| place.parent());
    let transient_failures = TransientFailures { run, runs: options.keep_failing };
    let mut pasts = PageStates::new(transaction, run);
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
            // A page that `--no-list` leaves out does not stay listed when it fails.
            Some(past) => transient_failures.settle(past, verdict.reason, known.transient_failure && !known.no_list),
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
            past.set_published_date(&dated);
            pasts.keep(past)?;
        }
        let (lastmod, from) = dated.unzip();
        let content = past
            .and_then(|past| past.since)
            .filter(|_| matches!(known.fetch_status, FetchStatus::Page | FetchStatus::File));
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
