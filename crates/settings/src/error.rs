//! Where a value stands, and what is wrong with it.

use crate::values::bare;
use std::fmt;

/// Where a value was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// Nowhere: it is the default.
    Default,
    /// In the configuration file.
    File {
        /// The file's name, as the user gave it.
        name: String,
        /// The line, counted from 1.
        line: usize,
        /// The key with its section, `crawl.max-depth`; empty where the line holds no key.
        key: String,
    },
    /// In the record of the run that goes on.
    Record,
    /// In this environment variable.
    Variable(String),
    /// In this flag, written without dashes.
    Flag(String),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Default => f.write_str("default"),
            Place::File { name, line, key } if key.is_empty() => write!(f, "file {name} line {line}"),
            Place::File { name, line, key } => write!(f, "file {name} line {line} key {key}"),
            Place::Record => f.write_str("record of the run"),
            Place::Variable(name) => write!(f, "variable {name}"),
            Place::Flag(name) => write!(f, "flag --{name}"),
        }
    }
}

/// A setting that cannot be used. Its text is one line: what is wrong, where, what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}: {place}: {remedy}")]
pub struct SettingsError {
    /// What is wrong; secrets are never quoted.
    pub what: String,
    /// Where it was written.
    pub place: Place,
    /// What to do.
    pub remedy: String,
}

/// What is wrong with one text, whoever gave it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) what: String,
    pub(crate) remedy: String,
}

impl Fault {
    pub(crate) fn new(what: impl Into<String>, remedy: impl Into<String>) -> Fault {
        Fault { what: what.into(), remedy: remedy.into() }
    }

    pub(crate) fn at(self, place: &Place) -> SettingsError {
        SettingsError { what: self.what, place: place.clone(), remedy: self.remedy }
    }
}

/// Characters of a value that an error quotes at most.
const QUOTED_CHARS: usize = 80;

/// A value in an error line: in backticks, on one line, shortened, and without the user and the password that a URL may
/// hold.
pub(crate) fn quoted(text: &str) -> String {
    let text = &if text.contains("://") { bare(text) } else { text.to_owned() };
    if text.is_empty() {
        return "an empty value".to_owned();
    }
    let mut shown = String::from("`");
    for c in text.chars().take(QUOTED_CHARS) {
        if c.is_control() { shown.extend(c.escape_debug()) } else { shown.push(c) }
    }
    if text.chars().nth(QUOTED_CHARS).is_some() {
        shown.push('…');
    }
    shown.push('`');
    shown
}
