//! Commits each batch in one transaction: the visits, their discoveries, and the settled tasks.

use crate::error::StoreError;
use crate::record::{Record, now};
use crate::write::cookie_walls::CookieWalls;
use crate::write::facts::Packer;
use crate::write::links::Sets;
use crate::write::memory::Recrawl;
use crate::write::queue::{self, Origins};
use crate::write::{found, visits};
use mapwright_frontier::{DiscoveryState, Finished, Known, RetryCost, Seen, Settlement};
use mapwright_model::{Lane, Purpose, Target, Task, TaskId, UrlId, Visit};
use mapwright_web::{KeyMaker, PageUrl, UrlKey};
use rusqlite::{Connection, Transaction};
use std::collections::HashMap;
use std::sync::Arc;

/// The result of a commit.
#[derive(Debug, Default)]
pub(crate) struct CommitResult {
    /// Tasks that were queued.
    pub(crate) queued: Vec<Task>,
    /// Tasks that were settled.
    pub(crate) settled: Vec<(Task, Settlement)>,
}

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
    seen: Arc<Seen>,
    origins: Origins,
    next_url: u32,
    next_seq: u64,
    next_visit: u64,
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

    fn note_decided(&mut self, known: Known) {
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

    /// Commits a batch. On an error, nothing of it is stored, and none of its URLs becomes known.
    pub(crate) fn commit(
        &mut self,
        connection: &mut Connection,
        batch: Vec<Finished<Visit>>,
    ) -> Result<CommitResult, StoreError> {
        let applied = self.apply(connection, batch);
        if applied.is_err() {
            self.origins = Origins::load(connection)?;
            self.sets = Sets::new(connection)?;
        }
        applied
    }

    fn apply(&mut self, connection: &mut Connection, batch: Vec<Finished<Visit>>) -> Result<CommitResult, StoreError> {
        let transaction = connection.transaction()?;
        let mut writing =
            BatchWriter { writer_state: self, transaction: &transaction, fresh: HashMap::new(), queued: Vec::new() };
        let mut settled = Vec::new();
        for finished in batch {
            writing.finished(&finished)?;
            settled.extend(finished.settles);
        }
        let BatchWriter { fresh, queued, .. } = writing;
        transaction.commit()?;
        for (key, known) in fresh {
            self.seen.insert(UrlKey(key), known);
            self.note_decided(known);
        }
        Ok(CommitResult { queued, settled })
    }
}

/// A batch that is being written.
pub(crate) struct BatchWriter<'b> {
    pub(crate) writer_state: &'b mut WriterState,
    pub(crate) transaction: &'b Transaction<'b>,
    /// URLs that are new, or whose discovery state rose; they are added to `Seen` after the transaction is committed.
    fresh: HashMap<u64, Known>,
    queued: Vec<Task>,
}

impl BatchWriter<'_> {
    fn finished(&mut self, finished: &Finished<Visit>) -> Result<(), StoreError> {
        let parent = match &finished.settles {
            Some((task, _)) => Some(self.url_id(task)?),
            None => None,
        };
        for discovery in &finished.found {
            found::note(self, discovery, parent)?;
        }
        if let (Some(visit), Some(id)) = (&finished.visit, parent) {
            visits::note(self, visit, id)?;
        }
        match &finished.settles {
            Some((Task { task_id: TaskId::Robots(_) | TaskId::Probe(_), .. }, _)) => Ok(()),
            Some((task, Settlement::Done)) => queue::remove(self, task),
            // Only a failed try is counted in the record. A resumed run may therefore make a few tries more.
            Some((task, Settlement::Retry { cost: RetryCost::Try, .. })) => queue::tried(self, task),
            _ => Ok(()),
        }
    }

    /// The number of a task's URL; a robots task has none yet.
    fn url_id(&mut self, task: &Task) -> Result<UrlId, StoreError> {
        match task.url_id {
            Some(id) => Ok(id),
            None => Ok(self.known(self.writer_state.keys.key(&task.url), &task.url)?.id),
        }
    }

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

    /// Queues a task.
    pub(crate) fn enqueue(&mut self, task: Task) -> Result<(), StoreError> {
        let mut task = Task { task_id: TaskId::Queued(self.next_seq()), ..task };
        if task.purpose == Purpose::Page && task.url_id.is_some_and(|id| id.0 <= self.writer_state.known_before) {
            self.writer_state.recrawl.settle(self.transaction, &mut task, now())?;
        }
        queue::add(self, &task)?;
        self.queued.push(task);
        Ok(())
    }

    /// The record's number of an origin.
    pub(crate) fn origin(&mut self, url: &PageUrl) -> Result<i64, StoreError> {
        self.writer_state.origins.number(self.transaction, &url.origin())
    }

    /// Notes that pages of this origin are queued in the run.
    pub(crate) fn has_pages(&mut self, origin: i64) -> Result<(), StoreError> {
        self.writer_state.origins.has_pages(self.transaction, origin, self.writer_state.run)
    }

    fn next_seq(&mut self) -> u64 {
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
