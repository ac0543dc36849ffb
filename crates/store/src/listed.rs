//! What is listed.

use crate::error::StoreError;
use crate::record::Record;

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
}
