//! Visits: one row for each request, or for the decision not to make it.

use crate::error::StoreError;
use crate::write::writer::Writer;
use crate::write::{memory, sitemap_alternates, templates, version};
use mapwright_model::{
    CanonicalGiven, ListingContent, Outcome, PageContent, Purpose, ReadEntry, Refusal, Rendering, Reused, SitemapFault,
    UrlId, Visit,
};
use mapwright_web::media::MediaKind;
use mapwright_web::robots::RuleLine;
use rusqlite::{named_params, params};

/// Stores a visit of the URL with number `url`, and updates the state for later runs.
pub(crate) fn note(writer: &mut Writer<'_>, visit: &Visit, url: UrlId) -> Result<(), StoreError> {
    let seq = writer.next_visit();
    match visit.reused() {
        Some(reused) => carry_over(writer, visit, url, seq, reused)?,
        None => write(writer, visit, url, seq)?,
    }
    if visit.outcome == Outcome::Redirect && visit.task.purpose == Purpose::Page {
        writer.writer_state.cookie_walls.note(url, seq);
    }
    if visit.answered_well() && visit.task.route.seed {
        writer.transaction.execute("UPDATE run SET answered = 1 WHERE id = ?", [writer.writer_state.run])?;
    }
    memory::note(writer, visit, url, seq)
}

/// Stores a visit whose response is that of an earlier run.
fn carry_over(writer: &Writer<'_>, visit: &Visit, url: UrlId, seq: u64, reused: Reused) -> Result<(), StoreError> {
    let binding = visit.binding();
    writer
        .transaction
        .prepare_cached(
            "INSERT INTO visit
             SELECT :run, :seq, url, :purpose, :attempt, 1, :at, outcome, status, NULL, NULL, NULL, NULL, NULL,
                    :first_byte, :total, :wire, body_bytes, 0, media, media_kind, sniffed, coalesce(:etag, etag),
                    coalesce(:modified, last_modified), target, canonical, canonical_fault, :noindex, :nofollow,
                    version, :reused, scripts, template
             FROM memory WHERE url = :url",
        )?
        .execute(named_params! {
            ":run": writer.writer_state.run,
            ":seq": seq,
            ":url": url.0,
            ":purpose": visit.task.purpose.code(),
            ":attempt": visit.task.tries.attempt,
            ":at": visit.at.as_millisecond(),
            ":first_byte": visit.response.first_byte.map(|time| time.as_millis() as i64),
            ":total": visit.response.total.map(|time| time.as_millis() as i64),
            ":wire": visit.response.wire_bytes,
            ":etag": visit.response.fingerprint.etag,
            ":modified": visit.response.fingerprint.last_modified,
            ":noindex": binding.noindex || binding.expired,
            ":nofollow": binding.nofollow,
            ":reused": match reused {
                Reused::Revalidated => 1,
                Reused::NotRequested => 2,
            },
        })?;
    Ok(())
}

fn write(writer: &mut Writer<'_>, visit: &Visit, url: UrlId, seq: u64) -> Result<(), StoreError> {
    let (response, binding) = (&visit.response, visit.binding());
    let target = response.target.as_ref().map(|target| writer.target(target)).transpose()?;
    let (canonical, canonical_fault) = canonical(writer, visit)?;
    let version = version::of(writer, visit, url)?;
    let (robots_status, rule) = robots_refusal(visit);
    let media = response.media.as_ref();
    let choice = visit.page().and_then(|page| page.choice.as_ref());
    writer
        .transaction
        .prepare_cached(
            "INSERT INTO visit (run, seq, url, purpose, attempt, last, at, outcome, status, failure, detail,
                                robots_status, robots_line, robots_rule, first_byte_ms, total_ms, wire_bytes,
                                body_bytes, cut, media, media_kind, sniffed, etag, last_modified, target, canonical,
                                canonical_fault, noindex, nofollow, version, reused, scripts, template)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?)",
        )?
        .execute(params![
            writer.writer_state.run,
            seq,
            url.0,
            visit.task.purpose.code(),
            visit.task.tries.attempt,
            !visit.will_retry,
            visit.at.as_millisecond(),
            visit.outcome.code(),
            response.status,
            response.failure.map(|kind| kind.as_str()),
            response.detail,
            robots_status,
            rule.map(|line| line.number),
            rule.map(|line| line.text.as_str()),
            response.first_byte.map(|time| time.as_millis() as i64),
            response.total.map(|time| time.as_millis() as i64),
            response.wire_bytes,
            response.body_bytes,
            what_is_cut(visit),
            media.and_then(|media| media.declared.as_deref()),
            media.map(|media| kind_name(media.kind)),
            media.and_then(|media| media.sniffed).map(kind_name),
            response.fingerprint.etag,
            response.fingerprint.last_modified,
            target,
            canonical,
            canonical_fault,
            binding.noindex || binding.expired,
            binding.nofollow,
            version,
            choice.map(|choice| choice.reason.code()),
            choice.and_then(|choice| choice.template).map(|template| template.0.cast_signed()),
        ])?;
    if let Some(page) = visit.page() {
        note_scripts(writer, page, url)?;
    }
    match visit.listing() {
        Some(listing) => store_listing(writer, listing, url),
        None => Ok(()),
    }
}

/// Returns the status of a robots.txt, or the line of it, that kept a page from being requested.
fn robots_refusal(visit: &Visit) -> (Option<u16>, Option<&RuleLine>) {
    match &visit.refusal {
        Some(Refusal::RobotsStatus(status)) => (Some(*status), None),
        Some(Refusal::Rule(line)) => (None, line.as_ref()),
        Some(Refusal::RobotsSilent(_)) | None => (None, None),
    }
}

/// Stores the rendering of a page, and what it taught about its template.
fn note_scripts(writer: &mut Writer<'_>, page: &PageContent, url: UrlId) -> Result<(), StoreError> {
    if let Some(template) = page.choice.as_ref().and_then(|choice| choice.learnt.as_deref()) {
        templates::note(writer, template)?;
    }
    match page.rendering.as_deref() {
        Some(rendering) => store_rendering(writer, page, rendering, url),
        None => Ok(()),
    }
}

/// The number of the canonical that a page declares, or the fault of its declaration.
fn canonical(writer: &mut Writer<'_>, visit: &Visit) -> Result<(Option<u32>, Option<&'static str>), StoreError> {
    Ok(match visit.page().map(|page| &page.canonical) {
        None | Some(CanonicalGiven::None) => (None, None),
        Some(CanonicalGiven::One(target)) => (Some(writer.target(target)?), None),
        Some(CanonicalGiven::Conflict) => (None, Some("conflict")),
        Some(CanonicalGiven::Unusable) => (None, Some("unusable")),
    })
}

/// The bit of `visit.cut` for a page whose body was cut off.
pub(crate) const BODY_CUT: u8 = 1;
/// The bit of `visit.cut` for a page with links that were left out.
const LINKS_CUT: u8 = 2;

fn what_is_cut(visit: &Visit) -> u8 {
    let links_cut = visit.page().is_some_and(|page| page.facts.links_cut);
    [(visit.response.cut, BODY_CUT), (links_cut, LINKS_CUT)].iter().filter(|(cut, _)| *cut).map(|(_, bit)| bit).sum()
}

/// Stores what a rendering took, and what went wrong meanwhile. A page that is visited again is rendered again.
fn store_rendering(
    writer: &mut Writer<'_>,
    page: &PageContent,
    rendering: &Rendering,
    url: UrlId,
) -> Result<(), StoreError> {
    let links = page.links_by_script.iter().map(|target| writer.target(target)).collect::<Result<Vec<_>, _>>()?;
    let json = |error: serde_json::Error| StoreError::Packing(error.into());
    let (details, links) =
        (serde_json::to_string(rendering).map_err(json)?, serde_json::to_string(&links).map_err(json)?);
    let ms = i64::try_from(rendering.took.as_millis()).unwrap_or(i64::MAX);
    let is_cut = rendering.cut || rendering.failure.is_some();
    writer
        .transaction
        .prepare_cached(
            "INSERT OR REPLACE INTO rendering (run, url, ms, requests, bytes, cut, details, links)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        )?
        .execute((writer.writer_state.run, url.0, ms, rendering.requests, rendering.bytes, is_cut, details, links))?;
    Ok(())
}

fn store_listing(writer: &mut Writer<'_>, listing: &ListingContent, file: UrlId) -> Result<(), StoreError> {
    entries(writer, &listing.entries, file)?;
    faults(writer, &listing.faults, file)
}

fn faults(writer: &Writer<'_>, faults: &[SitemapFault], file: UrlId) -> Result<(), StoreError> {
    for fault in faults {
        writer
            .transaction
            .prepare_cached(
                "INSERT INTO fault (run, file, rule, line, what, count) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            )?
            .execute((writer.writer_state.run, file.0, fault.rule, fault.line, &fault.what, fault.count))?;
    }
    Ok(())
}

fn entries(writer: &mut Writer<'_>, entries: &[ReadEntry], file: UrlId) -> Result<(), StoreError> {
    for (pos, entry) in entries.iter().enumerate() {
        let url = writer.target(&entry.target)?;
        let alternates = sitemap_alternates::packed(writer, &entry.alternates)?;
        writer
            .transaction
            .prepare_cached(
                "INSERT INTO entry (run, file, pos, url, lastmod, alternates) VALUES (?, ?, ?, ?, ?, ?)
                 ON CONFLICT DO NOTHING",
            )?
            .execute((writer.writer_state.run, file.0, pos, url, entry.lastmod.as_deref(), alternates))?;
    }
    Ok(())
}

/// The name of a kind of document.
pub(crate) fn kind_name(kind: MediaKind) -> &'static str {
    match kind {
        MediaKind::Html => "html",
        MediaKind::Xhtml => "xhtml",
        MediaKind::Pdf => "pdf",
        MediaKind::Xml => "xml",
        MediaKind::Feed => "feed",
        MediaKind::Text => "text",
        MediaKind::Image => "image",
        MediaKind::Other => "other",
    }
}
