//! The state of a page kept from run to run.

use crate::error::StoreError;
use crate::write::writer::Writer;
use mapwright_model::{Outcome, PageContent, Purpose, Reused, UrlId, Visit};
use rusqlite::named_params;

/// Updates the state of a page after its visit was stored as row `seq` of the run.
pub(crate) fn note(writer: &Writer<'_>, visit: &Visit, url: UrlId, seq: u64) -> Result<(), StoreError> {
    if visit.task.purpose != Purpose::Page || visit.will_retry {
        return Ok(());
    }
    match visit.reused() {
        Some(Reused::NotRequested) => Ok(()),
        Some(Reused::Revalidated) => revalidated(writer, visit, url),
        None if matches!(visit.outcome, Outcome::Page | Outcome::File) => seen(writer, visit, seq),
        None if visit.outcome == Outcome::Refused => Ok(()),
        None => mark_due(writer, url),
    }
}

/// Updates the validators from a 304 (RFC 9111 section 4.3.4).
fn revalidated(writer: &Writer<'_>, visit: &Visit, url: UrlId) -> Result<(), StoreError> {
    writer
        .transaction
        .prepare_cached(
            "UPDATE memory SET at = ?, etag = coalesce(?, etag), last_modified = coalesce(?, last_modified)
             WHERE url = ?",
        )?
        .execute((
            visit.at.as_millisecond(),
            &visit.response.fingerprint.etag,
            &visit.response.fingerprint.last_modified,
            url.0,
        ))?;
    Ok(())
}

/// Makes a page due after an unsuccessful response. The stored page stays, in case a later response revalidates it.
fn mark_due(writer: &Writer<'_>, url: UrlId) -> Result<(), StoreError> {
    writer.transaction.prepare_cached("UPDATE memory SET at = 0 WHERE url = ?")?.execute([url.0])?;
    Ok(())
}

/// Stores a successful response, which the next 304 revalidates.
fn seen(writer: &Writer<'_>, visit: &Visit, seq: u64) -> Result<(), StoreError> {
    let is_rendered = visit.page().is_some_and(|page| page.facts.before_scripts.is_some());
    let failed = |page: &PageContent| page.rendering.as_ref().is_some_and(|rendering| rendering.failure.is_some());
    let was_to_be = is_rendered || visit.page().is_some_and(failed);
    writer
        .transaction
        .prepare_cached(
            "INSERT INTO memory (url, basis, at, outcome, status, body_bytes, media, media_kind, sniffed, etag,
                                 last_modified, target, canonical, canonical_fault, noindex, nofollow, version, rendered,
                                 scripts, template)
             SELECT url, :basis, at, outcome, status, body_bytes, media, media_kind, sniffed, etag, last_modified,
                    target, canonical, canonical_fault, noindex, nofollow, version, :rendered,
                    scripts, template
             FROM visit WHERE run = :run AND seq = :seq
             ON CONFLICT (url) DO UPDATE SET
                basis = excluded.basis, at = excluded.at, outcome = excluded.outcome, status = excluded.status,
                body_bytes = excluded.body_bytes, media = excluded.media, media_kind = excluded.media_kind,
                sniffed = excluded.sniffed, etag = excluded.etag, last_modified = excluded.last_modified,
                target = excluded.target, canonical = excluded.canonical,
                canonical_fault = excluded.canonical_fault, noindex = excluded.noindex,
                nofollow = excluded.nofollow, version = excluded.version, rendered = excluded.rendered,
                scripts = excluded.scripts, template = excluded.template",
        )?
        .execute(named_params! {
            ":basis": writer.writer_state.recrawl.basis(is_rendered),
            ":run": writer.writer_state.run,
            ":seq": seq,
            ":rendered": was_to_be,
        })?;
    Ok(())
}
