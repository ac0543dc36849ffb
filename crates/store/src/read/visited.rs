//! A summary of the visits of a run, for resuming it.

use crate::error::StoreError;
use crate::schema::numbers::Numbers;
use mapwright_model::Purpose;
use rusqlite::{Connection, Row};
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// The URLs that a run visited.
#[derive(Default)]
pub(crate) struct Visits {
    /// URLs that were visited as pages (`pages`), those of them that are settled (`settled`), and those for which a
    /// first request was made (`requested`).
    pub(crate) pages: Numbers,
    pub(crate) settled: Numbers,
    pub(crate) requested: Numbers,
    /// Sitemaps and feeds.
    pub(crate) files: BTreeSet<u32>,
}

impl Visits {
    pub(crate) fn read(connection: &Connection, run: i64, part: RangeInclusive<u32>) -> Result<Self, StoreError> {
        let mut select = connection.prepare(
            "SELECT url, purpose, last, attempt = 0 AND (total_ms IS NOT NULL OR reused > 0) FROM visit
             WHERE run = ? AND seq BETWEEN ? AND ?",
        )?;
        let (first, last) = part.into_inner();
        let mut rows = select.query((run, first, last))?;
        let mut visits = Self::default();
        while let Some(row) = rows.next()? {
            visits.note(row)?;
        }
        Ok(visits)
    }

    fn note(&mut self, row: &Row<'_>) -> rusqlite::Result<()> {
        let url = row.get(0)?;
        match Purpose::from_code(row.get(1)?) {
            Some(Purpose::Page) => {
                self.pages.insert(url);
                if row.get(2)? {
                    self.settled.insert(url);
                }
                if row.get(3)? {
                    self.requested.insert(url);
                }
            }
            Some(Purpose::Sitemap | Purpose::Feed) => drop(self.files.insert(url)),
            Some(Purpose::Robots | Purpose::Probe | Purpose::External | Purpose::Resource) | None => {}
        }
        Ok(())
    }

    pub(crate) fn and(mut self, other: Self) -> Self {
        self.pages.extend(&other.pages);
        self.settled.extend(&other.settled);
        self.requested.extend(&other.requested);
        self.files.extend(other.files);
        self
    }
}
