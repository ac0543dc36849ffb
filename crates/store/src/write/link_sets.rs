//! The sets of links that were stored recently, so that each is stored once.

use crate::error::StoreError;
use rusqlite::{Connection, OptionalExtension};
use std::collections::HashMap;

/// The most sets remembered; a set that is forgotten is stored again at its next occurrence.
pub(super) const MAX_REMEMBERED: usize = 50_000;

/// The sets stored recently, by the hash of their links, and the usual link texts.
#[derive(Debug)]
pub(crate) struct Sets {
    pub(super) known: HashMap<u64, i64>,
    pub(super) next: i64,
    /// By number of URL, the hash of the usual text of links to it; 0 where none is loaded yet.
    pub(super) usual: Vec<u64>,
    /// The last number of the URLs that may have a usual text in the record that is not loaded yet.
    before: u32,
}

impl Sets {
    pub(crate) fn new(connection: &Connection) -> Result<Self, StoreError> {
        let next = connection.query_row("SELECT coalesce(max(id), 0) + 1 FROM link_set", [], |row| row.get(0))?;
        let before = connection.query_row("SELECT coalesce(max(url), 0) FROM anchor", [], |row| row.get(0))?;
        Ok(Self { known: HashMap::new(), next, usual: Vec::new(), before })
    }

    /// The usual text of links to a URL, if an earlier run stored one.
    pub(super) fn texted_before(&self, connection: &Connection, url: u32) -> Result<Option<String>, StoreError> {
        if url > self.before {
            return Ok(None);
        }
        let mut select = connection.prepare_cached("SELECT text FROM anchor WHERE url = ?")?;
        Ok(select.query_row([url], |row| row.get(0)).optional()?)
    }

    pub(super) fn note_usual(&mut self, url: u32, hash: u64) {
        let at = url as usize;
        if self.usual.len() <= at {
            self.usual.resize(at + 1, 0);
        }
        if let Some(slot) = self.usual.get_mut(at) {
            *slot = hash;
        }
    }
}
