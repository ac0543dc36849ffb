//! The failure of a command: one line for the user, one exit code for scripts.

use crate::exit::Exit;
use mapwright_fetch::out_of_files_in;
use mapwright_settings::SettingsError;
use mapwright_text::shortened;
use std::fmt;

/// The failure of a command. Its message is one line: what, where, and a hint.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) exit: Exit,
    what: String,
    place: String,
    hint: String,
}

impl Failure {
    /// Creates a failure that ends the process with `exit`.
    pub(crate) fn new(
        exit: Exit,
        what: impl Into<String>,
        place: impl Into<String>,
        hint: impl Into<String>,
    ) -> Failure {
        let what: String = what.into();
        let hint = out_of_files_in(&what).unwrap_or_else(|| hint.into());
        Failure { exit, what, place: place.into(), hint }
    }

    /// The fault.
    pub(crate) fn what(&self) -> &str {
        &self.what
    }

    /// Creates the failure of a mistake in the user's input.
    pub(crate) fn usage(what: impl Into<String>, place: impl Into<String>, hint: impl Into<String>) -> Failure {
        Failure::new(Exit::Usage, what, place, hint)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [&self.what, &self.place, &self.hint].map(|part| shortened(part, MAX_CHARS));
        let parts: Vec<&str> = parts.iter().map(AsRef::as_ref).filter(|part| !part.is_empty()).collect();
        f.write_str(&parts.join(": "))
    }
}

/// Maximum length of each printed part, in characters.
const MAX_CHARS: usize = 1_000;

impl From<SettingsError> for Failure {
    fn from(error: SettingsError) -> Failure {
        Failure::usage(error.what, error.set_at.to_string(), error.hint)
    }
}
