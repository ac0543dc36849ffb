//! The tables of jobs in a document, as sections or inline.

use super::written::{written, written_over};
use crate::definition::Definition;
use crate::file::SYNONYMS;
use crate::section::Section;
use toml_edit::{DocumentMut, InlineTable, Item, Table, TableLike, Value};

/// Returns the table of all jobs, which is made where there is none.
pub(super) fn jobs(document: &mut DocumentMut) -> Option<&mut dyn TableLike> {
    let make = || {
        let mut table = Table::new();
        table.set_implicit(true);
        Item::Table(table)
    };
    document.entry(Section::Job.name()).or_insert_with(make).as_table_like_mut()
}

/// Makes the table of a job, as a copy of another job's. `None` where that one is missing.
pub(super) fn make(jobs: &mut dyn TableLike, name: &str, copy_of: Option<&str>) -> Option<()> {
    let mut item = match copy_of {
        Some(source) => jobs.get(source)?.clone(),
        None => Item::Table(Table::new()),
    };
    place_at_end(&mut item);
    if let Item::Table(table) = &mut item {
        table.decor_mut().set_prefix("\n");
    }
    jobs.insert(name, item);
    Some(())
}

/// Forgets where tables stood, so that they are written behind those before them.
fn place_at_end(item: &mut Item) {
    let Item::Table(table) = item else { return };
    table.set_position(None);
    table.iter_mut().for_each(|(_, item)| place_at_end(item));
}

/// Sets the values of an option in the table of a job, or removes the option where there are none. `None` where a
/// section of the job is no table.
pub(super) fn set(of_job: &mut Item, definition: &Definition, texts: &[String]) -> Option<()> {
    let table = if definition.section == Section::Job {
        of_job.as_table_like_mut()?
    } else {
        let name = definition.section.name();
        if texts.is_empty() && of_job.as_table_like()?.get(name).is_none() {
            return Some(());
        }
        let is_inline = of_job.is_inline_table();
        let empty = || if is_inline { Item::Value(Value::InlineTable(InlineTable::new())) } else { section() };
        of_job.as_table_like_mut()?.entry(name).or_insert_with(empty).as_table_like_mut()?
    };
    let key = written_key(definition, |key| table.contains_key(key));
    if texts.is_empty() {
        table.remove(&key);
    } else {
        match table.get_mut(&key) {
            Some(Item::Value(before)) => *before = written_over(before, definition, texts),
            _ => drop(table.insert(&key, Item::Value(written(definition, texts)))),
        }
    }
    drop_empty_section(of_job, definition);
    Some(())
}

fn section() -> Item {
    let mut table = Table::new();
    table.decor_mut().set_prefix("\n");
    Item::Table(table)
}

/// Removes the section of a job that has lost its last setting.
fn drop_empty_section(of_job: &mut Item, definition: &Definition) {
    let name = definition.section.name();
    let Some(table) = of_job.as_table_like_mut().filter(|_| definition.section != Section::Job) else { return };
    if table.get(name).and_then(Item::as_table_like).is_some_and(TableLike::is_empty) {
        table.remove(name);
    }
}

/// Returns the key by which a table holds an option: its name, or a synonym that is written there.
fn written_key(definition: &Definition, is_there: impl Fn(&str) -> bool) -> String {
    let synonyms =
        SYNONYMS.iter().filter(|((section, _), name)| *section == definition.section && *name == definition.name());
    let written = synonyms.map(|((_, synonym), _)| *synonym).find(|synonym| is_there(synonym));
    written.map_or_else(|| definition.name(), str::to_owned)
}
