//! Verdicts: the graph is read from the record, judged, and what is decided written back.

use crate::error::StoreError;
use crate::graph::{self, Graph};
use crate::lastmod::Dates;
use crate::record::Record;
use mapwright_verdict::{Reason, Verdict, judge};
use rusqlite::Transaction;

/// What verdicts depend on beside the record.
pub struct JudgeOptions<'o> {
    /// Whether documents of this kind (see `media_kind` in the record) are listed.
    pub lists: &'o dyn Fn(&str) -> bool,
    /// Whether a URL is crawled and not listed (`--no-list`).
    pub no_list: &'o dyn Fn(&str) -> bool,
    /// Text shared by all twins of a URL.
    pub twin: &'o dyn Fn(&str) -> String,
    /// Why URLs that are still queued were not fetched.
    pub unreached: Reason,
    /// Whether dates are looked for.
    pub lastmod: bool,
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
        let graph = graph::load(&transaction, run, options, &keys)?;
        let text = |node: u32| -> String {
            transaction.query_row("SELECT text FROM url WHERE id = ?", [node], |row| row.get(0)).unwrap_or_default()
        };
        let verdicts = judge(&graph.known, &text);
        transaction.execute("DELETE FROM verdict WHERE run = ?", [run])?;
        write(&transaction, run, &graph, &verdicts, options)?;
        transaction.commit()?;
        Ok(())
    }
}

fn write(
    transaction: &Transaction<'_>,
    run: i64,
    graph: &Graph,
    verdicts: &[Option<Verdict>],
    options: &JudgeOptions<'_>,
) -> Result<(), StoreError> {
    let dates = options.lastmod.then(|| Dates::load(transaction, run)).transpose()?;
    let mut insert = transaction.prepare(
        "INSERT INTO verdict (run, url, reason, evidence, inlinks, depth, lastmod, lastmod_from)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
    )?;
    for (node, verdict) in (0_u32..).zip(verdicts) {
        let Some(verdict) = verdict else { continue };
        let dated = match (&dates, verdict.reason) {
            (Some(dates), None) => dates.of(node)?,
            _ => None,
        };
        let (lastmod, from) = dated.map_or((None, None), |(date, from)| (Some(date), Some(from)));
        let known = graph.known.get(node as usize);
        insert.execute((
            run,
            node,
            verdict.reason.map(Reason::code),
            verdict.evidence,
            known.map_or(0, |known| known.inlinks),
            graph.depth.get(node as usize).copied().flatten(),
            lastmod,
            from,
        ))?;
    }
    Ok(())
}
