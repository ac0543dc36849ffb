//! The state that the writer keeps between commits.

use crate::error::StoreError;
use crate::record::Record;
use crate::write::cookie_walls::CookieWalls;
use crate::write::facts::Packer;
use crate::write::link_sets::Sets;
use crate::write::origins::Origins;
use crate::write::recrawl::Recrawl;
use mapwright_frontier::{DiscoveryState, Known, Seen};
use mapwright_model::Lane;
use mapwright_web::KeyMaker;
use std::sync::Arc;

/// The state that the writer keeps between commits.
#[derive(Debug)]
pub(crate) struct WriterState {
    pub(crate) run: i64,
    pub(crate) keys: KeyMaker,
    pub(crate) order_matters: bool,
    /// The lane of pages that sitemaps and feeds list.
    pub(crate) listed_lane: Lane,
    pub(crate) recrawl: Recrawl,
    pub(crate) sets: Sets,
    pub(crate) packer: Packer,
    pub(crate) cookie_walls: CookieWalls,
    /// The last number of the URLs known before this run; URLs with greater numbers have no earlier version.
    pub(crate) known_before: u32,
    pub(super) seen: Arc<Seen>,
    pub(super) origins: Origins,
    pub(super) next_url: u32,
    pub(super) next_seq: u64,
    pub(super) next_visit: u64,
    /// A bit set of the URLs on which this run has decided, by number.
    decided: Vec<u64>,
}

impl WriterState {
    pub(crate) fn new(
        record: &Record,
        seen: Arc<Seen>,
        order_matters: bool,
        listed_lane: Lane,
        recrawl: Recrawl,
    ) -> Result<Self, StoreError> {
        let (connection, run) = (&record.connection, record.run);
        let next = |sql: &str| connection.query_row(sql, [run], |row| row.get::<_, u64>(0));
        Ok(Self {
            run,
            keys: record.keys(),
            order_matters,
            listed_lane,
            recrawl,
            sets: Sets::new(connection)?,
            packer: Packer::new()?,
            cookie_walls: CookieWalls::default(),
            known_before: connection.query_row("SELECT known FROM run WHERE id = ?", [run], |row| row.get(0))?,
            seen,
            origins: Origins::load(connection)?,
            next_url: connection.query_row("SELECT coalesce(max(id), 0) + 1 FROM url", [], |row| row.get(0))?,
            next_seq: next("SELECT coalesce(max(seq), 0) + 1 FROM queue WHERE run = ?")?,
            next_visit: next("SELECT coalesce(max(seq), 0) + 1 FROM visit WHERE run = ?")?,
            decided: Vec::new(),
        })
    }

    /// Reports whether this run has decided on the URL with this number.
    pub(crate) fn is_decided(&self, url: u32) -> bool {
        self.decided.get(url as usize / 64).is_some_and(|word| word & (1 << (url % 64)) != 0)
    }

    pub(super) fn note_decided(&mut self, known: Known) {
        let at = known.id.0 as usize / 64;
        if self.decided.len() <= at {
            self.decided.resize(at + 1, 0);
        }
        if let Some(word) = self.decided.get_mut(at).filter(|_| known.discovery_state == DiscoveryState::Decided) {
            *word |= 1 << (known.id.0 % 64);
        }
    }

    pub(crate) fn origins(&self) -> &Origins {
        &self.origins
    }
}
