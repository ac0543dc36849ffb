//! The audits of earlier runs, and the history of their findings.

use crate::error::StoreError;
use crate::record::Record;
use rusqlite::{OptionalExtension, Row, Rows, Transaction};
use std::collections::HashMap;

/// The history of a finding: the runs in which it was present.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredHistory {
    /// The first run, or the first since it regressed.
    pub since: i64,
    /// The newest run.
    pub last: i64,
    /// The last run before it was fixed and then regressed; 0 if it never was.
    pub before: i64,
}

/// A finding, identified across runs by its key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FindingRow {
    /// A hash of code and subject.
    pub key: i64,
    /// Its code.
    pub code: String,
    /// The URL that it is about.
    pub url: Option<u32>,
    /// The subject, where it is not a URL of the record.
    pub subject: Option<String>,
}

/// The audit of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AuditRow {
    /// Its run.
    pub run: i64,
    /// The start of the run, in milliseconds since 1970.
    pub started: i64,
    /// The audited run was complete.
    pub complete: bool,
    /// Its errors, warnings and notices.
    pub counts: [u64; 3],
}

impl Record {
    /// The audits of the runs that are kept, the oldest first.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn audits(&self) -> Result<Vec<AuditRow>, StoreError> {
        let mut select = self.connection.prepare(
            "SELECT a.run, r.started, a.complete, a.errors, a.warnings, a.notices
             FROM audit a JOIN run r ON r.id = a.run ORDER BY a.run",
        )?;
        let rows = select.query_map([], |row| {
            let counts = [row.get(3)?, row.get(4)?, row.get(5)?];
            Ok(AuditRow { run: row.get(0)?, started: row.get(1)?, complete: row.get(2)?, counts })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The history of all findings, by key.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn finding_histories(&self) -> Result<HashMap<i64, StoredHistory>, StoreError> {
        let mut select = self.connection.prepare("SELECT key, since, last, before FROM finding")?;
        let rows = select.query_map([], |row| {
            Ok((row.get(0)?, StoredHistory { since: row.get(1)?, last: row.get(2)?, before: row.get(3)? }))
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Passes each finding that was last present in one of these runs: key, code and subject.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn each_finding(
        &self,
        runs: std::ops::Range<i64>,
        mut take: impl FnMut(i64, &str, &str),
    ) -> Result<(), StoreError> {
        let mut select = self.connection.prepare(
            "SELECT f.key, f.code, coalesce(u.text, f.subject, '') FROM finding f LEFT JOIN url u ON u.id = f.url
             WHERE f.last >= ? AND f.last < ? ORDER BY f.code, 3",
        )?;
        hand_over(select.query((runs.start, runs.end))?, &mut take)
    }

    /// The run of the newest complete audit before the newest run; 0 where there is none.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn audit_before(&self) -> Result<i64, StoreError> {
        Ok(self.connection.query_row(
            "SELECT coalesce(max(run), 0) FROM audit WHERE complete = 1 AND run < ?",
            [self.run],
            |row| row.get(0),
        )?)
    }

    /// Writes the findings of the newest run's audit. The findings with the keys in `reused`, which the audit could
    /// not confirm or rule out, stay present. A repeated call replaces the earlier audit of the run.
    ///
    /// # Errors
    /// When the record cannot be written.
    pub fn note_audit(
        &mut self,
        complete: bool,
        counts: [u64; 3],
        findings: impl Iterator<Item = FindingRow>,
        reused: &[i64],
    ) -> Result<(), StoreError> {
        let (run, before) = (self.run, self.audit_before()?);
        let transaction = self.connection.transaction()?;
        remove_earlier_audit(&transaction, run, before)?;
        for row in findings {
            note(&transaction, run, before, &row)?;
        }
        keep_inconclusive(&transaction, run, reused)?;
        transaction.execute(
            "INSERT OR REPLACE INTO audit (run, complete, errors, warnings, notices) VALUES (?, ?, ?, ?, ?)",
            (run, complete, counts[0], counts[1], counts[2]),
        )?;
        Ok(transaction.commit()?)
    }
}

/// Removes the findings of an earlier audit of this run.
fn remove_earlier_audit(transaction: &Transaction<'_>, run: i64, before: i64) -> Result<(), StoreError> {
    transaction.execute("DELETE FROM finding WHERE last = ?1 AND since = ?1 AND before = 0", [run])?;
    transaction.execute("UPDATE finding SET since = before, last = before WHERE last = ?1 AND since = ?1", [run])?;
    transaction.execute("UPDATE finding SET last = ?2 WHERE last = ?1", (run, before))?;
    Ok(())
}

fn note(transaction: &Transaction<'_>, run: i64, before: i64, row: &FindingRow) -> Result<(), StoreError> {
    let mut select = transaction.prepare_cached("SELECT since, last, before FROM finding WHERE key = ?")?;
    let known = select.query_row([row.key], life).optional()?;
    let mut write = transaction.prepare_cached(
        "INSERT INTO finding (key, code, url, subject, since, last, before) VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (key) DO UPDATE SET since = excluded.since, last = excluded.last, before = excluded.before",
    )?;
    let life = match known {
        Some(life) if life.last >= before => StoredHistory { last: run, ..life },
        Some(life) => StoredHistory { since: run, last: run, before: life.last },
        None => StoredHistory { since: run, last: run, before: 0 },
    };
    write.execute((row.key, &row.code, row.url, &row.subject, life.since, life.last, life.before))?;
    Ok(())
}

fn keep_inconclusive(transaction: &Transaction<'_>, run: i64, keys: &[i64]) -> Result<(), StoreError> {
    let mut write = transaction.prepare_cached("UPDATE finding SET last = ? WHERE key = ?")?;
    for key in keys {
        write.execute((run, key))?;
    }
    Ok(())
}

fn life(row: &Row<'_>) -> rusqlite::Result<StoredHistory> {
    Ok(StoredHistory { since: row.get(0)?, last: row.get(1)?, before: row.get(2)? })
}

/// Passes keys, codes and subjects to `take`.
fn hand_over(mut rows: Rows<'_>, take: &mut impl FnMut(i64, &str, &str)) -> Result<(), StoreError> {
    while let Some(row) = rows.next()? {
        take(row.get(0)?, row.get_ref(1)?.as_str().unwrap_or_default(), row.get_ref(2)?.as_str().unwrap_or_default());
    }
    Ok(())
}
