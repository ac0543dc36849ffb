//! The templates of pages, as far as they are known, and the pages that were read without their scripts.

use crate::error::StoreError;
use crate::record::Record;
use crate::write::writer::Writer;
use crate::write::writer_state::WriterState;
use mapwright_model::{Lane, Purpose, RenderReason, Route, Task, Template, TemplateClass, TemplateId, Tries, UrlId};
use mapwright_web::{KeyMap, PageUrl};
use rusqlite::Connection;

/// Stores what is known of a template. Classes only rise: the visits that teach of it may be stored in any order.
pub(crate) fn note(writer: &Writer<'_>, template: &Template) -> Result<(), StoreError> {
    let Template { id, origin, class, unchanged, evidence } = template;
    writer
        .transaction
        .prepare_cached(
            "INSERT INTO template (id, origin, class, unchanged, evidence, run) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
             ON CONFLICT (id) DO UPDATE SET class = max(class, excluded.class),
                unchanged = max(unchanged, excluded.unchanged), evidence = coalesce(evidence, excluded.evidence),
                run = excluded.run",
        )?
        .execute((id.0.cast_signed(), origin, class.code(), unchanged, evidence, writer.writer_state.run))?;
    Ok(())
}

impl WriterState {
    /// Queues again the pages of this run of a template that were read without their scripts, to be requested
    /// unconditionally.
    pub(crate) fn request_again(
        &mut self,
        connection: &mut Connection,
        template: TemplateId,
    ) -> Result<Vec<Task>, StoreError> {
        let transaction = connection.transaction()?;
        let mut writer =
            Writer { writer_state: self, transaction: &transaction, fresh: KeyMap::default(), queued: Vec::new() };
        for (visit, task) in unrendered(&writer, template)? {
            writer
                .transaction
                .prepare_cached("UPDATE visit SET last = 0 WHERE run = ? AND seq = ?")?
                .execute((writer.writer_state.run, visit))?;
            writer
                .transaction
                .prepare_cached("UPDATE memory SET rendered = 1, at = 0 WHERE url = ?")?
                .execute([task.url_id.map(|id| id.0)])?;
            writer.enqueue(task)?;
        }
        let Writer { queued, .. } = writer;
        transaction.commit()?;
        Ok(queued)
    }
}

/// Returns the pages of a template that were read without their scripts: the number of the visit, and a new task.
fn unrendered(writer: &Writer<'_>, template: TemplateId) -> Result<Vec<(u64, Task)>, StoreError> {
    let mut select = writer.transaction.prepare_cached(
        "SELECT v.seq, v.url, u.text, coalesce(f.depth, 1) FROM visit v JOIN url u ON u.id = v.url
         LEFT JOIN found f ON f.run = v.run AND f.url = v.url
         WHERE v.run = ? AND v.last = 1 AND v.purpose = ? AND v.template = ? AND v.scripts = ? ORDER BY v.seq",
    )?;
    let (run, purpose, reason) = (writer.writer_state.run, Purpose::Page.code(), RenderReason::Static.code());
    let mut rows = select.query((run, purpose, template.0.cast_signed(), reason))?;
    let mut pages = Vec::new();
    while let Some(row) = rows.next()? {
        let text: String = row.get(2)?;
        let Some(url) = PageUrl::recorded(&text) else { continue };
        let route = Route { depth: row.get(3)?, ..Route::default() };
        // They were counted when they were first read, so that no limit of pages keeps them from being read to the end.
        let tries = Tries { for_scripts: true, ..Tries::default() };
        let task = Task { route, tries, ..Task::new(0, UrlId(row.get(1)?), url, Purpose::Page, Lane::Check) };
        pages.push((row.get(0)?, task));
    }
    Ok(pages)
}

impl Record {
    /// Returns what is known of the templates of pages.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub fn templates(&self) -> Result<Vec<Template>, StoreError> {
        let mut select =
            self.connection.prepare("SELECT id, origin, class, unchanged, evidence FROM template ORDER BY id")?;
        let rows = select.query_map([], |row| {
            Ok(Template {
                id: TemplateId(row.get::<_, i64>(0)?.cast_unsigned()),
                origin: row.get(1)?,
                class: TemplateClass::from_code(row.get(2)?).unwrap_or_default(),
                unchanged: row.get(3)?,
                evidence: row.get(4)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}
