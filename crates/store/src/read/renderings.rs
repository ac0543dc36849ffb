//! Streams the renderings of pages.

use crate::error::StoreError;
use crate::read::run_summary::RenderingCounts;
use crate::record::Record;
use crate::schema::json::Json;
use mapwright_model::{Purpose, RenderReason, Rendering};

/// The rendering of a page in a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderingRow {
    /// The number of the page.
    pub url: u32,
    /// Its course.
    pub rendering: Rendering,
    /// The numbers of the first URLs that only links made by scripts lead to.
    pub links: Vec<u32>,
}

impl Record {
    /// Returns the figures of the run's renderings. The made-up name that is requested for comparison is no page.
    pub(super) fn rendering_counts(&self) -> Result<RenderingCounts, StoreError> {
        let mut select = self.connection.prepare(
            "SELECT coalesce(sum(EXISTS (
                        SELECT 1 FROM visit v WHERE +v.run = r.run AND v.url = r.url AND v.last = 1 AND v.purpose = ?2)), 0),
                    coalesce(sum(cut), 0), coalesce(sum(requests), 0), coalesce(sum(bytes), 0), coalesce(sum(ms), 0)
             FROM rendering r WHERE run = ?1",
        )?;
        Ok(select.query_row((self.run, Purpose::Page.code()), |row| {
            let (pages, cut, requests) = (row.get(0)?, row.get(1)?, row.get(2)?);
            Ok(RenderingCounts { pages, cut, requests, bytes: row.get(3)?, millis: row.get(4)? })
        })?)
    }

    /// Returns the number of pages of the run for which this was the reason to run their scripts, or not to.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn pages_chosen(&self, reason: RenderReason) -> Result<u64, StoreError> {
        let mut select = self
            .connection
            .prepare("SELECT count(*) FROM visit WHERE run = ? AND last = 1 AND purpose = ? AND scripts = ?")?;
        Ok(select.query_row((self.run, Purpose::Page.code(), reason.code()), |row| row.get(0))?)
    }

    /// Reports whether any page is as its scripts made it when it was last read.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn has_rendered_pages(&self) -> Result<bool, StoreError> {
        let mut select = self
            .connection
            .prepare("SELECT EXISTS (SELECT 1 FROM rendering r JOIN memory m ON m.url = r.url WHERE m.rendered = 1)")?;
        Ok(select.query_row([], |row| row.get(0))?)
    }

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
