//! Streams what happened while the scripts of pages ran.

use crate::error::StoreError;
use crate::record::Record;
use crate::schema::json::Json;
use mapwright_model::Rendering;

/// The rendering of a page in a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderingRow {
    /// The number of the page.
    pub url: u32,
    /// What happened.
    pub rendering: Rendering,
    /// The numbers of the first URLs that only links made by scripts lead to.
    pub links: Vec<u32>,
}

impl Record {
    /// Passes the renderings of the run to `take`, by page.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn each_rendering(&self, mut take: impl FnMut(RenderingRow)) -> Result<(), StoreError> {
        self.survey("SELECT url, details, links FROM rendering WHERE run = ? ORDER BY url", true, |row| {
            let (Json(rendering), Json(links)) = (row.get(1)?, row.get(2)?);
            take(RenderingRow { url: row.get(0)?, rendering, links });
            Ok(())
        })
    }
}
