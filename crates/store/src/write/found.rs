//! Stores each discovery once, and queues it if it may be fetched.

use crate::error::StoreError;
use crate::write::writer::Writer;
use mapwright_frontier::{DiscoveryState, Known};
use mapwright_model::{Discovery, LISTED_DEPTH, Lane, Purpose, Task, Unfetched, UrlId, Via};

/// Stores one discovery, and queues it if it may be fetched and was not queued before.
pub(crate) fn note(writer: &mut Writer<'_>, found: &Discovery, parent: Option<UrlId>) -> Result<(), StoreError> {
    let known = writer.known(found.key, &found.url)?;
    if found.after_cookie_wall {
        return retry_after_cookie_wall(writer, found, known);
    }
    if found.reopened && found.refused.is_none() {
        return reopen(writer, found, known);
    }
    if found.purpose.is_prerequisite() {
        write(writer, found, known, parent)?;
        let task = task(writer, found, known);
        return writer.enqueue(task);
    }
    if found.purpose.is_check() {
        return check(writer, found, known, parent);
    }
    match found.refused {
        Some(why) => {
            if known.discovery_state <= DiscoveryState::Mentioned {
                write(writer, found, known, parent)?;
            } else if matches!(why, Unfetched::ParameterVariant | Unfetched::Sampled) {
                refuse_late(writer, known, why)?;
            }
            writer.raise(
                found.key,
                known,
                if why.is_final() { DiscoveryState::Decided } else { DiscoveryState::Mentioned },
            );
            Ok(())
        }
        None => admit(writer, found, known, parent),
    }
}

/// Queues a page again whose redirects led back to it (a cookie wall); its redirect is then not its last response.
fn retry_after_cookie_wall(writer: &mut Writer<'_>, found: &Discovery, known: Known) -> Result<(), StoreError> {
    let Some(visit) = writer.writer_state.cookie_walls.take(known.id) else { return Ok(()) };
    writer
        .transaction
        .prepare_cached("UPDATE visit SET last = 0 WHERE run = ? AND seq = ?")?
        .execute((writer.writer_state.run, visit))?;
    let mut task = task(writer, found, known);
    task.tries.to_itself = true;
    writer.enqueue(task)
}

/// Queues a page that was refused as a variant and is a page of its own. Its discovery stays as stored.
fn reopen(writer: &mut Writer<'_>, found: &Discovery, known: Known) -> Result<(), StoreError> {
    let refused = Unfetched::ParameterVariant.code();
    let reopened = writer
        .transaction
        .prepare_cached("UPDATE found SET refused = NULL WHERE run = ? AND url = ? AND refused = ?")?
        .execute((writer.writer_state.run, known.id.0, refused))?;
    if reopened == 0 {
        return Ok(());
    }
    let task = task(writer, found, known);
    writer.enqueue(task)
}

/// Stores why a page is not requested that was queued before enough was known about its pattern. Its discovery stays as
/// stored.
fn refuse_late(writer: &mut Writer<'_>, known: Known, why: Unfetched) -> Result<(), StoreError> {
    writer
        .transaction
        .prepare_cached("UPDATE found SET refused = ? WHERE run = ? AND url = ? AND refused IS NULL")?
        .execute((why.code(), writer.writer_state.run, known.id.0))?;
    Ok(())
}

/// Queues a check once. A URL of another site is stored as out of scope; a name that cannot exist is not stored.
fn check(writer: &mut Writer<'_>, found: &Discovery, known: Known, parent: Option<UrlId>) -> Result<(), StoreError> {
    if known.discovery_state == DiscoveryState::Decided {
        return Ok(());
    }
    if found.refused.is_some() {
        write(writer, found, known, parent)?;
    }
    writer.raise(found.key, known, DiscoveryState::Decided);
    let task = task(writer, found, known);
    writer.enqueue(task)
}

fn admit(writer: &mut Writer<'_>, found: &Discovery, known: Known, parent: Option<UrlId>) -> Result<(), StoreError> {
    let waits = lane(writer, found) == Lane::Listed && writer.writer_state.order_matters;
    let discovery_state = if waits { DiscoveryState::Listed } else { DiscoveryState::Decided };
    if known.discovery_state >= discovery_state {
        return Ok(());
    }
    if known.discovery_state <= DiscoveryState::Mentioned {
        write(writer, found, known, parent)?;
    }
    writer.raise(found.key, known, discovery_state);
    let mut task = task(writer, found, known);
    if known.discovery_state == DiscoveryState::Listed {
        // A URL in a sitemap has depth 1 at most, even if the link that advances it is deeper.
        task.route.depth = task.route.depth.min(LISTED_DEPTH);
    }
    writer.enqueue(task)
}

fn write(writer: &mut Writer<'_>, found: &Discovery, known: Known, parent: Option<UrlId>) -> Result<(), StoreError> {
    writer
        .transaction
        .prepare_cached(
            "INSERT INTO found (run, url, via, parent, depth, refused) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
             ON CONFLICT (run, url) DO UPDATE SET via = excluded.via, parent = excluded.parent,
                 depth = excluded.depth, refused = excluded.refused
             WHERE found.refused IS NOT NULL AND (excluded.refused IS NULL OR excluded.refused < found.refused)",
        )?
        .execute((
            writer.writer_state.run,
            known.id.0,
            found.via.code(),
            parent.map(|id| id.0),
            found.route.depth,
            found.refused.map(|why| why.code()),
        ))?;
    Ok(())
}

fn task(writer: &Writer<'_>, found: &Discovery, known: Known) -> Task {
    Task { route: found.route, ..Task::new(0, known.id, found.url.clone(), found.purpose, lane(writer, found)) }
}

fn lane(writer: &Writer<'_>, found: &Discovery) -> Lane {
    match (found.purpose, found.via) {
        (Purpose::Robots | Purpose::Sitemap | Purpose::Feed, _) => Lane::Prerequisite,
        (Purpose::Page, Via::Start | Via::Redirect | Via::Refresh | Via::ParameterTest) => Lane::Redirect,
        (Purpose::Page, Via::Sitemap | Via::Feed) => writer.writer_state.listed_lane,
        (Purpose::Page, _) => Lane::Link,
        (Purpose::Probe | Purpose::External | Purpose::Resource, _) => Lane::Check,
    }
}
