//! The URLs of a run, a page at a time: those in the sitemap, and those that are not, with their reasons.

use crate::error::StoreError;
use crate::record::Record;
use mapwright_verdict::Reason;
use rusqlite::{Row, named_params};

/// The URLs that are wanted; a field without a value does not filter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UrlFilter {
    /// A part of the URL, in any case of ASCII.
    pub part: String,
    /// In the sitemap, or not.
    pub listed: Option<bool>,
    /// The reason for not being in the sitemap.
    pub reason: Option<Reason>,
}

/// A URL of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UrlRow {
    /// The number of the URL: the key of the page after it.
    pub id: u32,
    /// The URL.
    pub url: String,
    /// The reason for not being in the sitemap; none if it is there.
    pub reason: Option<Reason>,
    /// Another URL that the reason refers to.
    pub evidence: Option<String>,
    /// The HTTP status of its last response.
    pub status: Option<u16>,
    /// Why there was no response.
    pub failure: Option<String>,
    /// The time that the response took, in milliseconds.
    pub total_ms: Option<u64>,
    /// The title of the page.
    pub title: Option<String>,
    /// Clicks from the start.
    pub depth: Option<u32>,
    /// The number of pages that link to it.
    pub inlinks: u64,
    /// Its date in the sitemap.
    pub lastmod: Option<String>,
}

const SELECT: &str = "
    SELECT d.url, u.text, d.reason, e.text, v.status, v.failure, v.total_ms, x.title, d.depth, d.inlinks, d.lastmod
    FROM verdict d JOIN url u ON u.id = d.url
    LEFT JOIN url e ON e.id = d.evidence
    LEFT JOIN visit v ON v.run = d.run AND v.seq = (
        SELECT seq FROM visit WHERE +run = d.run AND url = d.url AND last = 1 ORDER BY purpose, seq DESC LIMIT 1)
    LEFT JOIN version x ON x.id = v.version
    WHERE d.run = :run AND d.url > :after
        AND (:listed IS NULL OR (d.reason IS NULL) = :listed)
        AND (:reason IS NULL OR d.reason = :reason)
        AND (:part = '' OR instr(lower(u.text), lower(:part)) > 0)
    ORDER BY d.url LIMIT :most";

impl Record {
    /// Passes at most `most` URLs of this run that match to `take`, in the order in which they were found, the first
    /// one behind the URL of number `after`.
    ///
    /// # Errors
    /// When the record cannot be read; and the errors of `take`.
    pub fn each_url_row<E: From<StoreError>>(
        &self,
        filter: &UrlFilter,
        after: u32,
        most: u64,
        mut take: impl FnMut(UrlRow) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut select = self.connection.prepare(SELECT).map_err(StoreError::from)?;
        let found = select.query(named_params! {
            ":run": self.run,
            ":after": after,
            ":listed": filter.listed,
            ":reason": filter.reason.map(Reason::code),
            ":part": filter.part,
            ":most": i64::try_from(most).unwrap_or(i64::MAX),
        });
        let mut rows = found.map_err(StoreError::from)?;
        while let Some(row) = rows.next().map_err(StoreError::from)? {
            take(url_row(row).map_err(StoreError::from)?)?;
        }
        Ok(())
    }

    /// Returns the number of URLs of this run by reason; those without one are in the sitemap, and come first.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn urls_by_reason(&self) -> Result<Vec<(Option<Reason>, u64)>, StoreError> {
        let mut select = self.connection.prepare(
            "SELECT reason, count(*) FROM verdict WHERE run = ? GROUP BY reason ORDER BY reason NULLS FIRST",
        )?;
        let counts = select.query_map([self.run], |row| Ok((reason(row, 0)?, row.get(1)?)))?;
        Ok(counts.collect::<Result<_, _>>()?)
    }
}

fn reason(row: &Row<'_>, at: usize) -> rusqlite::Result<Option<Reason>> {
    Ok(row.get::<_, Option<u8>>(at)?.map(|code| Reason::from_code(code).unwrap_or(Reason::Failed)))
}

fn url_row(row: &Row<'_>) -> rusqlite::Result<UrlRow> {
    Ok(UrlRow {
        id: row.get(0)?,
        url: row.get(1)?,
        reason: reason(row, 2)?,
        evidence: row.get(3)?,
        status: row.get(4)?,
        failure: row.get(5)?,
        total_ms: row.get(6)?,
        title: row.get(7)?,
        depth: row.get(8)?,
        inlinks: row.get(9)?,
        lastmod: row.get(10)?,
    })
}
