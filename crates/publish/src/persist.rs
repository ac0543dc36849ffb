//! Makes written parts visible.

use crate::directory::Directory;
use crate::error::PublishError;
use crate::naming::{Naming, style_of};
use crate::options::PublishOptions;
use crate::published_set::PublishedSet;
use mapwright_sitemap::{ENTRY_POINT, IndexEntry, Part, SeriesOptions, write_indexes};
use mapwright_store::{PartRow, Record};

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
