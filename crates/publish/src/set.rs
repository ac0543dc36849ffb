//! A whole set: parts, index, and what becomes of the set before.

use crate::directory::Directory;
use crate::entries::{Extras, entry};
use crate::error::PublishError;
use crate::live;
use crate::naming::{Naming, style_of};
use jiff::Timestamp;
use mapwright_sitemap::{Alone, ENTRY_POINT, IndexEntry, Part, Series, SeriesOptions, write_indexes};
use mapwright_store::{Listed, PartRow, Record};
use std::collections::BTreeSet;

/// What is to be published, and how.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Limits, compression, form, base URL of the index.
    pub series: SeriesOptions,
    /// What entries carry.
    pub extras: Extras,
    /// One series for each host, gathered by one index (`--scope domain`).
    pub by_host: bool,
    /// The instant of this publication.
    pub now: Timestamp,
}

/// What was published.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Published {
    /// The file to name in robots.txt.
    pub entry_point: String,
    /// Further indexes.
    pub further_indexes: Vec<String>,
    /// Parts; empty where one file holds all.
    pub parts: Vec<String>,
    /// URLs in all.
    pub urls: u64,
    /// Parts that were written anew; the others stayed as they were.
    pub changed: usize,
    /// URLs that no file of the limits set can hold.
    pub refused: Vec<String>,
}

/// A part that was written and not named yet.
#[derive(Debug)]
struct Staged {
    part: Part,
    options: SeriesOptions,
}

/// Publishes the listed URLs of the record's newest run into `directory`, and notes in the record what was published.
///
/// # Errors
/// When anything cannot be written; the old set is then still in place and whole.
pub fn publish(record: &mut Record, plan: &Plan, directory: &Directory) -> Result<Published, PublishError> {
    let before = live::read(directory).files;
    let known = still_there(record.parts()?, directory);
    let mut naming = Naming::new(&known, &before, record.last_serial()?, plan.now.to_string());
    let mut published = Published::default();
    let staged = write_parts(record, plan, directory, &mut published)?;
    let rows = match (staged.as_slice(), plan.series.lone_name()) {
        ([one], Some(name)) if one.part.name == name => {
            directory.reveal(&one.part.name, name).map_err(PublishError::file(directory.file(name)))?;
            published.entry_point = name.to_owned();
            Vec::new()
        }
        _ => reveal_set(plan, directory, &staged, &mut naming, &mut published)?,
    };
    directory.sync().map_err(PublishError::file(directory.path()))?;
    published.parts = rows.iter().map(|row| row.name.clone()).collect();
    let rows = retire(directory, rows, &known, &before, &published)?;
    record.set_parts(&rows, naming.last_serial())?;
    Ok(published)
}

/// Parts of the record whose files have not been removed behind our back.
fn still_there(parts: Vec<PartRow>, directory: &Directory) -> Vec<PartRow> {
    parts.into_iter().filter(|part| directory.file(&part.name).is_file()).collect()
}

/// Streams the listed URLs into parts under temporary names, one series for each origin if so planned.
fn write_parts(
    record: &Record,
    plan: &Plan,
    directory: &Directory,
    published: &mut Published,
) -> Result<Vec<Staged>, PublishError> {
    let mut staged = Vec::new();
    let mut labels = BTreeSet::new();
    let mut current: Option<(String, Writing<'_>)> = None;
    record.listed(|listed| {
        let origin = if plan.by_host { origin(&listed.url) } else { "" };
        if current.as_ref().is_none_or(|(open, _)| open != origin) {
            let next = Writing::begin(plan, directory, label(origin, &mut labels))?;
            if let Some((_, done)) = current.replace((origin.to_owned(), next)) {
                done.end(&mut staged)?;
            }
        }
        let Some((_, writing)) = &mut current else { return Ok(()) };
        writing.push(&listed, plan, published)
    })?;
    if let Some((_, done)) = current {
        done.end(&mut staged)?;
    }
    Ok(staged)
}

/// One series while it is being written.
struct Writing<'d> {
    series: Series<&'d Directory>,
    options: SeriesOptions,
}

impl<'d> Writing<'d> {
    fn begin(plan: &Plan, directory: &'d Directory, label: String) -> Result<Self, PublishError> {
        let name = if plan.by_host { format!("{}-{label}", plan.series.name) } else { plan.series.name.clone() };
        let alone = if plan.by_host { Alone::Part } else { Alone::EntryPoint };
        let options = SeriesOptions { name, alone, first_serial: 1, ..plan.series.clone() };
        Ok(Self { series: Series::new(options.clone(), directory)?, options })
    }

    fn push(&mut self, listed: &Listed, plan: &Plan, published: &mut Published) -> Result<(), PublishError> {
        match self.series.push(&entry(listed, plan.extras)) {
            Ok(_) => published.urls += 1,
            Err(error) if error.is_entry() => published.refused.push(listed.url.clone()),
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }

    fn end(self, staged: &mut Vec<Staged>) -> Result<(), PublishError> {
        let options = self.options;
        let parts = self.series.finish_parts()?;
        staged.extend(parts.into_iter().map(|part| Staged { part, options: options.clone() }));
        Ok(())
    }
}

/// Makes a set of several parts visible: the parts, then the further indexes, then the entry point.
fn reveal_set(
    plan: &Plan,
    directory: &Directory,
    staged: &[Staged],
    naming: &mut Naming<'_>,
    published: &mut Published,
) -> Result<Vec<PartRow>, PublishError> {
    let mut rows = Vec::with_capacity(staged.len());
    for Staged { part, options } in staged {
        let style = style_of(&part.name).unwrap_or_default();
        let free = |name: &String| !directory.file(name).exists();
        let row = naming.name(part, style, |serial| Some(options.part_name(serial)).filter(free));
        rows.push((part.name.clone(), row));
    }
    let listed = rows.iter().map(|(_, row)| IndexEntry { name: row.name.clone(), lastmod: row.lastmod.parse().ok() });
    let mut destination = directory;
    let indexes = write_indexes(&mut destination, &plan.series.base, &plan.series.limits, listed)?;
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
fn retire(
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

/// Scheme, host and port of a URL, as they stand in it.
fn origin(url: &str) -> &str {
    let rest = url.find("://").map_or(0, |at| at + 3);
    let end = url.get(rest..).and_then(|rest| rest.find(['/', '?'])).map_or(url.len(), |at| rest + at);
    url.get(..end).unwrap_or(url)
}

/// A file-safe label of an origin: its host, with the port where it is not the scheme's own, and the scheme where
/// another origin has this label already.
fn label(origin: &str, taken: &mut BTreeSet<String>) -> String {
    let (scheme, authority) = origin.split_once("://").unwrap_or(("", origin));
    let plain = authority.replace(['[', ']'], "").replace(':', "-");
    let label = if taken.contains(&plain) { format!("{plain}-{scheme}") } else { plain };
    taken.insert(label.clone());
    label
}

#[cfg(test)]
mod tests {
    use super::{label, origin};
    use std::collections::BTreeSet;

    #[test]
    fn each_origin_has_a_label_of_its_own() {
        let mut taken = BTreeSet::new();
        let mut label = |url: &str| label(origin(url), &mut taken);
        assert_eq!(label("http://blog.site.example/x"), "blog.site.example");
        assert_eq!(label("http://blog.site.example:8080/x"), "blog.site.example-8080");
        assert_eq!(label("https://blog.site.example/x?a=/b"), "blog.site.example-https");
        assert_eq!(label("https://[::1]:8443/x"), "--1-8443");
    }
}
