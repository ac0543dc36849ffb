//! Where the sets of links lead, each read once: what many pages share comes up for each of them.

use crate::error::StoreError;
use crate::link_targets;
use rusqlite::{Connection, OptionalExtension};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// The numbers of the URLs that a set's clicked links lead to, in the order of the page.
#[derive(Debug, Default)]
pub(crate) struct Targets {
    /// Of links that pass on.
    pub(crate) open: Box<[u32]>,
    /// Of links with `nofollow`.
    pub(crate) nofollow: Box<[u32]>,
}

/// The sets read lately.
pub(crate) struct SetTargets<'c> {
    connection: &'c Connection,
    read: HashMap<u32, Targets>,
    /// Targets that are held.
    held: usize,
}

/// Targets held at once, at most.
const MAX_HELD: usize = 2_000_000;

impl<'c> SetTargets<'c> {
    pub(crate) fn new(connection: &'c Connection) -> Self {
        Self { connection, read: HashMap::new(), held: 0 }
    }

    /// Where a set leads; nowhere if there is no such set.
    pub(crate) fn targets(&mut self, set: u32) -> Result<&Targets, StoreError> {
        if self.held > MAX_HELD {
            self.read.clear();
            self.held = 0;
        }
        Ok(match self.read.entry(set) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let mut select = self.connection.prepare_cached("SELECT links FROM link_set WHERE id = ?")?;
                let read = select.query_row([set], |row| Ok(link_targets::targets(row.get_ref(0)?.as_str()?)));
                let targets = read.optional()?.unwrap_or_default();
                self.held += targets.open.len() + targets.nofollow.len();
                entry.insert(targets)
            }
        })
    }
}
