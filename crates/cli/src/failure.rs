//! Why a command failed: one line for the person, one code for the script.

use crate::exit::Exit;
use crate::terminal;
use mapwright_fetch::out_of_files_in;
use mapwright_settings::SettingsError;
use std::borrow::Cow;
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
        let what: String = what.into();
        let remedy = out_of_files_in(&what).unwrap_or_else(|| remedy.into());
        Failure { exit, what, place: place.into(), remedy }
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
        let parts = [&self.what, &self.place, &self.remedy].map(|part| shortened(part));
        let parts: Vec<&str> = parts.iter().map(AsRef::as_ref).filter(|part| !part.is_empty()).collect();
        f.write_str(&parts.join(": "))
    }
}

/// Characters of each part that are printed, at most: a line that goes on for pages is not read.
const MOST_CHARS: usize = 1_000;

fn shortened(part: &str) -> Cow<'_, str> {
    match part.char_indices().nth(MOST_CHARS) {
        Some((end, _)) => Cow::Owned(format!("{}…", part.split_at(end).0)),
        None => Cow::Borrowed(part),
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
