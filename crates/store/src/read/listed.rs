//! The listed URLs of a run.

use crate::error::StoreError;
use crate::record::Record;
use rusqlite::params;

/// The mean time between changes. If the clock was set back between two visits, the time between them is unknown and
/// counts as 0.
const CHANGES_EVERY: &str = "max(m.checked - m.first, 0) / nullif(m.changes, 0)";

/// One URL of the sitemap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// The URL.
    pub url: String,
    /// Its last modification, as a W3C date.
    pub lastmod: Option<String>,
    /// Clicks from the start.
    pub depth: Option<u32>,
    /// The number of pages that link to it.
    pub inlinks: u32,
    /// The mean time between changes seen by visits, in milliseconds; `None` before the first change.
    pub changes_every: Option<u64>,
}

impl Record {
    /// Passes every listed URL of the newest run to `take`, in the order of the sitemap (by octets). Stops at the first
    /// error of `take`.
    ///
    /// # Errors
    /// When the record cannot be read; and the errors of `take`.
    pub fn listed<E: From<StoreError>>(&self, take: impl FnMut(Listed) -> Result<(), E>) -> Result<(), E> {
        let select = format!(
            "SELECT u.text, d.lastmod, d.depth, d.inlinks, {CHANGES_EVERY}
             FROM verdict d JOIN url u ON u.id = d.url LEFT JOIN memory m ON m.url = d.url
             WHERE d.run = ? AND d.reason IS NULL ORDER BY u.text"
        );
        self.hand_over(&select, take)
    }

    /// Passes every listed URL like [`Record::listed`], but renamed by `rename` and in the order of the new names. If
    /// several URLs get one name, the URL that had it before is passed, else the first. The names are kept in a
    /// temporary file meanwhile.
    ///
    /// # Errors
    /// When the record cannot be read, or the temporary file not be written; and the errors of `take`.
    pub fn listed_as<E: From<StoreError>>(
        &self,
        rename: &dyn Fn(&str) -> Option<String>,
        take: impl FnMut(Listed) -> Result<(), E>,
    ) -> Result<(), E> {
        self.rename_urls(rename).map_err(StoreError::from)?;
        let select = format!(
            "SELECT n.text, d.lastmod, d.depth, d.inlinks, {CHANGES_EVERY}
             FROM temp.renamed n JOIN verdict d ON d.run = ? AND d.url = n.url LEFT JOIN memory m ON m.url = n.url
             ORDER BY n.text"
        );
        let handed_over = self.hand_over(&select, take);
        self.connection.execute_batch("DROP TABLE temp.renamed").map_err(StoreError::from)?;
        handed_over
    }

    /// Fills the temporary table of new names.
    fn rename_urls(&self, rename: &dyn Fn(&str) -> Option<String>) -> rusqlite::Result<()> {
        self.connection.execute_batch(
            "DROP TABLE IF EXISTS temp.renamed;
             CREATE TEMP TABLE renamed (text TEXT PRIMARY KEY, url INTEGER NOT NULL) STRICT, WITHOUT ROWID",
        )?;
        let transaction = self.connection.unchecked_transaction()?;
        self.fill_names(rename)?;
        transaction.commit()
    }

    fn fill_names(&self, rename: &dyn Fn(&str) -> Option<String>) -> rusqlite::Result<()> {
        let listed = "SELECT u.id, u.text FROM verdict d JOIN url u ON u.id = d.url
                      WHERE d.run = ? AND d.reason IS NULL ORDER BY u.text";
        let mut select = self.connection.prepare(listed)?;
        let mut under_own = self.connection.prepare("INSERT OR REPLACE INTO temp.renamed (text, url) VALUES (?, ?)")?;
        let mut under_new = self.connection.prepare("INSERT OR IGNORE INTO temp.renamed (text, url) VALUES (?, ?)")?;
        let mut rows = select.query([self.run])?;
        while let Some(row) = rows.next()? {
            let (id, text): (i64, String) = (row.get(0)?, row.get(1)?);
            match rename(&text) {
                Some(name) => under_new.execute(params![name, id])?,
                None => under_own.execute(params![text, id])?,
            };
        }
        Ok(())
    }

    /// Runs a query of listed URLs.
    fn hand_over<E: From<StoreError>>(
        &self,
        query: &str,
        mut take: impl FnMut(Listed) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut select = self.connection.prepare(query).map_err(StoreError::from)?;
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
