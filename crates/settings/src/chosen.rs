//! The text chosen for each option, and how a field is read from it.

use crate::definition::{Arity, Definition, definitions};
use crate::error::{Fault, Place, SettingsError};
use crate::kind::Kind;
use crate::recorded::Recorded;
use crate::values::bare;
use std::collections::HashMap;
use url::Url;

/// One value as written, and where.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    pub(crate) text: String,
    pub(crate) place: Place,
}

/// What one layer says: the values written for an option, by its field's name.
pub(crate) type Layer = HashMap<&'static str, Vec<Written>>;

/// Where the value of one option came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The option's key with its section, `crawl.max-depth`.
    pub key: String,
    /// The value as written, lists joined by `, `; empty where there is none; `(secret)` for a secret.
    pub value: String,
    /// Where it was written; of a list, where its first value was.
    pub place: Place,
}

/// What stands in for a secret wherever values are shown.
const HIDDEN: &str = "(secret)";

/// The values of every option after all layers were laid over each other.
pub(crate) struct Chosen {
    values: HashMap<&'static str, (&'static Definition, Vec<Written>)>,
}

impl Chosen {
    /// Lays `layers`, lowest first, over the defaults. An option that a layer names replaces what lies below it,
    /// lists included.
    pub(crate) fn new(layers: Vec<Layer>) -> Chosen {
        let mut values: HashMap<_, _> = definitions().map(|d| (d.field, (d, defaults(d)))).collect();
        for (field, written) in layers.into_iter().flatten() {
            if let Some((_, chosen)) = values.get_mut(field) {
                *chosen = written;
            }
        }
        Chosen { values }
    }

    /// Reads the field of that name.
    ///
    /// # Errors
    /// The first value that its kind does not accept.
    pub(crate) fn read<F: Field>(&self, field: &str) -> Result<F, SettingsError> {
        let (kind, written) = match self.values.get(field) {
            Some((definition, written)) => (definition.kind, written.as_slice()),
            None => (Kind::Switch, [].as_slice()),
        };
        F::read(written, &kind)
    }

    /// Where the option's value was written.
    pub(crate) fn place(&self, field: &str) -> Place {
        let written = self.values.get(field).and_then(|(_, written)| written.first());
        written.map_or(Place::Default, |written| written.place.clone())
    }

    /// What a record keeps: the values that were chosen, of the options that shape a crawl.
    pub(crate) fn recorded(&self) -> Recorded {
        Recorded::of(self.values.values().map(|(definition, written)| (*definition, written.as_slice())))
    }

    /// Where each value came from, in the order of the definitions.
    pub(crate) fn origins(&self) -> Vec<Origin> {
        definitions().filter_map(|d| self.values.get(d.field)).map(|(d, written)| origin(d, written)).collect()
    }
}

fn defaults(definition: &Definition) -> Vec<Written> {
    split(definition, definition.default).into_iter().map(|text| Written { text, place: Place::Default }).collect()
}

fn origin(definition: &Definition, written: &[Written]) -> Origin {
    let texts: Vec<&str> = written.iter().map(|w| w.text.as_str()).filter(|text| !text.is_empty()).collect();
    let value = if definition.secret && !texts.is_empty() { HIDDEN.to_owned() } else { shown(definition, &texts) };
    let place = written.first().map_or(Place::Default, |w| w.place.clone());
    Origin { key: definition.key(), value, place }
}

/// Values without the users and passwords that URLs among them may hold.
fn shown(definition: &Definition, texts: &[&str]) -> String {
    let show = |text: &&str| match definition.kind {
        Kind::Text { name, .. } if name == "URL" || text.contains("://") => bare(text),
        Kind::Place { .. } => veiled(text),
        _ => (*text).to_owned(),
    };
    texts.iter().map(show).collect::<Vec<_>>().join(", ")
}

/// A place without what may be a secret of it: the arguments of a program, a user and a password, what follows the host.
/// Buckets and their folders are no secrets.
fn veiled(text: &str) -> String {
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
        return if prefix.is_empty() { bare(text) } else { format!("{prefix}…") };
    }
    let more = if url.path() == "/" && url.query().is_none() { "" } else { "…" };
    format!("{prefix}{}/{more}", url.origin().ascii_serialization())
}

/// What stands before the URL of a receiver.
const WEBHOOK: &str = "webhook:";

/// The values that one text holds for an option: the text itself, or the items of a list, blank ones left out. A list
/// without items is one empty text, so that its place is known.
pub(crate) fn split(definition: &Definition, text: &str) -> Vec<String> {
    if definition.arity != Arity::Many {
        return vec![text.to_owned()];
    }
    let trimmed = text.split(definition.kind.separators()).map(str::trim);
    let items: Vec<String> = trimmed.filter(|item| !item.is_empty()).map(str::to_owned).collect();
    if items.is_empty() { vec![String::new()] } else { items }
}

/// A single value that can be read from text.
pub(crate) trait Value: Sized {
    /// Reads one value; `kind` bounds it.
    ///
    /// # Errors
    /// What is wrong with the text and what to write instead; the place is added by the caller.
    fn read(text: &str, kind: &Kind) -> Result<Self, Fault>;
}

/// The type of a field: a value, an optional value or a list of values.
pub(crate) trait Field: Sized {
    const ARITY: Arity;
    fn read(written: &[Written], kind: &Kind) -> Result<Self, SettingsError>;
}

impl<V: Value> Field for V {
    const ARITY: Arity = Arity::One;

    fn read(written: &[Written], kind: &Kind) -> Result<V, SettingsError> {
        let Some(last) = written.last() else {
            return Err(Fault::new("a value is missing", "give one").at(&Place::Default));
        };
        V::read(&last.text, kind).map_err(|fault| fault.at(&last.place))
    }
}

impl<V: Value> Field for Option<V> {
    const ARITY: Arity = Arity::Optional;

    fn read(written: &[Written], kind: &Kind) -> Result<Option<V>, SettingsError> {
        match written.last() {
            Some(last) if !last.text.is_empty() => <V as Field>::read(written, kind).map(Some),
            _ => Ok(None),
        }
    }
}

impl<V: Value> Field for Vec<V> {
    const ARITY: Arity = Arity::Many;

    fn read(written: &[Written], kind: &Kind) -> Result<Vec<V>, SettingsError> {
        let items = written.iter().filter(|w| !w.text.is_empty());
        items.map(|w| V::read(&w.text, kind).map_err(|fault| fault.at(&w.place))).collect()
    }
}
