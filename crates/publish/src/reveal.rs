//! Making written parts visible, and removing those that left the set.

use crate::directory::Directory;
use crate::error::PublishError;
use crate::naming::{Naming, style_of};
use crate::set::{Plan, Published};
use mapwright_sitemap::{ENTRY_POINT, IndexEntry, Part, SeriesOptions, write_indexes};
use mapwright_store::{PartRow, Record};
use std::collections::BTreeSet;

/// A part that was written and not named yet.
#[derive(Debug)]
pub(crate) struct Staged {
    pub(crate) part: Part,
    /// The first key of its range.
    pub(crate) bound: String,
    pub(crate) options: SeriesOptions,
}

/// Parts of the record whose files have not been removed behind our back.
pub(crate) fn still_there(parts: Vec<PartRow>, directory: &Directory) -> Vec<PartRow> {
    parts.into_iter().filter(|part| directory.file(&part.name).is_file()).collect()
}

/// Makes a set of several parts visible: the parts, then the further indexes, then the entry point. What publications
/// that were killed had announced `earlier` stays announced until one comes to its end.
pub(crate) fn reveal_set(
    record: &mut Record,
    plan: &Plan,
    directory: &Directory,
    staged: &[Staged],
    earlier: &[PartRow],
    naming: &mut Naming<'_>,
    published: &mut Published,
) -> Result<Vec<PartRow>, PublishError> {
    let mut rows = Vec::with_capacity(staged.len());
    for Staged { part, bound, options } in staged {
        let style = style_of(&part.name).unwrap_or_default();
        let free = |name: &String| !directory.file(name).exists();
        let row = naming.name(part, style, |serial| Some(options.part_name(serial)).filter(free));
        let row = PartRow { series: options.name.clone(), bound: bound.clone(), ..row };
        rows.push((part.name.clone(), row));
    }
    let listed = rows.iter().map(|(_, row)| IndexEntry { name: row.name.clone(), lastmod: row.lastmod.parse().ok() });
    let mut destination = directory;
    let indexes = write_indexes(&mut destination, &plan.series.base, &plan.series.limits, listed)?;
    let about: Vec<PartRow> = rows.iter().map(|(_, row)| row).chain(earlier).cloned().collect();
    record.announce(&about)?;
    for (temporary, row) in &rows {
        if directory.file(&row.name).is_file() {
            directory.discard(temporary).map_err(PublishError::file(directory.path()))?;
        } else {
            published.changed += 1;
            directory.reveal(temporary, &row.name).map_err(PublishError::file(directory.file(&row.name)))?;
        }
    }
    directory.sync().map_err(PublishError::file(directory.path()))?;
    for index in indexes.iter().rev() {
        directory.reveal(index, index).map_err(PublishError::file(directory.file(index)))?;
    }
    published.entry_point = ENTRY_POINT.to_owned();
    published.further_indexes = indexes.into_iter().skip(1).collect();
    Ok(rows.into_iter().map(|(_, row)| row).collect())
}

/// Parts that left the set stay until the next publication; those that left it with the one before go now.
pub(crate) fn retire(
    directory: &Directory,
    mut rows: Vec<PartRow>,
    known: &[PartRow],
    before: &BTreeSet<String>,
    published: &Published,
) -> Result<Vec<PartRow>, PublishError> {
    let current: BTreeSet<&str> =
        published.parts.iter().chain(&published.further_indexes).map(String::as_str).collect();
    let gone = known.iter().filter(|part| !current.contains(part.name.as_str()) && !before.contains(&part.name));
    for part in gone {
        directory.remove(&part.name).map_err(PublishError::file(directory.file(&part.name)))?;
    }
    let left = before.iter().filter(|name| !current.contains(name.as_str()));
    rows.extend(left.map(|name| match known.iter().find(|part| part.name == *name) {
        Some(part) => PartRow { live: false, ..part.clone() },
        None => PartRow { name: name.clone(), ..PartRow::default() },
    }));
    Ok(rows)
}
