//! Errors of settings: the place of a value, and the fault in it.

use crate::userinfo::without_userinfo;
use std::fmt;

/// The place where a value was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingSource {
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
    /// In the record of the run that is resumed.
    Record,
    /// In this environment variable.
    Variable(String),
    /// In this flag, written without dashes.
    Flag(String),
}

impl fmt::Display for SettingSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SettingSource::Default => f.write_str("default"),
            SettingSource::File { name, line, key } if key.is_empty() => write!(f, "file {name} line {line}"),
            SettingSource::File { name, line, key } => write!(f, "file {name} line {line} key {key}"),
            SettingSource::Record => f.write_str("record of the run"),
            SettingSource::Variable(name) => write!(f, "variable {name}"),
            SettingSource::Flag(name) => write!(f, "flag --{name}"),
        }
    }
}

/// A setting that cannot be used. Its text is one line: what is wrong, where, what to do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}: {set_at}: {hint}")]
pub struct SettingsError {
    /// The fault, without secrets.
    pub what: String,
    /// The place where the value was written.
    pub set_at: SettingSource,
    /// A hint: what to do about it.
    pub hint: String,
}

/// A fault in one text, without its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) what: String,
    pub(crate) hint: String,
}

impl Fault {
    pub(crate) fn new(what: impl Into<String>, hint: impl Into<String>) -> Fault {
        Fault { what: what.into(), hint: hint.into() }
    }

    pub(crate) fn at(self, set_at: &SettingSource) -> SettingsError {
        SettingsError { what: self.what, set_at: set_at.clone(), hint: self.hint }
    }
}

/// The most characters of a value that an error quotes.
const QUOTED_CHARS: usize = 80;

/// A value in an error line: in backticks, on one line, shortened, and without the user and the password that a URL may
/// hold.
pub(crate) fn quoted(text: &str) -> String {
    let text = &if text.contains("://") { without_userinfo(text) } else { text.to_owned() };
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
