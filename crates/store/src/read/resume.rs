//! Resumes a run that was interrupted at any point, for any cause.

use crate::error::StoreError;
use crate::read::seen::{DiscoveryStates, fill};
use crate::read::visited::Visits;
use crate::record::Record;
use crate::schema::json::Json;
use crate::schema::numbers::Numbers;
use crate::write::recall::read_url;
use mapwright_frontier::{Backlog, Seen};
use mapwright_model::{Lane, Purpose, Resumed, Unfetched, Via};
use mapwright_web::{Origin, PageUrl, UrlKey};
use rusqlite::{Connection, OpenFlags};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::num::NonZero;
use std::ops::RangeInclusive;
use std::panic::resume_unwind;
use std::path::Path;
use std::thread;

/// The fewest rows of a part, when a table is read in parts by several threads.
const PART: u32 = 1_000;
/// The most threads that read at once.
const MAX_PARTS: u32 = 8;
/// The number of newest visits that are searched for successful pages.
const LATE_VISITS: u32 = 10_000;
/// The most URLs left out by the last run that are remembered.
const MAX_SAMPLED: u32 = 200_000;
/// Codes of the queue.
const PAGE: u8 = 0;
const LISTED: u8 = 3;

/// The result of resuming a run.
#[derive(Debug)]
pub enum Resumption {
    /// It continues from where it was interrupted.
    Resumes(Resumed),
    /// It begins again, because it was interrupted before its start URLs had answered.
    Begins,
}

/// The progress of a resumed run, for the scheduler.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    pub(crate) pages: u64,
    pub(crate) backlog: Vec<Backlog>,
    pub(crate) depths: Vec<(u32, u64)>,
}

impl Record {
    /// Resumes the newest run. Requests that were in flight when it was interrupted are still queued.
    ///
    /// # Errors
    /// When the record cannot be read or written.
    pub fn resume(&mut self) -> Result<Resumption, StoreError> {
        let run = self.run;
        let roots: Option<Json<Vec<String>>> =
            self.connection.query_row("SELECT roots FROM run WHERE id = ?", [run], |row| row.get(0))?;
        let mut visits = self.visits()?;
        let twice = self.add_queued(&mut visits)?;
        let transaction = self.connection.transaction()?;
        transaction.execute_batch(include_str!("../../sql/no_indexes.sql"))?;
        transaction.execute("UPDATE run SET state = 'running', ended = NULL WHERE id = ?", [run])?;
        let Some(Json(roots)) = roots else {
            for table in ["found", "queue", "visit", "entry", "fault", "verdict"] {
                transaction.execute(&format!("DELETE FROM {table} WHERE run = ?"), [run])?;
            }
            transaction.commit()?;
            return Ok(Resumption::Begins);
        };
        for (origin, seq) in twice {
            transaction
                .prepare_cached("DELETE FROM queue WHERE run = ? AND origin = ? AND lane = ? AND seq = ?")?
                .execute((run, origin, LISTED, seq))?;
        }
        transaction.commit()?;
        self.is_resumed = true;
        Ok(Resumption::Resumes(self.resumed(&roots, &visits.files)?))
    }

    /// The URLs of the list that the newest run was started with, without those that are also start URLs.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn list(&self) -> Result<Vec<String>, StoreError> {
        let via = Via::UrlList.code();
        let mut select = self.connection.prepare(
            "SELECT u.text FROM found f JOIN url u ON u.id = f.url WHERE f.run = ? AND f.via = ? ORDER BY f.url",
        )?;
        Ok(select.query_map((self.run, via), |row| row.get(0))?.collect::<Result<_, _>>()?)
    }

    /// Adds the queued sitemaps and feeds to `visits`. Returns the origins and sequence numbers of duplicate rows: a
    /// URL that was moved ahead was queued in two lanes, and may still be in one after it was settled in the other.
    fn add_queued(&self, visits: &mut Visits) -> Result<Vec<(i64, u64)>, StoreError> {
        // Joined by origin, so that the lane of links, which may be long, is not read.
        let mut select = self.connection.prepare(
            "SELECT q.origin, q.seq, q.url, q.purpose FROM origin o
             CROSS JOIN queue q ON q.run = ? AND q.origin = o.id AND q.lane IN (?, ?)",
        )?;
        let mut rows = select.query((self.run, Lane::Prerequisite.code(), LISTED))?;
        let mut twice = Vec::new();
        while let Some(row) = rows.next()? {
            let (url, purpose): (u32, u8) = (row.get(2)?, row.get(3)?);
            if purpose != PAGE {
                visits.files.insert(url);
            } else if visits.settled.holds(url) {
                twice.push((row.get(0)?, row.get(1)?));
            }
        }
        Ok(twice)
    }

    /// Stores the roots of the scope once they are known.
    pub(crate) fn note_roots(&self, roots: &[PageUrl]) -> Result<(), StoreError> {
        let texts: Vec<&str> = roots.iter().map(PageUrl::as_str).collect();
        let json = serde_json::json!(texts).to_string();
        self.connection.execute("UPDATE run SET roots = ? WHERE id = ?", (json, self.run))?;
        Ok(())
    }

    fn resumed(&self, roots: &[String], files: &BTreeSet<u32>) -> Result<Resumed, StoreError> {
        // If only a list is crawled, any page that answered counts.
        let answered = self.connection.query_row(
            "SELECT answered OR (
                NOT EXISTS (SELECT 1 FROM found WHERE run = run.id AND via = ?2)
                AND EXISTS (SELECT 1 FROM visit WHERE run = run.id AND purpose = 0 AND status IN (200, 203)))
             FROM run WHERE id = ?1",
            (self.run, Via::Start.code()),
            |row| row.get(0),
        )?;
        let mut origins = self.connection.prepare("SELECT text FROM origin WHERE run = ?")?;
        let origins: Vec<String> = origins.query_map([self.run], |row| row.get(0))?.collect::<Result<_, _>>()?;
        Ok(Resumed {
            roots: roots.iter().filter_map(|text| read_url(text)).collect(),
            start_answered: answered,
            files: self.keys_of(files)?,
            origins: origins.iter().filter_map(|text| read_url(text)).map(|url| url.origin()).collect(),
            endless: self.refused_as_endless()?,
        })
    }

    fn keys_of(&self, urls: &BTreeSet<u32>) -> Result<Vec<UrlKey>, StoreError> {
        let mut select = self.connection.prepare("SELECT key FROM url WHERE id = ?")?;
        let mut key = |id: &u32| Ok(UrlKey(select.query_row([id], |row| row.get::<_, i64>(0))?.cast_unsigned()));
        urls.iter().map(&mut key).collect()
    }

    fn refused_as_endless(&self) -> Result<Vec<PageUrl>, StoreError> {
        let run = self.run;
        let texts = self.in_parts(self.last_url()?, |connection, part| {
            let mut select = connection.prepare(
                "SELECT u.text FROM found f JOIN url u ON u.id = f.url
                 WHERE f.run = ? AND f.refused = ? AND f.url BETWEEN ? AND ?",
            )?;
            let (first, last) = part.into_inner();
            let texts = select.query_map((run, Unfetched::Endless.code(), first, last), |row| row.get(0))?;
            Ok(texts.collect::<Result<Vec<String>, _>>()?)
        })?;
        Ok(texts.iter().flatten().filter_map(|text| read_url(text)).collect())
    }

    /// The URLs that the last complete run with the same settings left out because a sample of their pattern families
    /// was enough; at most 200,000.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn sampled_before(&self) -> Result<HashSet<UrlKey>, StoreError> {
        let before = complete_run_before(&self.connection, self.run)?;
        let mut select = self.connection.prepare(
            "SELECT u.key FROM found f JOIN url u ON u.id = f.url WHERE f.run = ? AND f.refused = ?
             ORDER BY f.url LIMIT ?",
        )?;
        let keys = select.query_map((before, Unfetched::Sampled.code(), MAX_SAMPLED), |row| row.get::<_, i64>(0))?;
        Ok(keys.map(|key| key.map(|key| UrlKey(key.cast_unsigned()))).collect::<Result<_, _>>()?)
    }

    /// All URLs of the record, with their discovery states if the run is resumed.
    pub(crate) fn seen(&self, order_matters: bool) -> Result<Seen, StoreError> {
        let seen = Seen::new();
        let discovery_states = if self.is_resumed { Some(self.discovery_states(order_matters)?) } else { None };
        let run = self.run;
        self.in_parts(self.last_url()?, |connection, part| {
            fill(&seen, connection, run, part, discovery_states.as_ref())
        })?;
        Ok(seen)
    }

    fn discovery_states(&self, order_matters: bool) -> Result<DiscoveryStates, StoreError> {
        let Visits { mut files, mut pages, .. } = self.visits()?;
        let (mut listed, mut linked) = (Numbers::default(), Numbers::default());
        let mut select = self.connection.prepare("SELECT url, purpose, lane FROM queue WHERE run = ?")?;
        let mut rows = select.query([self.run])?;
        while let Some(row) = rows.next()? {
            let (url, purpose, lane): (u32, u8, u8) = (row.get(0)?, row.get(1)?, row.get(2)?);
            if purpose != PAGE {
                if Purpose::from_code(purpose).is_some_and(Purpose::is_prerequisite) {
                    files.insert(url);
                }
                continue;
            }
            pages.insert(url);
            if order_matters {
                let lane = if lane == LISTED { &mut listed } else { &mut linked };
                lane.insert(url);
            }
        }
        files.retain(|file| !pages.holds(*file));
        Ok(DiscoveryStates { files_only: files, listed, linked })
    }

    /// The progress of the run, for the scheduler.
    pub(crate) fn progress(&self) -> Result<Progress, StoreError> {
        if !self.is_resumed {
            return Ok(Progress::default());
        }
        let mut backlog: BTreeMap<(i64, u8), (u64, u64)> = BTreeMap::new();
        let mut depths: BTreeMap<u32, u64> = BTreeMap::new();
        let mut select =
            self.connection.prepare("SELECT origin, lane, purpose, depth, flags & 2 FROM queue WHERE run = ?")?;
        let mut rows = select.query([self.run])?;
        while let Some(row) = rows.next()? {
            let (origin, lane): (i64, u8) = (row.get(0)?, row.get(1)?);
            let (count, named_by_robots) = backlog.entry((origin, lane)).or_default();
            *count += 1;
            *named_by_robots += u64::from(row.get::<_, u8>(4)? != 0);
            // URLs that are listed only in sitemaps have no depth.
            if row.get::<_, u8>(2)? == PAGE && lane != LISTED {
                *depths.entry(row.get(3)?).or_default() += 1;
            }
        }
        let good = self.good_pages()?;
        let mut text = self.connection.prepare("SELECT text FROM origin WHERE id = ?")?;
        let mut of = |((origin, lane), (count, named_by_robots)): ((i64, u8), (u64, u64))| {
            let text: String = text.query_row([origin], |row| row.get(0))?;
            let place = read_url(&text).zip(Lane::from_code(lane));
            Ok(place.map(|(url, lane)| {
                let origin = url.origin();
                Backlog { good: good.get(&origin).cloned(), origin, lane, count, named_by_robots }
            }))
        };
        let backlog = backlog.into_iter().filter_map(|row| of(row).transpose()).collect::<Result<_, StoreError>>()?;
        Ok(Progress { pages: self.visits()?.requested.count(), backlog, depths: depths.into_iter().collect() })
    }

    /// A page of each origin that answered successfully among the latest visits of the run.
    fn good_pages(&self) -> Result<HashMap<Origin, PageUrl>, StoreError> {
        let mut select = self.connection.prepare(
            "SELECT u.text FROM (SELECT url, purpose, status FROM visit WHERE run = ? ORDER BY seq DESC LIMIT ?) v
             JOIN url u ON u.id = v.url WHERE v.purpose = ? AND v.status IN (200, 203)",
        )?;
        let rows = select.query_map((self.run, LATE_VISITS, PAGE), |row| row.get::<_, String>(0))?;
        let texts: Vec<String> = rows.collect::<Result<_, _>>()?;
        Ok(texts.iter().filter_map(|text| read_url(text)).map(|url| (url.origin(), url)).collect())
    }

    /// A summary of the visits of the run.
    fn visits(&self) -> Result<Visits, StoreError> {
        let run = self.run;
        let select = "SELECT coalesce(max(seq), 0) FROM visit WHERE run = ?";
        let last = self.connection.query_row(select, [run], |row| row.get(0))?;
        let parts = self.in_parts(last, |connection, part| Visits::read(connection, run, part))?;
        Ok(parts.into_iter().fold(Visits::default(), Visits::and))
    }

    fn last_url(&self) -> Result<u32, StoreError> {
        Ok(self.connection.query_row("SELECT coalesce(max(id), 0) FROM url", [], |row| row.get(0))?)
    }

    /// Reads rows 1 to `last`; many rows in parallel parts, as many as there are processors.
    fn in_parts<T: Send>(
        &self,
        last: u32,
        read: impl Fn(&Connection, RangeInclusive<u32>) -> Result<T, StoreError> + Sync,
    ) -> Result<Vec<T>, StoreError> {
        let processors = thread::available_parallelism().map_or(1, NonZero::get) as u32;
        let count = processors.min(MAX_PARTS).min(last.div_ceil(PART)).max(1);
        if count == 1 {
            return Ok(vec![read(&self.connection, 1..=last)?]);
        }
        let (folder, size) = (self.folder(), last.div_ceil(count));
        let read = &read;
        thread::scope(|scope| {
            let parts = (0..count).map(|part| part * size + 1..=(part + 1) * size);
            let threads: Vec<_> =
                parts.map(|part| scope.spawn(move || read(&open_for_one_thread(folder)?, part))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
        })
    }
}

/// The last complete run before `run` of the same kind and with the same settings, if there is one.
pub(crate) fn complete_run_before(connection: &Connection, run: i64) -> Result<Option<i64>, StoreError> {
    Ok(connection.query_row(
        "SELECT max(id) FROM run WHERE id < ?1 AND state = 'complete'
             AND (kind, settings) = (SELECT kind, settings FROM run WHERE id = ?1)",
        [run],
        |row| row.get(0),
    )?)
}

/// A read-only connection for one thread, so that SQLite does not lock it at every call.
fn open_for_one_thread(folder: &Path) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Ok(Connection::open_with_flags(Record::file_in(folder), flags)?)
}
