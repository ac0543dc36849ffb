//! The layer of the configuration file.

use crate::chosen::{Layer, Written, split};
use crate::definition::{Arity, Definition, Section, definitions};
use crate::error::{Place, SettingsError, quoted};
use crate::nearest::nearest;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

/// What the file says.
///
/// # Errors
/// Text that is not TOML, an unknown section or key, a value of the wrong type.
pub(crate) fn layer(name: &str, text: &str) -> Result<Layer, SettingsError> {
    let file = File { name, text };
    let document = DeTable::parse(text).map_err(|error| file.syntax(&error))?;
    let mut layer = Layer::new();
    for (key, value) in document.get_ref() {
        let section = file.section(key, value)?;
        let DeValue::Table(keys) = value.get_ref() else {
            continue;
        };
        for (key, value) in keys {
            let definition = file.definition(section, key)?;
            layer.insert(definition.field, file.written(definition, value)?);
        }
    }
    Ok(layer)
}

struct File<'a> {
    name: &'a str,
    text: &'a str,
}

impl File<'_> {
    fn section(&self, key: &Spanned<DeString<'_>>, value: &Spanned<DeValue<'_>>) -> Result<Section, SettingsError> {
        let name = key.get_ref().as_ref();
        let section = Section::ALL.into_iter().find(|section| section.name() == name);
        let is_table = matches!(value.get_ref(), DeValue::Table(_));
        match section {
            Some(section) if is_table => Ok(section),
            Some(_) => Err(self.error(&key.span(), "", "a section is no value", format!("write [{name}]"))),
            None if is_table => {
                let names = Section::ALL.map(Section::name);
                let meant = nearest(name, names).map(|meant| format!("did you mean [{meant}]?"));
                let remedy = meant.unwrap_or_else(|| format!("the sections are [{}]", names.join("], [")));
                Err(self.error(&key.span(), "", format!("unknown section {}", quoted(name)), remedy))
            }
            None => Err(self.unknown_key(key, None)),
        }
    }

    fn definition(&self, section: Section, key: &Spanned<DeString<'_>>) -> Result<&'static Definition, SettingsError> {
        let name = key.get_ref().as_ref();
        let found = section.definitions().iter().find(|definition| definition.name() == name);
        found.ok_or_else(|| self.unknown_key(key, Some(section)))
    }

    /// A key that no option has, at the top or in a section where it does not belong.
    fn unknown_key(&self, key: &Spanned<DeString<'_>>, section: Option<Section>) -> SettingsError {
        let name = key.get_ref().as_ref();
        let elsewhere = definitions().find(|definition| definition.name() == name);
        let (what, remedy) = match elsewhere {
            Some(definition) => (
                format!("key {} is not in its section", quoted(name)),
                format!("move it to [{}]", definition.section.name()),
            ),
            None => (format!("unknown key {}", quoted(name)), meant(name, section)),
        };
        self.error(&key.span(), "", what, remedy)
    }

    fn written(&self, definition: &Definition, value: &Spanned<DeValue<'_>>) -> Result<Vec<Written>, SettingsError> {
        match (value.get_ref(), definition.arity) {
            (DeValue::Array(items), Arity::Many) if !items.is_empty() => {
                items.iter().map(|item| self.single(definition, item)).collect()
            }
            (DeValue::Array(_), Arity::Many) => {
                Ok(vec![Written { text: String::new(), place: self.place(&value.span(), &definition.key()) }])
            }
            (DeValue::String(text), Arity::Many) => {
                let place = self.place(&value.span(), &definition.key());
                Ok(split(definition, text).into_iter().map(|text| Written { text, place: place.clone() }).collect())
            }
            _ => Ok(vec![self.single(definition, value)?]),
        }
    }

    fn single(&self, definition: &Definition, value: &Spanned<DeValue<'_>>) -> Result<Written, SettingsError> {
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
        Ok(Written { text, place: self.place(&value.span(), &key) })
    }

    fn mistyped(&self, span: &Range<usize>, key: &str, got: &str) -> SettingsError {
        self.error(span, key, format!("{got} stands where one value is expected"), "write a single value")
    }

    fn syntax(&self, error: &toml::de::Error) -> SettingsError {
        let what = format!("not valid TOML ({})", error.message().lines().collect::<Vec<_>>().join("; "));
        self.error(&error.span().unwrap_or(0..0), "", what, "correct the line")
    }

    fn error(
        &self,
        span: &Range<usize>,
        key: &str,
        what: impl Into<String>,
        remedy: impl Into<String>,
    ) -> SettingsError {
        SettingsError { what: what.into(), place: self.place(span, key), remedy: remedy.into() }
    }

    fn place(&self, span: &Range<usize>, key: &str) -> Place {
        let before = self.text.bytes().take(span.start);
        let line = 1 + before.filter(|byte| *byte == b'\n').count();
        Place::File { name: self.name.to_owned(), line, key: key.to_owned() }
    }
}

/// What an unknown key was probably meant to be.
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
