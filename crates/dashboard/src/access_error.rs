//! A setting of the dashboard that cannot be used.

use std::fmt::Display;

/// An error of the access configuration.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {what}; {hint}")]
pub struct AccessError {
    /// The fault.
    pub what: String,
    /// The setting or file at fault.
    pub place: String,
    /// The hint: what to do.
    pub hint: String,
    /// The setting of `[serve]` that is at fault, if it is one: `place` begins with its flag.
    pub setting: Option<&'static str>,
}

impl AccessError {
    pub(crate) fn new(place: impl Into<String>, what: impl Display, hint: impl Into<String>) -> Self {
        Self { place: place.into(), what: what.to_string(), hint: hint.into(), setting: None }
    }

    /// Creates the error of a setting.
    pub(crate) fn of(setting: &'static str, what: impl Display, hint: impl Into<String>) -> Self {
        Self { setting: Some(setting), ..Self::new(format!("flag --{setting}"), what, hint) }
    }

    /// Adds the value of the setting that is at fault.
    pub(crate) fn at(self, which: impl Display) -> Self {
        Self { place: format!("{}, {which}", self.place), ..self }
    }
}
