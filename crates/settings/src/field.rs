//! The fields of sections, and the reading of their values from text.

use crate::error::{Fault, SettingSource, SettingsError};
use crate::kind::ValueKind;

/// The number of values that an option holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arity {
    /// Exactly one; there is always a default.
    One,
    /// None or one; an empty value means none.
    Optional,
    /// Any number; the flag may be repeated.
    Many,
}

/// One value as written, and its place.
#[derive(Clone, Debug)]
pub(crate) struct SourcedText {
    pub(crate) text: String,
    pub(crate) set_at: SettingSource,
}

/// A single value that can be read from text.
pub(crate) trait Value: Sized {
    /// The kind of all values of the type; `None` for a type whose options differ in kind or bounds.
    const KIND: Option<ValueKind> = None;

    /// Reads one value; `kind` bounds it.
    ///
    /// # Errors
    /// A text that is not accepted; the fault says what to write instead, and the caller adds the place.
    fn read(text: &str, kind: &ValueKind) -> Result<Self, Fault>;
}

/// The type of a field: a value, an optional value or a list of values.
pub(crate) trait Field: Sized {
    const ARITY: Arity;
    const KIND: Option<ValueKind>;
    fn read(written: &[SourcedText], kind: &ValueKind) -> Result<Self, SettingsError>;
}

impl<V: Value> Field for V {
    const ARITY: Arity = Arity::One;
    const KIND: Option<ValueKind> = <V as Value>::KIND;

    fn read(written: &[SourcedText], kind: &ValueKind) -> Result<V, SettingsError> {
        let Some(last) = written.last() else {
            return Err(Fault::new("a value is missing", "give one").at(&SettingSource::Default));
        };
        V::read(&last.text, kind).map_err(|fault| fault.at(&last.set_at))
    }
}

impl<V: Value> Field for Option<V> {
    const ARITY: Arity = Arity::Optional;
    const KIND: Option<ValueKind> = <V as Value>::KIND;

    fn read(written: &[SourcedText], kind: &ValueKind) -> Result<Option<V>, SettingsError> {
        match written.last() {
            Some(last) if !last.text.is_empty() => <V as Field>::read(written, kind).map(Some),
            _ => Ok(None),
        }
    }
}

impl<V: Value> Field for Vec<V> {
    const ARITY: Arity = Arity::Many;
    const KIND: Option<ValueKind> = <V as Value>::KIND;

    fn read(written: &[SourcedText], kind: &ValueKind) -> Result<Vec<V>, SettingsError> {
        let items = written.iter().filter(|w| !w.text.is_empty());
        items.map(|w| V::read(&w.text, kind).map_err(|fault| fault.at(&w.set_at))).collect()
    }
}
