//! A cache of the targets of sets of links, since many pages share a set.

use crate::error::StoreError;
use crate::judge::link_targets::{self, Targets};
use rusqlite::{Connection, OptionalExtension};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

/// The targets of recently read sets.
pub(crate) struct SetTargets<'c> {
    connection: &'c Connection,
    read: RefCell<HashMap<u32, Rc<Targets>>>,
    /// The number of targets in the cache.
    held: Cell<usize>,
}

/// The number of targets above which the cache is cleared: 16 MB of them.
const MAX_HELD: usize = 4_000_000;

impl<'c> SetTargets<'c> {
    pub(crate) fn new(connection: &'c Connection) -> Self {
        Self { connection, read: RefCell::default(), held: Cell::new(0) }
    }

    /// The targets of a set; none if there is no such set.
    pub(crate) fn targets(&self, set: u32) -> Result<Rc<Targets>, StoreError> {
        if let Some(targets) = self.read.borrow().get(&set) {
            return Ok(Rc::clone(targets));
        }
        let mut select = self.connection.prepare_cached("SELECT links FROM link_set WHERE id = ?")?;
        let read = select.query_row([set], |row| Ok(link_targets::targets(row.get_ref(0)?.as_str()?)));
        let targets = Rc::new(read.optional()?.unwrap_or_default());
        let mut held = self.read.borrow_mut();
        if self.held.get() > MAX_HELD {
            held.clear();
            self.held.set(0);
        }
        self.held.update(|count| count + targets.open.len() + targets.nofollow.len());
        held.insert(set, Rc::clone(&targets));
        Ok(targets)
    }
}
