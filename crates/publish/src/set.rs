//! Publishes a complete set: parts, index, and the removal of the previous set.

use crate::directory::Directory;
use crate::entries::entry;
use crate::error::PublishError;
use crate::existing_set;
use crate::expired_parts::remove_expired;
use crate::naming::Naming;
use crate::options::PublishOptions;
use crate::part_plan::{Capacity, PlannedPart, Range, RangeCounter};
use crate::persist::{Staged, persist_set, still_there};
use crate::published_set::PublishedSet;
use mapwright_sitemap::{Series, SeriesOptions, SinglePartName};
use mapwright_store::{Listed, PartRow, Record};
use mapwright_web::origin_of as origin;
use std::collections::BTreeSet;
use std::slice;

/// Publishes the listed URLs of the record's newest run into `directory`, and stores in the record what was published.
///
/// # Errors
/// When a file cannot be written; the complete old set is then still in place.
pub fn publish(
    record: &mut Record,
    plan: &PublishOptions,
    directory: &Directory,
) -> Result<PublishedSet, PublishError> {
    let known = still_there(record.parts()?, directory);
    let entry_points = existing_set::entry_points(record, directory)?;
    let before = ours(record, plan, directory, entry_points)?;
    // A killed publication may have made these visible: they are reused if their bytes are the same, and removed
    // otherwise.
    let mut announced = still_there(record.announced()?, directory);
    announced.retain(|part| known.iter().all(|other| other.name != part.name));
    let nameable = [announced.as_slice(), known.as_slice()].concat();
    let mut naming = Naming::new(&nameable, &before, record.last_serial()?, plan.now.to_string());
    let mut published = PublishedSet::default();
    let staged = write_parts(record, plan, directory, &known, &mut published)?;
    let rows = match (staged.as_slice(), plan.series.single_name()) {
        ([one], Some(name)) if one.part.name == name => {
            directory.reveal_changed(name, name).map_err(PublishError::file(directory.file(name)))?;
            published.entry_point = name.to_owned();
            Vec::new()
        }
        _ => persist_set(record, plan, directory, &staged, &announced, &mut naming, &mut published)?,
    };
    directory.sync().map_err(PublishError::file(directory.path()))?;
    published.parts = rows.iter().map(|row| row.name.clone()).collect();
    let rows = remove_expired(directory, plan, rows, &nameable, &before, &published)?;
    let entry_points = [slice::from_ref(&published.entry_point), &published.further_indexes].concat();
    record.set_parts(&rows, &entry_points, naming.last_serial())?;
    Ok(published)
}

/// The files of the previous set that mapwright may remove: the entry points that the record lists, and the files
/// listed by them under names of mapwright's pattern, if the record knows them or they have mapwright's form. Every
/// other file, in the directory or in an earlier sitemap, belongs to another user.
fn ours(
    record: &Record,
    plan: &PublishOptions,
    directory: &Directory,
    mut entry_points: Vec<String>,
) -> Result<BTreeSet<String>, PublishError> {
    let noted = record.entry_points()?;
    entry_points.retain(|name| noted.contains(name) || existing_set::is_ours(directory, name));
    let parts: BTreeSet<String> = record.parts()?.into_iter().map(|part| part.name).collect();
    let mut files = existing_set::read(directory, &entry_points).files;
    files.retain(|name| existing_set::is_part_of(&plan.series.name, name));
    files.retain(|name| parts.contains(name) || existing_set::is_ours(directory, name));
    files.extend(noted.into_iter().filter(|name| directory.folder().is_file(name)));
    Ok(files)
}

/// Streams the listed URLs into parts under temporary names, one series for each origin if so planned. The URLs are
/// read twice: to find the range of each, and to write the parts.
fn write_parts(
    record: &Record,
    plan: &PublishOptions,
    directory: &Directory,
    known: &[PartRow],
    published: &mut PublishedSet,
) -> Result<Vec<Staged>, PublishError> {
    let planned = plan_parts(record, plan, known, published)?;
    let by_host = planned.by_host;
    let mut planned = planned.series.into_iter();
    let mut staged = Vec::new();
    let mut current: Option<(String, Writing<'_>)> = None;
    plan.listed(record, |listed| {
        let origin = if by_host { origin(&listed.url) } else { "" };
        if current.as_ref().is_none_or(|(open, _)| open != origin) {
            let (options, planned_parts) = planned.next().unwrap_or_else(|| (plan.series.clone(), Vec::new()));
            let next = Writing::begin(options, planned_parts, directory)?;
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

/// The series and parts to be written.
struct Planned {
    /// Each series holds one host.
    by_host: bool,
    /// The series, each with its parts, in the order of their URLs.
    series: Vec<(SeriesOptions, Vec<PlannedPart>)>,
}

/// Reads the listed URLs, and decides the series and their parts.
fn plan_parts(
    record: &Record,
    plan: &PublishOptions,
    known: &[PartRow],
    published: &mut PublishedSet,
) -> Result<Planned, PublishError> {
    let begin = |options: SeriesOptions| {
        let counter = RangeCounter::new(capacity(&options), ranges(known, &options.name));
        (options, counter)
    };
    let mut combined =
        begin(SeriesOptions { alone: SinglePartName::EntryPoint, first_serial: 1, ..plan.series.clone() });
    let mut hosts: Vec<(SeriesOptions, RangeCounter)> = Vec::new();
    let mut labels = BTreeSet::new();
    plan.listed(record, |listed| {
        let host = origin(&listed.url);
        if published.origins.last().is_none_or(|last| last != host) {
            published.origins.push(host.to_owned());
            hosts.push(begin(of_host(plan, host, &mut labels)));
        }
        if let Some(host) = hosts.last_mut()
            && let Ok(bytes) = plan.series.bytes_of(&entry(&listed, plan.extras))
        {
            host.1.count(&listed.url, bytes);
            combined.1.count(&listed.url, bytes);
        }
        Ok::<(), PublishError>(())
    })?;
    let by_host = plan.by_host || hosts.len() > 1;
    let series = if by_host { hosts } else { vec![combined] };
    let planned_parts = |(options, counter): (SeriesOptions, RangeCounter)| {
        let planned_parts = counter.planned_parts(options.single_name().is_some());
        (options, planned_parts)
    };
    Ok(Planned { by_host, series: series.into_iter().map(planned_parts).collect() })
}

/// The series of one host.
fn of_host(plan: &PublishOptions, origin: &str, labels: &mut BTreeSet<String>) -> SeriesOptions {
    let name = format!("{}-{}", plan.series.name, label(origin, labels));
    SeriesOptions { name, alone: SinglePartName::Part, first_serial: 1, ..plan.series.clone() }
}

fn capacity(options: &SeriesOptions) -> Capacity {
    Capacity { urls: options.limits.urls as u64, bytes: options.room() }
}

/// The ranges of a series as they were published last.
fn ranges(known: &[PartRow], series: &str) -> Vec<Range> {
    let live = known.iter().filter(|part| part.live && part.series == series);
    live.map(|part| Range { bound: part.bound.clone(), last: part.last.clone(), urls: part.urls }).collect()
}

/// One series during writing.
struct Writing<'d> {
    series: Series<&'d Directory>,
    options: SeriesOptions,
    planned_parts: std::vec::IntoIter<PlannedPart>,
    /// The bounds of the parts so far, and that of the part to be opened next.
    bounds: Vec<Option<String>>,
    next_bound: Option<String>,
    /// The number of entries that the current part still takes.
    left: u64,
}

impl<'d> Writing<'d> {
    fn begin(
        options: SeriesOptions,
        planned_parts: Vec<PlannedPart>,
        directory: &'d Directory,
    ) -> Result<Self, PublishError> {
        let series = Series::new(options.clone(), directory)?;
        Ok(Self {
            series,
            options,
            planned_parts: planned_parts.into_iter(),
            bounds: Vec::new(),
            next_bound: None,
            left: 0,
        })
    }

    fn push(
        &mut self,
        listed: &Listed,
        plan: &PublishOptions,
        published: &mut PublishedSet,
    ) -> Result<(), PublishError> {
        let entry = entry(listed, plan.extras);
        if self.left == 0 && self.options.bytes_of(&entry).is_ok() {
            self.series.cut();
            let next = self.planned_parts.next().unwrap_or_default();
            self.left = next.urls.max(1);
            self.next_bound = next.bound;
        }
        match self.series.push(&entry) {
            Ok(pushed) => {
                published.urls += 1;
                if pushed.opened {
                    self.bounds.push(self.next_bound.take());
                }
                self.left = self.left.saturating_sub(1);
            }
            Err(error) if error.is_entry() => published.refused.push(listed.url.clone()),
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }

    fn end(self, staged: &mut Vec<Staged>) -> Result<(), PublishError> {
        let options = self.options;
        let parts = self.series.finish_parts()?;
        let bounds = self.bounds.into_iter().chain(std::iter::repeat(None));
        staged.extend(parts.into_iter().zip(bounds).map(|(part, bound)| Staged {
            bound: bound.unwrap_or_else(|| part.first_loc.clone()),
            part,
            options: options.clone(),
        }));
        Ok(())
    }
}

/// A file-safe label of an origin: its host, with the port if it is not the default of the scheme, and with the scheme
/// if another origin already has this label.
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
