//! The sitemap files that were published last.

use crate::error::StoreError;
use crate::record::Record;
use crate::schema::json::{self, Json};
use rusqlite::{OptionalExtension, named_params};
use serde::{Deserialize, Serialize};

/// One published file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)] // A publication may have been killed by a version that knew fewer fields.
pub struct PartRow {
    /// Its name.
    pub name: String,
    /// The series it belongs to.
    pub series: String,
    /// The first key of its range.
    pub bound: String,
    /// True while the file belongs to the live set; otherwise it waits to be removed.
    pub live: bool,
    /// The hash of its uncompressed bytes, as text.
    pub hash: String,
    /// The number of entries.
    pub urls: u64,
    /// Its uncompressed size in bytes.
    pub bytes: u64,
    /// First URL.
    pub first: String,
    /// Last URL.
    pub last: String,
    /// The time of the publication that wrote these bytes, as a W3C date.
    pub lastmod: String,
    /// The time at which it left the live set, in milliseconds since 1970; `None` while it is live, or if unknown.
    pub dropped: Option<i64>,
}

impl Record {
    /// The files that were published last.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn parts(&self) -> Result<Vec<PartRow>, StoreError> {
        let mut select = self
            .connection
            .prepare("SELECT name, live, hash, urls, bytes, first, last, lastmod, series, bound, dropped FROM part")?;
        let rows = select.query_map([], |row| {
            Ok(PartRow {
                name: row.get(0)?,
                live: row.get(1)?,
                hash: row.get(2)?,
                urls: row.get(3)?,
                bytes: row.get(4)?,
                first: row.get(5)?,
                last: row.get(6)?,
                lastmod: row.get(7)?,
                series: row.get(8)?,
                bound: row.get(9)?,
                dropped: row.get(10)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// The highest serial number of any file published from this record.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn last_serial(&self) -> Result<u64, StoreError> {
        Ok(self.connection.query_row(
            "SELECT coalesce(max(CAST(value AS INTEGER)), 0) FROM meta WHERE key = 'serial'",
            [],
            |row| row.get(0),
        )?)
    }

    /// Stores the files that are about to be published, so that a publication that is killed meanwhile can be
    /// completed.
    ///
    /// # Errors
    /// When the record cannot be written.
    pub fn announce(&mut self, parts: &[PartRow]) -> Result<(), StoreError> {
        let json = serde_json::to_string(parts).map_err(|error| StoreError::Packing(error.into()))?;
        self.connection.execute("INSERT OR REPLACE INTO meta (key, value) VALUES ('announced', ?)", [json])?;
        Ok(())
    }

    /// The files that a publication was about to publish when it was killed; none where it was completed.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn announced(&self) -> Result<Vec<PartRow>, StoreError> {
        let mut select = self.connection.prepare("SELECT value FROM meta WHERE key = 'announced'")?;
        let json: Option<Json<_>> = select.query_row([], |row| row.get(0)).optional()?;
        Ok(json::or_default(json))
    }

    /// The entry files of the set that was published last: the entry point first, then further indexes. None where
    /// nothing was published, or only by a version that did not store them.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn entry_points(&self) -> Result<Vec<String>, StoreError> {
        let mut select = self.connection.prepare("SELECT value FROM meta WHERE key = 'entry_points'")?;
        let json: Option<Json<_>> = select.query_row([], |row| row.get(0)).optional()?;
        Ok(json::or_default(json))
    }

    /// Stores the published files, the entry files among them, and the last serial number.
    ///
    /// # Errors
    /// When the record cannot be written.
    pub fn set_parts(
        &mut self,
        parts: &[PartRow],
        entry_points: &[String],
        last_serial: u64,
    ) -> Result<(), StoreError> {
        let run = self.run;
        let entry_points = serde_json::to_string(entry_points).map_err(|error| StoreError::Packing(error.into()))?;
        let transaction = self.connection.transaction()?;
        transaction.execute("DELETE FROM part", [])?;
        transaction.execute("DELETE FROM meta WHERE key = 'announced'", [])?;
        for part in parts {
            transaction.execute(
                "INSERT INTO part (name, run, live, hash, urls, bytes, first, last, lastmod, series, bound, dropped)
                 VALUES (:name, :run, :live, :hash, :urls, :bytes, :first, :last, :lastmod, :series, :bound, :dropped)",
                named_params! {
                    ":name": part.name,
                    ":run": run,
                    ":live": part.live,
                    ":hash": part.hash,
                    ":urls": part.urls,
                    ":bytes": part.bytes,
                    ":first": part.first,
                    ":last": part.last,
                    ":lastmod": part.lastmod,
                    ":series": part.series,
                    ":bound": part.bound,
                    ":dropped": part.dropped,
                },
            )?;
        }
        for (key, value) in [("serial", last_serial.to_string()), ("entry_points", entry_points)] {
            transaction.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", [key, &value])?;
        }
        transaction.commit()?;
        Ok(())
    }
}
