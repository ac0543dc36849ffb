//! Changes of the jobs in the text of a configuration file. Comments, order and layout stay.

mod hidden;
mod table;
mod written;

pub use hidden::without_secrets;

use crate::definition::Definition;
use crate::definitions::definitions;
use crate::error::{SettingSource, SettingsError, quoted};
use crate::field::Arity;
use crate::file;
use crate::kind::ValueKind;
use crate::resolved_settings::{Layer, shown_text, split};
use crate::section::Section;
use std::collections::BTreeMap;
use toml_edit::DocumentMut;

/// The values of settings as texts, by key with the section (`job.cron`, `crawl.max-depth`); secret parts are replaced
/// as [`SettingOrigin`](crate::SettingOrigin) does.
pub type ShownValues = BTreeMap<String, Vec<String>>;

/// A change of one job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobChange {
    /// The job is made, as a copy of another or without settings, and given these values.
    Make {
        /// The job to copy.
        copy_of: Option<String>,
        /// The values, as for `Set`.
        values: ShownValues,
    },
    /// Values of the job are set. A setting without values is removed, and one that is not named stays. A text that is
    /// equal to a shown value stands for that value, secrets included.
    Set(ShownValues),
    /// The job is removed.
    Remove,
}

/// Returns the options that the table of a job may hold, in the order of the documents.
pub fn job_definitions() -> impl Iterator<Item = &'static Definition> {
    definitions().filter(|definition| {
        (definition.section == Section::Job || Section::OF_A_JOB.contains(&definition.section))
            && definition.commands.includes(crate::commands::CommandKind::Run)
    })
}

/// Returns the values that the table of a job itself holds, as they are shown; none for a job that is not in the file.
///
/// # Errors
/// A text that is no configuration file.
pub fn own_values(file: (&str, &str), job: &str) -> Result<ShownValues, SettingsError> {
    let layer = own_layer(file, job)?;
    let own = definitions().filter_map(|definition| Some((definition, layer.get(definition.field)?)));
    let shown = own.map(|(definition, written)| {
        let texts = written.iter().filter(|one| !one.text.is_empty());
        (definition.key(), texts.map(|one| shown_text(definition, &one.text)).collect())
    });
    Ok(shown.collect())
}

/// Returns the keys of the settings that the table of a job sets otherwise in another text of a file; secrets are
/// compared, and not shown.
///
/// # Errors
/// A text that is no configuration file.
pub fn changed_keys(name: &str, before: &str, now: &str, job: &str) -> Result<Vec<String>, SettingsError> {
    let (before, now) = (own_layer((name, before), job)?, own_layer((name, now), job)?);
    let texts = |layer: &Layer, field: &str| -> Option<Vec<String>> {
        Some(layer.get(field)?.iter().map(|one| one.text.clone()).collect())
    };
    let differ = definitions().filter(|one| texts(&before, one.field) != texts(&now, one.field));
    Ok(differ.map(Definition::key).collect())
}

/// Returns the text of a configuration file (its name and text are given) with one job changed. The values are not
/// checked: [`Layers::read`](crate::Layers::read) does that.
///
/// # Errors
/// A text that is no configuration file; a job that is made and is there, or that is changed and is not; a key that no
/// table of a job may hold; a program, which only the file may name.
pub fn edit_job(file: (&str, &str), job: &str, change: &JobChange) -> Result<String, SettingsError> {
    let mut document: DocumentMut = match file.1.parse() {
        Ok(document) => document,
        // The reader of files names the line.
        Err(error) => {
            return Err(file::layers(file.0, file.1).err().unwrap_or_else(|| fault(file.0, error.to_string())));
        }
    };
    let jobs = table::jobs(&mut document).ok_or_else(|| fault(file.0, "`job` is no table"))?;
    let (values, source) = match change {
        JobChange::Remove => {
            return match jobs.remove(job) {
                Some(_) => Ok(document.to_string()),
                None => Err(fault(file.0, format!("there is no job {}", quoted(job)))),
            };
        }
        JobChange::Make { .. } if jobs.contains_key(job) => {
            return Err(fault(file.0, format!("there is a job {} already", quoted(job))));
        }
        JobChange::Make { copy_of, values } => {
            table::make(jobs, job, copy_of.as_deref()).ok_or_else(|| fault(file.0, "there is no such job to copy"))?;
            (values, copy_of.as_deref())
        }
        JobChange::Set(_) if !jobs.contains_key(job) => {
            return Err(fault(file.0, format!("there is no job {}", quoted(job))));
        }
        JobChange::Set(values) => (values, Some(job)),
    };
    let known = source.map_or(Ok(Layer::new()), |source| own_layer(file, source))?;
    for (key, shown) in values {
        let definition =
            definition(key).ok_or_else(|| fault(file.0, format!("jobs have no setting {}", quoted(key))))?;
        let texts = restored(definition, shown, &known);
        check_programs(file.0, definition, &texts, &known)?;
        let of_job = jobs.get_mut(job).ok_or_else(|| fault(file.0, "the job is no table"))?;
        table::set(of_job, definition, &texts).ok_or_else(|| fault(file.0, "a section of the job is no table"))?;
    }
    Ok(document.to_string())
}

fn own_layer(file: (&str, &str), job: &str) -> Result<Layer, SettingsError> {
    let (_, mut jobs) = file::layers(file.0, file.1)?;
    Ok(jobs.remove(job).map(|table| table.layer).unwrap_or_default())
}

fn definition(key: &str) -> Option<&'static Definition> {
    job_definitions().find(|definition| definition.key() == key)
}

/// Returns the texts to write: each item of a list by itself, and a shown value in full.
fn restored(definition: &Definition, shown: &[String], known: &Layer) -> Vec<String> {
    let mut known: Vec<&str> = known.get(definition.field).into_iter().flatten().map(|one| one.text.as_str()).collect();
    let mut restore = |text: String| {
        let of_text = known.iter().position(|known| shown_text(definition, known) == text);
        of_text.map_or(text, |place| known.remove(place).to_owned())
    };
    let items = shown.iter().flat_map(|text| match definition.arity {
        Arity::Many if is_undivided(text) => vec![text.clone()],
        Arity::Many => split(definition, text),
        _ => vec![text.clone()],
    });
    items.filter(|text| !text.is_empty()).map(&mut restore).collect()
}

/// Returns true for a shown value that holds what is hidden: it is compared undivided.
fn is_undivided(text: &str) -> bool {
    text.ends_with('…')
}

/// Refuses a program that the file does not name yet: whoever may edit jobs in a browser may not run programs.
fn check_programs(name: &str, definition: &Definition, texts: &[String], known: &Layer) -> Result<(), SettingsError> {
    let is_known = |text: &str| known.get(definition.field).into_iter().flatten().any(|one| one.text == text);
    let is_program = |text: &str| text.trim_start().to_ascii_lowercase().starts_with("command:");
    if !matches!(definition.kind, ValueKind::Place { .. })
        || !texts.iter().any(|text| is_program(text) && !is_known(text))
    {
        return Ok(());
    }
    Err(SettingsError {
        hint: "write it into the file by hand".to_owned(),
        ..fault(name, "programs are named in the file alone")
    })
}

fn fault(name: &str, what: impl Into<String>) -> SettingsError {
    let set_at = SettingSource::File { name: name.to_owned(), line: 1, key: String::new() };
    SettingsError { what: what.into(), set_at, hint: "load the job again".to_owned() }
}

#[cfg(test)]
mod tests;
