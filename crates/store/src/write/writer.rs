//! Writes a batch of visits: the transaction, and the numbers of what is new in it.

use crate::error::StoreError;
use crate::write::writer_state::WriterState;
use mapwright_frontier::{DiscoveryState, Known};
use mapwright_model::{Target, Task, UrlId};
use mapwright_web::{KeyMap, PageUrl, UrlKey};
use rusqlite::Transaction;

/// A batch that is being written: one transaction.
pub(crate) struct Writer<'b> {
    pub(crate) writer_state: &'b mut WriterState,
    pub(crate) transaction: &'b Transaction<'b>,
    /// URLs that are new, or whose discovery state rose; they are added to `Seen` after the transaction is committed.
    pub(super) fresh: KeyMap<Known>,
    pub(super) queued: Vec<Task>,
}

impl Writer<'_> {
    /// The number and discovery state of a URL; a new URL gets a number.
    pub(crate) fn known(&mut self, key: UrlKey, url: &PageUrl) -> Result<Known, StoreError> {
        if let Some(known) = self.fresh.get(&key.0).copied().or_else(|| self.writer_state.seen.get(key)) {
            return Ok(known);
        }
        let id = UrlId(self.writer_state.next_url);
        self.writer_state.next_url += 1;
        self.transaction.prepare_cached("INSERT INTO url (id, key, text) VALUES (?, ?, ?)")?.execute((
            id.0,
            key.0.cast_signed(),
            url.as_str(),
        ))?;
        let known = Known { id, discovery_state: DiscoveryState::Past };
        self.fresh.insert(key.0, known);
        Ok(known)
    }

    /// The number of a URL that a visit refers to.
    pub(crate) fn target(&mut self, target: &Target) -> Result<u32, StoreError> {
        Ok(match target {
            Target::Known(id) => id.0,
            Target::New(key, url) => self.known(*key, url)?.id.0,
        })
    }

    /// Raises the discovery state of a URL.
    pub(crate) fn raise(&mut self, key: UrlKey, known: Known, discovery_state: DiscoveryState) {
        if discovery_state > known.discovery_state {
            self.fresh.insert(key.0, Known { discovery_state, ..known });
        }
    }

    /// The record's number of an origin.
    pub(crate) fn origin(&mut self, url: &PageUrl) -> Result<i64, StoreError> {
        self.writer_state.origins.number(self.transaction, &url.origin())
    }

    /// Notes that pages of this origin are queued in the run.
    pub(crate) fn has_pages(&mut self, origin: i64) -> Result<(), StoreError> {
        self.writer_state.origins.has_pages(self.transaction, origin, self.writer_state.run)
    }

    pub(super) fn next_seq(&mut self) -> u64 {
        let seq = self.writer_state.next_seq;
        self.writer_state.next_seq += 1;
        seq
    }

    /// The number of the next visit.
    pub(crate) fn next_visit(&mut self) -> u64 {
        let seq = self.writer_state.next_visit;
        self.writer_state.next_visit += 1;
        seq
    }
}
