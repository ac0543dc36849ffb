//! The numbers of origins.

use crate::error::StoreError;
use mapwright_web::Origin;
use rusqlite::Connection;
use std::collections::{HashMap, HashSet};

/// Numbers of origins.
#[derive(Debug, Default)]
pub(crate) struct Origins {
    pub(super) numbers: HashMap<String, i64>,
    /// The origins already marked as having pages in this run.
    with_pages: HashSet<i64>,
}

impl Origins {
    pub(crate) fn load(connection: &Connection) -> Result<Self, StoreError> {
        let mut select = connection.prepare("SELECT text, id FROM origin")?;
        let rows = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(Self { numbers: rows.collect::<Result<_, _>>()?, with_pages: HashSet::new() })
    }

    pub(crate) fn has_pages(&mut self, connection: &Connection, origin: i64, run: i64) -> Result<(), StoreError> {
        if self.with_pages.insert(origin) {
            connection.execute("UPDATE origin SET run = ? WHERE id = ?", (run, origin))?;
        }
        Ok(())
    }

    pub(crate) fn number(&mut self, connection: &Connection, origin: &Origin) -> Result<i64, StoreError> {
        if let Some(number) = self.numbers.get(origin.as_str()) {
            return Ok(*number);
        }
        connection.execute("INSERT INTO origin (text) VALUES (?)", [origin.as_str()])?;
        let number = connection.last_insert_rowid();
        self.numbers.insert(origin.as_str().to_owned(), number);
        Ok(number)
    }
}
