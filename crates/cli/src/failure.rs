//! Why a command failed: one line for the person, one code for the script.

use crate::exit::Exit;
use crate::terminal;
use mapwright_settings::SettingsError;
use std::fmt;
use std::io::Write;

/// The end of a command that could not do its work. Its text is one line: what, where, what to do.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) exit: Exit,
    what: String,
    place: String,
    remedy: String,
}

impl Failure {
    /// A failure that ends the process with `exit`.
    pub(crate) fn new(
        exit: Exit,
        what: impl Into<String>,
        place: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Failure {
        Failure { exit, what: what.into(), place: place.into(), remedy: remedy.into() }
    }

    /// What is wrong.
    pub(crate) fn what(&self) -> &str {
        &self.what
    }

    /// A mistake in what the user wrote.
    pub(crate) fn usage(what: impl Into<String>, place: impl Into<String>, remedy: impl Into<String>) -> Failure {
        Failure::new(Exit::Usage, what, place, remedy)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.what, self.place, self.remedy)
    }
}

impl From<SettingsError> for Failure {
    fn from(error: SettingsError) -> Failure {
        Failure::usage(error.what, error.place.to_string(), error.remedy)
    }
}

/// Prints one line on standard error, with the command's name before it. Where standard error is gone there is nobody
/// to tell.
pub(crate) fn say(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "mapwright: {}", terminal::line(line));
}
