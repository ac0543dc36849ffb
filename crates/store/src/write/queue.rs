//! The queue in the record: tasks that are not settled yet.

use crate::error::StoreError;
use crate::record::{Record, now};
use crate::write::writer::Writer;
use crate::write::writer_state::WriterState;
use mapwright_frontier::Refill;
use mapwright_model::{Lane, Purpose, Route, Task, TaskId, Tries, UrlId};
use mapwright_web::PageUrl;
use rusqlite::Row;

const SEED: u8 = 1;
const INVITED: u8 = 2;
/// The page was read before, and is requested again for its scripts.
const FOR_SCRIPTS: u8 = 4;

impl Writer<'_> {
    /// Queues a task.
    pub(crate) fn enqueue(&mut self, task: Task) -> Result<(), StoreError> {
        let mut task = Task { task_id: TaskId::Queued(self.next_seq()), ..task };
        if task.purpose == Purpose::Page && task.url_id.is_some_and(|id| id.0 <= self.writer_state.known_before) {
            self.writer_state.recrawl.settle(self.transaction, &mut task, now())?;
        }
        add(self, &task)?;
        self.queued.push(task);
        Ok(())
    }
}

/// Adds a task.
fn add(writer: &mut Writer<'_>, task: &Task) -> Result<(), StoreError> {
    let origin = writer.origin(&task.url)?;
    if task.purpose == Purpose::Page {
        writer.has_pages(origin)?;
    }
    let flags = (u8::from(task.route.seed) * SEED)
        | (u8::from(task.route.named_by_robots) * INVITED)
        | (u8::from(task.tries.for_scripts) * FOR_SCRIPTS);
    writer
        .transaction
        .prepare_cached(
            "INSERT INTO queue (run, origin, lane, seq, url, purpose, depth, hops, level, generation, flags)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )?
        .execute((
            writer.writer_state.run,
            origin,
            task.lane.code(),
            task.task_id.number(),
            task.url_id.map(|id| id.0),
            task.purpose.code(),
            task.route.depth,
            task.route.hops,
            task.route.level,
            task.route.generation,
            flags,
        ))?;
    Ok(())
}

/// Removes a task that is settled.
pub(crate) fn remove(writer: &mut Writer<'_>, task: &Task) -> Result<(), StoreError> {
    let origin = writer.origin(&task.url)?;
    writer
        .transaction
        .prepare_cached("DELETE FROM queue WHERE run = ? AND origin = ? AND lane = ? AND seq = ?")?
        .execute((writer.writer_state.run, origin, task.lane.code(), task.task_id.number()))?;
    Ok(())
}

/// Counts a failed try of a task, so that a resumed run continues the count.
pub(crate) fn tried(writer: &mut Writer<'_>, task: &Task) -> Result<(), StoreError> {
    let origin = writer.origin(&task.url)?;
    writer
        .transaction
        .prepare_cached("UPDATE queue SET attempt = attempt + 1 WHERE run = ? AND origin = ? AND lane = ? AND seq = ?")?
        .execute((writer.writer_state.run, origin, task.lane.code(), task.task_id.number()))?;
    Ok(())
}

/// Reads queued tasks beyond the scheduler's window.
pub(crate) fn read(record: &Record, writer_state: &WriterState, refill: &Refill) -> Result<Vec<Task>, StoreError> {
    let origins = writer_state.origins();
    let Some(origin) = origins.numbers.get(refill.origin.as_str()) else { return Ok(Vec::new()) };
    let mut select = record.connection.prepare_cached(
        "SELECT q.seq, q.url, u.text, q.purpose, q.depth, q.hops, q.level, q.generation, q.flags, q.attempt
         FROM queue q JOIN url u ON u.id = q.url
         WHERE q.run = ? AND q.origin = ? AND q.lane = ? AND q.seq > ? ORDER BY q.seq LIMIT ?",
    )?;
    let mut rows = select.query((record.run, origin, refill.lane.code(), refill.after, refill.count))?;
    let mut tasks = Vec::new();
    while let Some(row) = rows.next()? {
        tasks.extend(task(row, refill.lane)?);
    }
    let known = |task: &&mut Task| task.url_id.is_some_and(|id| id.0 <= writer_state.known_before);
    for task in tasks.iter_mut().filter(|task| task.purpose == Purpose::Page).filter(known) {
        writer_state.recrawl.settle(&record.connection, task, now())?;
    }
    Ok(tasks)
}

/// A task as it was queued. `None` if its URL is not valid, which does not occur in an undamaged record.
fn task(row: &Row<'_>, lane: Lane) -> Result<Option<Task>, StoreError> {
    let text: String = row.get(2)?;
    let Some(url) = PageUrl::recorded(&text) else { return Ok(None) };
    let Some(purpose) = Purpose::from_code(row.get(3)?) else { return Ok(None) };
    let flags: u8 = row.get(8)?;
    let route = Route {
        depth: row.get(4)?,
        hops: row.get(5)?,
        level: row.get(6)?,
        generation: row.get(7)?,
        seed: flags & SEED != 0,
        named_by_robots: flags & INVITED != 0,
    };
    let tries = Tries { attempt: row.get(9)?, for_scripts: flags & FOR_SCRIPTS != 0, ..Tries::default() };
    Ok(Some(Task { route, tries, ..Task::new(row.get(0)?, UrlId(row.get(1)?), url, purpose, lane) }))
}
