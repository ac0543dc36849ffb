//! Removes the files that left the set once their grace period is over.

use crate::directory::Directory;
use crate::error::PublishError;
use crate::options::PublishOptions;
use crate::published_set::PublishedSet;
use mapwright_store::PartRow;
use std::collections::BTreeSet;
use std::time::Duration;

/// Keeps files that left the set, entry points of another kind included, for the grace period of `plan`, or without one
/// until the next publication, and removes those that are due.
pub(crate) fn remove_expired(
    directory: &Directory,
    plan: &PublishOptions,
    mut rows: Vec<PartRow>,
    known: &[PartRow],
    before: &BTreeSet<String>,
    published: &PublishedSet,
) -> Result<Vec<PartRow>, PublishError> {
    let current: BTreeSet<&str> = published.files().collect();
    let now = plan.now.as_millisecond();
    let unknown = before.iter().filter(|name| known.iter().all(|part| part.name != **name));
    let unknown = unknown.map(|name| PartRow { name: name.clone(), live: true, ..PartRow::default() });
    let left = known.iter().cloned().chain(unknown).filter(|part| !current.contains(part.name.as_str()));
    for part in left {
        let was_live = before.contains(&part.name);
        let part = PartRow { dropped: Some(dropped(&part, was_live, now)), live: false, ..part };
        let stays = match plan.grace {
            Some(grace) => part.dropped.is_some_and(|dropped| is_within(dropped, grace, now)),
            None => was_live,
        };
        if stays {
            rows.push(part);
        } else {
            directory.remove(&part.name).map_err(PublishError::file(directory.file(&part.name)))?;
        }
    }
    Ok(rows)
}

/// The time when a part left the set: now, if it is unknown or in the future because of a wrong clock.
fn dropped(part: &PartRow, was_live: bool, now: i64) -> i64 {
    let known_since = part.dropped.filter(|_| !part.live && !was_live);
    known_since.map_or(now, |dropped| dropped.min(now))
}

/// Returns true during the grace period of a file that was dropped at this time. Both instants in milliseconds.
fn is_within(dropped: i64, grace: Duration, now: i64) -> bool {
    u128::from(now.abs_diff(dropped)) < grace.as_millis()
}
