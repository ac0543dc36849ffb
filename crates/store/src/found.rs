//! Discoveries: noted once, and queued where they may be fetched.

use crate::commit::Batch;
use crate::error::StoreError;
use mapwright_frontier::{Discovery, Known, LISTED_DEPTH, Lane, Purpose, Standing, Task, Unfetched, UrlId, Via};

/// Notes one discovery, and queues it if it is to be fetched and was not queued before.
pub(crate) fn note(batch: &mut Batch<'_>, found: &Discovery, parent: Option<UrlId>) -> Result<(), StoreError> {
    let known = batch.known(found.key, &found.url)?;
    if found.back {
        return ask_again(batch, found, known);
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
            if known.standing <= Standing::Heard {
                write(batch, found, known, parent)?;
            } else if matches!(why, Unfetched::ParameterVariant | Unfetched::Sampled) {
                refuse_late(batch, known, why)?;
            }
            batch.raise(found.key, known, if why.is_final() { Standing::Decided } else { Standing::Heard });
            Ok(())
        }
        None => admit(batch, found, known, parent),
    }
}

/// Queues a page once more that redirected, and whose redirects came back to it: that answer was not its last.
fn ask_again(batch: &mut Batch<'_>, found: &Discovery, known: Known) -> Result<(), StoreError> {
    let Some(visit) = batch.ledger.gated.take(known.id) else { return Ok(()) };
    batch
        .transaction
        .prepare_cached("UPDATE visit SET last = 0 WHERE run = ? AND seq = ?")?
        .execute((batch.ledger.run, visit))?;
    let task = Task { to_itself: true, ..task(batch, found, known) };
    batch.enqueue(task)
}

/// Queues a page that was refused as a variant and is none: how it was found stands.
fn reopen(batch: &mut Batch<'_>, found: &Discovery, known: Known) -> Result<(), StoreError> {
    let refused = Unfetched::ParameterVariant.code();
    let reopened = batch
        .transaction
        .prepare_cached("UPDATE found SET refused = NULL WHERE run = ? AND url = ? AND refused = ?")?
        .execute((batch.ledger.run, known.id.0, refused))?;
    if reopened == 0 {
        return Ok(());
    }
    let task = task(batch, found, known);
    batch.enqueue(task)
}

/// Notes why a page is not requested that was queued before enough was known of its pattern; how it was found stands.
fn refuse_late(batch: &mut Batch<'_>, known: Known, why: Unfetched) -> Result<(), StoreError> {
    batch
        .transaction
        .prepare_cached("UPDATE found SET refused = ? WHERE run = ? AND url = ? AND refused IS NULL")?
        .execute((why.code(), batch.ledger.run, known.id.0))?;
    Ok(())
}

/// Queues a check, once. Another site's URL stays out of scope; of a name that cannot exist nothing is noted.
fn check(batch: &mut Batch<'_>, found: &Discovery, known: Known, parent: Option<UrlId>) -> Result<(), StoreError> {
    if known.standing == Standing::Decided {
        return Ok(());
    }
    if found.refused.is_some() {
        write(batch, found, known, parent)?;
    }
    batch.raise(found.key, known, Standing::Decided);
    let task = task(batch, found, known);
    batch.enqueue(task)
}

fn admit(batch: &mut Batch<'_>, found: &Discovery, known: Known, parent: Option<UrlId>) -> Result<(), StoreError> {
    let waits = lane(batch, found) == Lane::Listed && batch.ledger.order_matters;
    let standing = if waits { Standing::Listed } else { Standing::Decided };
    if known.standing >= standing {
        return Ok(());
    }
    if known.standing <= Standing::Heard {
        write(batch, found, known, parent)?;
    }
    batch.raise(found.key, known, standing);
    let mut task = task(batch, found, known);
    if known.standing == Standing::Listed {
        // What a sitemap lists is one link away, however far the link is that brings it forward.
        task.depth = task.depth.min(LISTED_DEPTH);
    }
    batch.enqueue(task)
}

fn write(batch: &mut Batch<'_>, found: &Discovery, known: Known, parent: Option<UrlId>) -> Result<(), StoreError> {
    batch
        .transaction
        .prepare_cached(
            "INSERT INTO found (run, url, via, parent, depth, refused) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
             ON CONFLICT (run, url) DO UPDATE SET via = excluded.via, parent = excluded.parent,
                 depth = excluded.depth, refused = excluded.refused
             WHERE found.refused IS NOT NULL AND (excluded.refused IS NULL OR excluded.refused < found.refused)",
        )?
        .execute((
            batch.ledger.run,
            known.id.0,
            found.via.code(),
            parent.map(|id| id.0),
            found.depth,
            found.refused.map(|why| why.code()),
        ))?;
    Ok(())
}

fn task(batch: &Batch<'_>, found: &Discovery, known: Known) -> Task {
    Task {
        depth: found.depth,
        hops: found.hops,
        level: found.level,
        seed: found.seed,
        invited: found.invited,
        generation: found.generation,
        ..Task::new(0, known.id, found.url.clone(), found.purpose, lane(batch, found))
    }
}

fn lane(batch: &Batch<'_>, found: &Discovery) -> Lane {
    match (found.purpose, found.via) {
        (Purpose::Robots | Purpose::Sitemap | Purpose::Feed, _) => Lane::Prerequisite,
        (Purpose::Page, Via::Start | Via::Redirect | Via::Refresh | Via::ParameterTest) => Lane::Redirect,
        (Purpose::Page, Via::Sitemap | Via::Feed) => batch.ledger.listed_lane,
        (Purpose::Page, _) => Lane::Link,
        (Purpose::Probe | Purpose::External, _) => Lane::Check,
    }
}
