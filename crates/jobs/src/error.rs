//! Why a job could not be done: what, where, what to do.

use mapwright_publish::PublishError;
use mapwright_settings::{Origin, Place};
use mapwright_store::{Record, StoreError};
use std::fmt::{self, Display, Formatter};
use std::path::Path;

/// The place of an error of the record, as long as it is not known which one it is.
const THE_RECORD: &str = "the record";

/// A job that could not be done. The site's own failures are no errors: they are in the report.
#[derive(Debug, thiserror::Error)]
pub struct JobError {
    /// Whose fault it is, which decides the exit code.
    pub fault: JobFault,
    /// What is wrong.
    pub what: String,
    /// Where; empty where `what` says it.
    pub place: String,
    /// What to do; empty where `what` says it.
    pub remedy: String,
    /// The key of the setting that is at fault, `crawl.links-in`, where it is one alone.
    pub key: Option<String>,
}

/// Kinds of [`JobError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobFault {
    /// What the user asked for cannot be.
    Usage,
    /// The disk is full, or the record cannot be kept: what was done until then is saved.
    Record,
    /// The output cannot be written.
    Output,
    /// Anything else on our side.
    Failed,
}

impl Display for JobError {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let (place, remedy) = (self.place.as_str(), self.remedy.as_str());
        let after_place = if place.is_empty() { "" } else { ": " };
        let before_remedy = if remedy.is_empty() { "" } else { "; " };
        write!(out, "{place}{after_place}{}{before_remedy}{remedy}", self.what)
    }
}

impl JobError {
    /// A mistake in what the user asked for.
    pub(crate) fn usage(place: impl Into<String>, what: impl Display, remedy: impl Into<String>) -> Self {
        Self { fault: JobFault::Usage, what: what.to_string(), place: place.into(), remedy: remedy.into(), key: None }
    }

    /// A setting that cannot be used; `key` with its section, `crawl.links-in`.
    pub fn setting(key: &str, what: impl Display, remedy: impl Into<String>) -> Self {
        let name = key.rsplit('.').next().unwrap_or(key);
        Self { key: Some(key.to_owned()), ..Self::usage(format!("flag --{name}"), what, remedy) }
    }

    /// Says where the setting at fault was written: in which line of a file, or in which variable.
    #[must_use]
    pub fn located(self, origins: &[Origin]) -> Self {
        let meant = origins.iter().find(|origin| self.key.as_ref() == Some(&origin.key));
        match meant.map(|origin| &origin.place) {
            None | Some(Place::Default) => self,
            Some(place) => Self { place: place.to_string(), ..self },
        }
    }

    /// Says which job's setting is at fault, and at which line of the file it stands: where it was left out, at which
    /// line the job's `table` begins.
    pub(crate) fn of_job(self, name: &str, origins: &[Origin], table: Option<&Place>) -> Self {
        let Some(key) = &self.key else {
            return Self { place: format!("job {name}, {}", self.place), ..self };
        };
        let meant = origins.iter().find(|origin| origin.key == *key).map(|origin| &origin.place);
        let place = match meant.filter(|place| **place != Place::Default).or(table) {
            Some(Place::File { name: file, line, .. }) => format!("job {name}, {key}, file {file} line {line}"),
            Some(place @ (Place::Variable(_) | Place::Flag(_))) => format!("job {name}, {key}, {place}"),
            Some(_) | None => format!("job {name}, {key}"),
        };
        Self { place, ..self }
    }

    /// Says which record it is that failed.
    #[must_use]
    pub fn in_record(self, folder: &Path) -> Self {
        if self.place != THE_RECORD {
            return self;
        }
        Self { place: format!("the record {} (--state)", Record::file_in(folder).display()), ..self }
    }

    /// Output that cannot be written.
    pub(crate) fn output(place: impl Into<String>, error: &PublishError) -> Self {
        Self {
            fault: JobFault::Output,
            what: error.to_string(),
            place: place.into(),
            remedy: "what was there is as it was; name a directory that can be written, or free space, \
                     and run again"
                .into(),
            key: None,
        }
    }
}

impl From<StoreError> for JobError {
    fn from(error: StoreError) -> Self {
        let (fault, place, remedy) = match &error {
            StoreError::Full(_) => (JobFault::Record, THE_RECORD, "free some space, and run again"),
            StoreError::ReadOnly(_) => (JobFault::Record, THE_RECORD, "make it writable, and run again"),
            StoreError::Corrupt(_) => (JobFault::Usage, THE_RECORD, "move it away to start a new one"),
            StoreError::Unreadable(_) => (JobFault::Usage, THE_RECORD, "see that its folder and files may be read"),
            // Their texts say all: what, where, what to do.
            StoreError::Newer { .. }
            | StoreError::Older { .. }
            | StoreError::Empty(_)
            | StoreError::Damaged { .. }
            | StoreError::Locked(_) => (JobFault::Usage, "", ""),
            StoreError::Removed(_) => (JobFault::Failed, "", ""),
            StoreError::File { .. } => (JobFault::Usage, "flag --state", "name a folder that can be used"),
            StoreError::Database(_) | StoreError::Packing(_) | StoreError::Gone => {
                (JobFault::Failed, THE_RECORD, "see its disk")
            }
        };
        let key = matches!(error, StoreError::File { .. }).then(|| "output.state".to_owned());
        Self { fault, what: error.to_string(), place: place.to_owned(), remedy: remedy.to_owned(), key }
    }
}

#[cfg(test)]
mod tests {
    use super::JobError;

    #[test]
    fn what_says_all_stands_alone() {
        let told = |place: &str, remedy: &str| JobError::usage(place, "it is locked", remedy).to_string();
        assert_eq!(told("the record", "wait"), "the record: it is locked; wait");
        assert_eq!(told("", ""), "it is locked");
    }
}
