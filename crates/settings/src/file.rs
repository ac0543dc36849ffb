//! The layer of the configuration file.

use crate::definition::Definition;
use crate::definitions::definitions;
use crate::error::{SettingSource, SettingsError, quoted};
use crate::field::Arity;
use crate::field::SourcedText;
use crate::nearest::nearest;
use crate::resolved_settings::{Layer, split};
use crate::section::Section;
use std::collections::BTreeMap;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

/// The table of one job.
#[derive(Clone, Debug)]
pub(crate) struct JobTable {
    /// Its values.
    pub(crate) layer: Layer,
    /// The place where it begins.
    pub(crate) set_at: SettingSource,
}

/// Returns the layer of the file, and the table of each job in it.
///
/// # Errors
/// Text that is not TOML, an unknown section or key, a value of the wrong type, an invalid name of a job.
pub(crate) fn layers(name: &str, text: &str) -> Result<(Layer, BTreeMap<String, JobTable>), SettingsError> {
    let file = File { name, text, job: None };
    let document = DeTable::parse(text).map_err(|error| file.syntax(&error))?;
    let (mut layer, mut jobs) = (Layer::new(), BTreeMap::new());
    for (key, value) in document.get_ref() {
        let section = file.section(key, value, &Section::ALL)?;
        let DeValue::Table(keys) = value.get_ref() else { continue };
        for (key, value) in keys {
            match value.get_ref() {
                DeValue::Table(of_job) if section == Section::Job => {
                    let job = file.job_name(key)?;
                    if jobs.len() >= MAX_JOBS {
                        let what = format!("the file has more than {MAX_JOBS} jobs");
                        return Err(file.error(&key.span(), "", what, "spread them over several services"));
                    }
                    let layer = File { job: Some(&job), ..file }.job(of_job)?;
                    jobs.insert(job, JobTable { layer, set_at: file.set_at(&key.span(), "") });
                }
                _ => file.option(&mut layer, section, key, value)?,
            }
        }
    }
    Ok((layer, jobs))
}

/// The most jobs in a file: each is checked whenever the file is read.
const MAX_JOBS: usize = 1_000;
/// The most characters in the name of a job.
const MAX_JOB_NAME: usize = 60;
/// The stem of the service's own files (the job store, its lock, and the files that SQLite puts beside them). They lie
/// next to the directories of jobs, so no job may be named like one of them.
const SERVICE: &str = "service";

#[derive(Clone, Copy)]
struct File<'a> {
    name: &'a str,
    text: &'a str,
    /// The job whose table is read.
    job: Option<&'a str>,
}

impl File<'_> {
    /// Reads the table of one job: its own keys, and tables named like the sections whose values it overrides.
    fn job(&self, table: &DeTable<'_>) -> Result<Layer, SettingsError> {
        let mut layer = Layer::new();
        for (key, value) in table {
            let DeValue::Table(keys) = value.get_ref() else {
                self.option(&mut layer, Section::Job, key, value)?;
                continue;
            };
            let section = self.section(key, value, &Section::OF_A_JOB)?;
            for (key, value) in keys {
                self.option(&mut layer, section, key, value)?;
            }
        }
        Ok(layer)
    }

    /// Checks the name of a job. It names a directory, is a part of URLs, and is an argument of commands, where a
    /// leading dash would begin a flag.
    fn job_name(&self, key: &Spanned<DeString<'_>>) -> Result<String, SettingsError> {
        let name = key.get_ref().as_ref();
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_' | '.');
        let begins_well = !name.starts_with(['.', '-']) && !name.is_empty();
        let is_taken = name.split('.').next() == Some(SERVICE) && name != SERVICE;
        if name.len() > MAX_JOB_NAME || !begins_well || is_taken || !name.chars().all(plain) {
            let what = format!("{} cannot be the name of a job", quoted(name));
            let hint = "use up to 60 lower-case letters, digits, `-`, `_` and `.`, the first no dot or `-`, \
                          and none that begins with `service.`";
            return Err(self.error(&key.span(), "", what, hint));
        }
        Ok(name.to_owned())
    }

    fn option(
        &self,
        layer: &mut Layer,
        section: Section,
        key: &Spanned<DeString<'_>>,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<(), SettingsError> {
        let definition = self.definition(section, key)?;
        layer.insert(definition.field, self.written(definition, value)?);
        Ok(())
    }

    fn section(
        &self,
        key: &Spanned<DeString<'_>>,
        value: &Spanned<DeValue<'_>>,
        sections: &[Section],
    ) -> Result<Section, SettingsError> {
        let name = key.get_ref().as_ref();
        let section = sections.iter().copied().find(|section| section.name() == name);
        let is_table = matches!(value.get_ref(), DeValue::Table(_));
        match section {
            Some(section) if is_table => Ok(section),
            Some(_) => Err(self.error(&key.span(), "", "a section is no value", format!("write [{name}]"))),
            None if is_table => {
                let names: Vec<&str> = sections.iter().map(|section| section.name()).collect();
                let meant = nearest(name, names.iter().copied()).map(|meant| format!("did you mean [{meant}]?"));
                let hint = meant.unwrap_or_else(|| format!("the sections are [{}]", names.join("], [")));
                Err(self.error(&key.span(), "", format!("unknown section {}", quoted(name)), hint))
            }
            None => Err(self.unknown_key(key, None)),
        }
    }

    fn definition(&self, section: Section, key: &Spanned<DeString<'_>>) -> Result<&'static Definition, SettingsError> {
        let written = key.get_ref().as_ref();
        let name =
            SYNONYMS.iter().find(|(synonym, _)| *synonym == (section, written)).map_or(written, |(_, name)| name);
        let found = section.definitions().iter().find(|definition| definition.name() == name);
        found.ok_or_else(|| self.unknown_key(key, Some(section)))
    }

    /// Returns the error for a key that no option has, at the top level or in the wrong section.
    fn unknown_key(&self, key: &Spanned<DeString<'_>>, section: Option<Section>) -> SettingsError {
        let name = key.get_ref().as_ref();
        let elsewhere = definitions().find(|definition| definition.name() == name);
        let (what, hint) = match elsewhere {
            Some(definition) => (
                format!("key {} is not in its section", quoted(name)),
                format!("move it to [{}]", self.table(definition.section)),
            ),
            None => (format!("unknown key {}", quoted(name)), meant(name, section)),
        };
        self.error(&key.span(), "", what, hint)
    }

    /// Returns the name of the table that holds the keys of a section.
    fn table(&self, section: Section) -> String {
        match self.job {
            Some(job) if section == Section::Job => format!("job.{job}"),
            Some(job) if Section::OF_A_JOB.contains(&section) => format!("job.{job}.{}", section.name()),
            _ => section.name().to_owned(),
        }
    }

    fn written(
        &self,
        definition: &Definition,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<Vec<SourcedText>, SettingsError> {
        match (value.get_ref(), definition.arity) {
            (DeValue::Array(items), Arity::Many) if !items.is_empty() => {
                items.iter().map(|item| self.single(definition, item)).collect()
            }
            (DeValue::Array(_), Arity::Many) => {
                Ok(vec![SourcedText { text: String::new(), set_at: self.set_at(&value.span(), &definition.key()) }])
            }
            (DeValue::String(text), Arity::Many) => {
                let set_at = self.set_at(&value.span(), &definition.key());
                Ok(split(definition, text)
                    .into_iter()
                    .map(|text| SourcedText { text, set_at: set_at.clone() })
                    .collect())
            }
            _ => Ok(vec![self.single(definition, value)?]),
        }
    }

    fn single(&self, definition: &Definition, value: &Spanned<DeValue<'_>>) -> Result<SourcedText, SettingsError> {
        let key = definition.key();
        let text = match value.get_ref() {
            DeValue::String(text) => text.to_string(),
            DeValue::Boolean(truth) => truth.to_string(),
            DeValue::Integer(number) => match i128::from_str_radix(number.as_str(), number.radix()) {
                Ok(number) => number.to_string(),
                Err(_) => number.as_str().to_owned(),
            },
            DeValue::Float(number) => number.as_str().to_owned(),
            DeValue::Datetime(_) => return Err(self.mistyped(&value.span(), &key, "a date")),
            DeValue::Array(_) => return Err(self.mistyped(&value.span(), &key, "a list")),
            DeValue::Table(_) => return Err(self.mistyped(&value.span(), &key, "a table")),
        };
        Ok(SourcedText { text, set_at: self.set_at(&value.span(), &key) })
    }

    fn mistyped(&self, span: &Range<usize>, key: &str, got: &str) -> SettingsError {
        self.error(span, key, format!("{got} stands where one value is expected"), "write a single value")
    }

    fn syntax(&self, error: &toml::de::Error) -> SettingsError {
        let what = format!("not valid TOML ({})", error.message().lines().collect::<Vec<_>>().join("; "));
        self.error(&error.span().unwrap_or(0..0), "", what, "correct the line")
    }

    fn error(&self, span: &Range<usize>, key: &str, what: impl Into<String>, hint: impl Into<String>) -> SettingsError {
        SettingsError { what: what.into(), set_at: self.set_at(span, key), hint: hint.into() }
    }

    fn set_at(&self, span: &Range<usize>, key: &str) -> SettingSource {
        let before = self.text.bytes().take(span.start);
        let line = 1 + before.filter(|byte| *byte == b'\n').count();
        SettingSource::File { name: self.name.to_owned(), line, key: key.to_owned() }
    }
}

/// Keys that are accepted under a second name.
pub(crate) const SYNONYMS: [((Section, &str), &str); 1] = [((Section::Notify, "tell"), "to")];

/// Returns a hint at the key that an unknown one was probably meant to be.
fn meant(name: &str, section: Option<Section>) -> String {
    let kebab = name.replace('_', "-");
    let own: Vec<String> = section.map(Section::definitions).unwrap_or_default().iter().map(Definition::name).collect();
    if let Some(meant) = nearest(&kebab, own.iter().map(String::as_str)) {
        return format!("did you mean `{meant}`?");
    }
    let all: Vec<(String, Section)> = definitions().map(|d| (d.name(), d.section)).collect();
    let near = nearest(&kebab, all.iter().map(|(name, _)| name.as_str()));
    let found = near.and_then(|near| all.iter().find(|(name, _)| name == near));
    match found {
        Some((name, section)) => format!("did you mean `{name}` in [{}]?", section.name()),
        None => "`mapwright config show` lists all keys".to_owned(),
    }
}
