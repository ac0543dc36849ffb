//! Makes written parts visible, and removes those that left the set.

use crate::directory::Directory;
use crate::error::PublishError;
use crate::naming::{Naming, style_of};
use crate::options::PublishOptions;
use crate::published_set::PublishedSet;
use mapwright_sitemap::{ENTRY_POINT, IndexEntry, Part, SeriesOptions, write_indexes};
use mapwright_store::{PartRow, Record};
use std::collections::BTreeSet;
use std::time::Duration;

/// A part that is written and not yet named.
#[derive(Debug)]
pub(crate) struct Staged {
    pub(crate) part: Part,
    /// The first key of its range.
    pub(crate) bound: String,
    pub(crate) options: SeriesOptions,
}

/// Parts of the record whose files still exist.
pub(crate) fn still_there(parts: Vec<PartRow>, directory: &Directory) -> Vec<PartRow> {
    parts.into_iter().filter(|part| directory.folder().is_file(&part.name)).collect()
}

/// Makes a set of several parts visible: the parts, then the further indexes, then the entry point. The parts that
/// killed publications announced `earlier` stay announced until a publication completes.
pub(crate) fn persist_set(
    record: &mut Record,
    plan: &PublishOptions,
    directory: &Directory,
    staged: &[Staged],
    earlier: &[PartRow],
    naming: &mut Naming<'_>,
    published: &mut PublishedSet,
) -> Result<Vec<PartRow>, PublishError> {
    let rows = named(directory, staged, naming);
    let lastmod = |row: &PartRow| row.lastmod.parse().ok().filter(|_| plan.extras.lastmod);
    let listed = rows.iter().map(|(_, row)| IndexEntry { name: row.name.clone(), lastmod: lastmod(row) });
    let mut destination = directory;
    let indexes = write_indexes(&mut destination, &plan.series.base, &plan.series.limits, listed)?;
    let further = indexes.iter().skip(1).map(|name| PartRow { name: name.clone(), live: true, ..PartRow::default() });
    let about: Vec<PartRow> = rows.iter().map(|(_, row)| row).chain(earlier).cloned().chain(further).collect();
    record.announce(&about)?;
    for (temporary, row) in &rows {
        if directory.folder().is_file(&row.name) {
            directory.discard(temporary).map_err(PublishError::file(directory.path()))?;
        } else {
            published.changed += 1;
            directory.persist(temporary, &row.name).map_err(PublishError::file(directory.file(&row.name)))?;
        }
    }
    directory.sync().map_err(PublishError::file(directory.path()))?;
    for index in indexes.iter().rev() {
        directory.reveal_changed(index, index).map_err(PublishError::file(directory.file(index)))?;
    }
    published.entry_point = ENTRY_POINT.to_owned();
    published.further_indexes = indexes.into_iter().skip(1).collect();
    Ok(rows.into_iter().map(|(_, row)| row).collect())
}

/// The parts under the names and dates that they are published with, each with its staged name.
fn named(directory: &Directory, staged: &[Staged], naming: &mut Naming<'_>) -> Vec<(String, PartRow)> {
    let mut rows = Vec::with_capacity(staged.len());
    for Staged { part, bound, options } in staged {
        let style = style_of(&part.name).unwrap_or_default();
        let free = |name: &String| directory.folder().is_free(name);
        let holds = |name: &str| directory.holds(&part.name, name);
        let row = naming.name(part, style, holds, |serial| Some(options.part_name(serial)).filter(free));
        let row = PartRow { series: options.name.clone(), bound: bound.clone(), ..row };
        rows.push((part.name.clone(), row));
    }
    rows
}

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
