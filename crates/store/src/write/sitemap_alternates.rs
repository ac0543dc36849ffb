//! The alternates in other languages in the site's sitemaps: a JSON column of their entry, with the code and URL of
//! each.

use crate::error::StoreError;
use crate::record::Record;
use crate::schema::json;
use crate::write::files::MAX_RUNS;
use crate::write::writer::Writer;
use mapwright_model::Target;
use rusqlite::Row;

/// The alternates of an entry in the form of the record; NULL where there are none.
pub(crate) fn packed(writer: &mut Writer<'_>, named: &[(String, Target)]) -> Result<Option<String>, StoreError> {
    if named.is_empty() {
        return Ok(None);
    }
    let mut pairs = Vec::with_capacity(named.len());
    for (code, target) in named {
        pairs.push((code, writer.target(target)?));
    }
    serde_json::to_string(&pairs).map(Some).map_err(|error| StoreError::Packing(error.into()))
}

impl Record {
    /// Passes the pages for which a sitemap names alternates to `take`, with the code and URL of each alternate. The
    /// sitemap is taken from the last run before the newest that could read it.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn each_alternate_before(
        &self,
        file: u32,
        mut take: impl FnMut(u32, Vec<(String, u32)>),
    ) -> Result<(), StoreError> {
        let connection = &self.connection;
        let mut read = connection.prepare_cached("SELECT 1 FROM entry WHERE run = ? AND file = ? LIMIT 1")?;
        let mut could_read = |run| read.exists((run, file));
        for run in (self.run.saturating_sub(MAX_RUNS).max(1)..self.run).rev() {
            if could_read(run)? {
                let mut select = connection.prepare_cached(
                    "SELECT url, alternates FROM entry WHERE run = ? AND file = ? AND alternates IS NOT NULL",
                )?;
                let mut rows = select.query((run, file))?;
                while let Some(row) = rows.next()? {
                    take(row.get(0)?, of_row(row, 1)?);
                }
                break;
            }
        }
        Ok(())
    }
}

/// Reads the alternates of an entry from the column `at`.
pub(crate) fn of_row(row: &Row<'_>, at: usize) -> rusqlite::Result<Vec<(String, u32)>> {
    row.get(at).map(json::or_default)
}
