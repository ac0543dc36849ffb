//! What is listed, and what is not: the two halves of every run.

use crate::error::StoreError;
use crate::record::Record;
use mapwright_verdict::Reason;

/// One URL of the sitemap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// The URL.
    pub url: String,
    /// When it last changed, as a W3C date.
    pub lastmod: Option<String>,
    /// Clicks from the start.
    pub depth: Option<u32>,
    /// Pages that link to it.
    pub inlinks: u32,
    /// Mean time between changes seen by our own visits, in milliseconds; `None` before the first.
    pub changes_every: Option<u64>,
}

/// One URL that is not in the sitemap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excluded {
    /// The URL.
    pub url: String,
    /// Why.
    pub reason: Reason,
    /// The other URL that the reason rests on.
    pub evidence: Option<String>,
    /// The status it answered with.
    pub status: Option<u16>,
    /// Why there was no answer.
    pub failure: Option<String>,
}

impl Record {
    /// Hands over every listed URL of the newest run in the order of the sitemap (by octets). Stops at the first error
    /// of `take`.
    ///
    /// # Errors
    /// When the record cannot be read; and the errors of `take`.
    pub fn listed<E: From<StoreError>>(&self, mut take: impl FnMut(Listed) -> Result<(), E>) -> Result<(), E> {
        let mut select = self
            .connection
            .prepare(
                "SELECT u.text, d.lastmod, d.depth, d.inlinks,
                    (m.checked - m.first) / nullif(m.changes, 0)
             FROM verdict d JOIN url u ON u.id = d.url LEFT JOIN memory m ON m.url = d.url
             WHERE d.run = ? AND d.reason IS NULL ORDER BY u.text",
            )
            .map_err(StoreError::from)?;
        let mut rows = select.query([self.run]).map_err(StoreError::from)?;
        while let Some(row) = rows.next().map_err(StoreError::from)? {
            let read = || -> rusqlite::Result<Listed> {
                Ok(Listed {
                    url: row.get(0)?,
                    lastmod: row.get(1)?,
                    depth: row.get(2)?,
                    inlinks: row.get(3)?,
                    changes_every: row.get(4)?,
                })
            };
            take(read().map_err(StoreError::from)?)?;
        }
        Ok(())
    }

    /// Hands over every URL of the newest run that is not listed, by reason and URL.
    ///
    /// # Errors
    /// When the record cannot be read; and the errors of `take`.
    pub fn excluded<E: From<StoreError>>(&self, mut take: impl FnMut(Excluded) -> Result<(), E>) -> Result<(), E> {
        let mut select = self
            .connection
            .prepare(
                "SELECT u.text, d.reason, e.text, v.status, v.failure
             FROM verdict d JOIN url u ON u.id = d.url
             LEFT JOIN url e ON e.id = d.evidence
             LEFT JOIN visit v ON v.run = d.run AND v.seq = (
                 SELECT seq FROM visit WHERE +run = d.run AND url = d.url AND last = 1
                 ORDER BY purpose, seq DESC LIMIT 1)
             WHERE d.run = ? AND d.reason IS NOT NULL ORDER BY d.reason, u.text",
            )
            .map_err(StoreError::from)?;
        let mut rows = select.query([self.run]).map_err(StoreError::from)?;
        while let Some(row) = rows.next().map_err(StoreError::from)? {
            let read = || -> rusqlite::Result<Excluded> {
                Ok(Excluded {
                    url: row.get(0)?,
                    reason: Reason::from_code(row.get(1)?).unwrap_or(Reason::Failed),
                    evidence: row.get(2)?,
                    status: row.get(3)?,
                    failure: row.get(4)?,
                })
            };
            take(read().map_err(StoreError::from)?)?;
        }
        Ok(())
    }
}
