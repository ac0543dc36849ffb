//! The text of each option after layering, and the reading of fields from it.

use crate::definition::Definition;
use crate::error::{SettingSource, SettingsError};
use crate::field::{Arity, Field, SourcedText};
use crate::kind::ValueKind;
use crate::userinfo::without_userinfo;
use std::collections::HashMap;
use url::Url;

/// One layer: the values written for each option, by the name of its field.
pub(crate) type Layer = HashMap<&'static str, Vec<SourcedText>>;

/// The origin of the value of one option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingOrigin {
    /// The option's key with its section, `crawl.max-depth`.
    pub key: String,
    /// The value as written, lists joined by `, `; empty if there is none; `(secret)` for a secret.
    pub value: String,
    /// The place where it was written; for a list, the place of its first value.
    pub set_at: SettingSource,
}

/// The text that is shown instead of a secret.
const HIDDEN: &str = "(secret)";

/// The values of every option after layering.
pub(crate) struct ResolvedSettings {
    definitions: Vec<&'static Definition>,
    values: HashMap<&'static str, (&'static Definition, Vec<SourcedText>)>,
}

impl ResolvedSettings {
    /// Lays `layers`, lowest first, over the defaults of `definitions`. The value of a higher layer replaces that of a
    /// lower one, lists included.
    pub(crate) fn new(definitions: impl Iterator<Item = &'static Definition>, layers: Vec<Layer>) -> ResolvedSettings {
        let definitions: Vec<&Definition> = definitions.collect();
        let mut values: HashMap<_, _> = definitions.iter().map(|d| (d.field, (*d, defaults(d)))).collect();
        for (field, written) in layers.into_iter().flatten() {
            if let Some((_, current)) = values.get_mut(field) {
                *current = written;
            }
        }
        ResolvedSettings { definitions, values }
    }

    /// Reads the field of that name.
    ///
    /// # Errors
    /// The first value that its kind does not accept.
    pub(crate) fn read<F: Field>(&self, field: &str) -> Result<F, SettingsError> {
        let (kind, written) = match self.values.get(field) {
            Some((definition, written)) => (definition.kind, written.as_slice()),
            None => (ValueKind::Switch, [].as_slice()),
        };
        F::read(written, &kind)
    }

    /// Returns the place where the option's value was written.
    pub(crate) fn set_at(&self, field: &str) -> SettingSource {
        let written = self.values.get(field).and_then(|(_, written)| written.first());
        written.map_or(SettingSource::Default, |written| written.set_at.clone())
    }

    /// Returns each option with the texts written for it, in no particular order.
    pub(crate) fn values(&self) -> impl Iterator<Item = (&'static Definition, &[SourcedText])> {
        self.values.values().map(|(definition, written)| (*definition, written.as_slice()))
    }

    /// Returns the origin of each value, in the order of the definitions.
    pub(crate) fn origins(&self) -> Vec<SettingOrigin> {
        let values = self.definitions.iter().filter_map(|d| self.values.get(d.field));
        values.map(|(d, written)| origin(d, written)).collect()
    }
}

fn defaults(definition: &Definition) -> Vec<SourcedText> {
    split(definition, definition.default)
        .into_iter()
        .map(|text| SourcedText { text, set_at: SettingSource::Default })
        .collect()
}

fn origin(definition: &Definition, written: &[SourcedText]) -> SettingOrigin {
    let texts: Vec<&str> = written.iter().map(|w| w.text.as_str()).filter(|text| !text.is_empty()).collect();
    let value = if definition.secret && !texts.is_empty() {
        HIDDEN.to_owned()
    } else {
        texts.iter().map(|text| shown_text(definition, text)).collect::<Vec<_>>().join(", ")
    };
    let set_at = written.first().map_or(SettingSource::Default, |w| w.set_at.clone());
    SettingOrigin { key: definition.key(), value, set_at }
}

/// Renders a value without secrets: those of a secret option, the users and passwords of URLs, the end of a place.
pub(crate) fn shown_text(definition: &Definition, text: &str) -> String {
    match definition.kind {
        _ if definition.secret && !text.is_empty() => HIDDEN.to_owned(),
        ValueKind::Text { name, .. } if name == "URL" || text.contains("://") => without_userinfo(text),
        ValueKind::Place { .. } => redact(text),
        _ => text.to_owned(),
    }
}

/// Redacts the parts of a place that may be secret: the arguments of a program, a user and a password, everything after
/// the host. Buckets and their folders are not secret.
fn redact(text: &str) -> String {
    let text = text.trim();
    if let Some((program, _)) = text.split_once(char::is_whitespace) {
        return format!("{program} …");
    }
    let (prefix, rest) = match text.split_at_checked(WEBHOOK.len()) {
        Some((prefix, rest)) if prefix.eq_ignore_ascii_case(WEBHOOK) => (prefix, rest),
        _ => ("", text),
    };
    let Ok(url) = Url::parse(rest) else { return format!("{prefix}…") };
    if !matches!(url.scheme(), "http" | "https") {
        return if prefix.is_empty() { without_userinfo(text) } else { format!("{prefix}…") };
    }
    let more = if url.path() == "/" && url.query().is_none() { "" } else { "…" };
    format!("{prefix}{}/{more}", url.origin().ascii_serialization())
}

/// The prefix of a receiver's URL.
const WEBHOOK: &str = "webhook:";

/// Splits one text into the values of an option: the text itself, or the items of a list without the blank ones. A list
/// without items becomes one empty text, so that its place is known.
pub(crate) fn split(definition: &Definition, text: &str) -> Vec<String> {
    if definition.arity != Arity::Many {
        return vec![text.to_owned()];
    }
    let trimmed = text.split(definition.kind.separators()).map(str::trim);
    let items: Vec<String> = trimmed.filter(|item| !item.is_empty()).map(str::to_owned).collect();
    if items.is_empty() { vec![String::new()] } else { items }
}
