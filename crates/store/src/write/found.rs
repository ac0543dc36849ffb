//! Stores each discovery once, and queues it if it may be fetched.

use crate::error::StoreError;
use crate::write::commit::BatchWriter;
use mapwright_frontier::{DiscoveryState, Known};
use mapwright_model::{Discovery, LISTED_DEPTH, Lane, Purpose, Task, Unfetched, UrlId, Via};

/// Stores one discovery, and queues it if it may be fetched and was not queued before.
pub(crate) fn note(batch: &mut BatchWriter<'_>, found: &Discovery, parent: Option<UrlId>) -> Result<(), StoreError> {
    let known = batch.known(found.key, &found.url)?;
    if found.after_cookie_wall {
        return retry_after_cookie_wall(batch, found, known);
    }
    if found.reopened && found.refused.is_none() {
        return reopen(batch, found, known);
    }
    if found.purpose.is_prerequisite() {
        write(batch, found, known, parent)?;
        let task = task(batch, found, known);
        return batch.enqueue(task);
    }
    if found.purpose.is_check() {
        return check(batch, found, known, parent);
    }
    match found.refused {
        Some(why) => {
            if known.discovery_state <= DiscoveryState::Mentioned {
                write(batch, found, known, parent)?;
            } else if matches!(why, Unfetched::ParameterVariant | Unfetched::Sampled) {
                refuse_late(batch, known, why)?;
            }
            batch.raise(
                found.key,
                known,
                if why.is_final() { DiscoveryState::Decided } else { DiscoveryState::Mentioned },
            );
            Ok(())
        }
        None => admit(batch, found, known, parent),
    }
}

/// Queues a page again whose redirects led back to it (a cookie wall); its redirect is then not its last response.
fn retry_after_cookie_wall(batch: &mut BatchWriter<'_>, found: &Discovery, known: Known) -> Result<(), StoreError> {
    let Some(visit) = batch.writer_state.cookie_walls.take(known.id) else { return Ok(()) };
    batch
        .transaction
        .prepare_cached("UPDATE visit SET last = 0 WHERE run = ? AND seq = ?")?
        .execute((batch.writer_state.run, visit))?;
    let task = Task { to_itself: true, ..task(batch, found, known) };
    batch.enqueue(task)
}

/// Queues a page that was refused as a variant and is a page of its own. Its discovery stays as stored.
fn reopen(batch: &mut BatchWriter<'_>, found: &Discovery, known: Known) -> Result<(), StoreError> {
    let refused = Unfetched::ParameterVariant.code();
    let reopened = batch
        .transaction
        .prepare_cached("UPDATE found SET refused = NULL WHERE run = ? AND url = ? AND refused = ?")?
        .execute((batch.writer_state.run, known.id.0, refused))?;
    if reopened == 0 {
        return Ok(());
    }
    let task = task(batch, found, known);
    batch.enqueue(task)
}

/// Stores why a page is not requested that was queued before enough was known about its pattern. Its discovery stays as
/// stored.
fn refuse_late(batch: &mut BatchWriter<'_>, known: Known, why: Unfetched) -> Result<(), StoreError> {
    batch
        .transaction
        .prepare_cached("UPDATE found SET refused = ? WHERE run = ? AND url = ? AND refused IS NULL")?
        .execute((why.code(), batch.writer_state.run, known.id.0))?;
    Ok(())
}

/// Queues a check once. A URL of another site is stored as out of scope; a name that cannot exist is not stored.
fn check(
    batch: &mut BatchWriter<'_>,
    found: &Discovery,
    known: Known,
    parent: Option<UrlId>,
) -> Result<(), StoreError> {
    if known.discovery_state == DiscoveryState::Decided {
        return Ok(());
    }
    if found.refused.is_some() {
        write(batch, found, known, parent)?;
    }
    batch.raise(found.key, known, DiscoveryState::Decided);
    let task = task(batch, found, known);
    batch.enqueue(task)
}

fn admit(
    batch: &mut BatchWriter<'_>,
    found: &Discovery,
    known: Known,
    parent: Option<UrlId>,
) -> Result<(), StoreError> {
    let waits = lane(batch, found) == Lane::Listed && batch.writer_state.order_matters;
    let discovery_state = if waits { DiscoveryState::Listed } else { DiscoveryState::Decided };
    if known.discovery_state >= discovery_state {
        return Ok(());
    }
    if known.discovery_state <= DiscoveryState::Mentioned {
        write(batch, found, known, parent)?;
    }
    batch.raise(found.key, known, discovery_state);
    let mut task = task(batch, found, known);
    if known.discovery_state == DiscoveryState::Listed {
        // A URL in a sitemap has depth 1 at most, even if the link that advances it is deeper.
        task.depth = task.depth.min(LISTED_DEPTH);
    }
    batch.enqueue(task)
}

fn write(
    batch: &mut BatchWriter<'_>,
    found: &Discovery,
    known: Known,
    parent: Option<UrlId>,
) -> Result<(), StoreError> {
    batch
        .transaction
        .prepare_cached(
            "INSERT INTO found (run, url, via, parent, depth, refused) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
             ON CONFLICT (run, url) DO UPDATE SET via = excluded.via, parent = excluded.parent,
                 depth = excluded.depth, refused = excluded.refused
             WHERE found.refused IS NOT NULL AND (excluded.refused IS NULL OR excluded.refused < found.refused)",
        )?
        .execute((
            batch.writer_state.run,
            known.id.0,
            found.via.code(),
            parent.map(|id| id.0),
            found.depth,
            found.refused.map(|why| why.code()),
        ))?;
    Ok(())
}

fn task(batch: &BatchWriter<'_>, found: &Discovery, known: Known) -> Task {
    Task {
        depth: found.depth,
        hops: found.hops,
        level: found.level,
        seed: found.seed,
        named_by_robots: found.named_by_robots,
        generation: found.generation,
        ..Task::new(0, known.id, found.url.clone(), found.purpose, lane(batch, found))
    }
}

fn lane(batch: &BatchWriter<'_>, found: &Discovery) -> Lane {
    match (found.purpose, found.via) {
        (Purpose::Robots | Purpose::Sitemap | Purpose::Feed, _) => Lane::Prerequisite,
        (Purpose::Page, Via::Start | Via::Redirect | Via::Refresh | Via::ParameterTest) => Lane::Redirect,
        (Purpose::Page, Via::Sitemap | Via::Feed) => batch.writer_state.listed_lane,
        (Purpose::Page, _) => Lane::Link,
        (Purpose::Probe | Purpose::External, _) => Lane::Check,
    }
}
