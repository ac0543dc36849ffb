//! The errors of a crawl: what failed, where, and what to do.

use mapwright_publish::PublishError;
use mapwright_settings::{OutputSection, SettingOrigin, SettingSource};
use mapwright_store::{Record, StoreError};
use std::fmt::{self, Display, Formatter};
use std::path::Path;
use tokio::task::JoinError;

/// The place of an error of the record, until its path is known.
const THE_RECORD: &str = "the record";

/// A crawl that could not run. Failures of the site are not errors: they are in the report.
#[derive(Debug, thiserror::Error)]
pub struct CrawlError {
    /// The kind of the error, which decides the exit code.
    pub fault: CrawlFault,
    /// The fault.
    pub what: String,
    /// The place; empty if `what` names it.
    pub place: String,
    /// The hint; empty if `what` says it.
    pub hint: String,
    /// The key of the setting at fault (`crawl.links-in`), if it is a single one.
    pub key: Option<String>,
}

/// Kinds of [`CrawlError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CrawlFault {
    /// The request of the user is invalid.
    Usage,
    /// The disk is full, or the record cannot be written. Everything done until then is saved.
    Record,
    /// The output cannot be written.
    Output,
    /// Any other failure of mapwright.
    Failed,
}

impl Display for CrawlError {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let (place, hint) = (self.place.as_str(), self.hint.as_str());
        let after_place = if place.is_empty() { "" } else { ": " };
        let before_hint = if hint.is_empty() { "" } else { "; " };
        write!(out, "{place}{after_place}{}{before_hint}{hint}", self.what)
    }
}

impl CrawlError {
    /// Builds an error for a mistake in the request of the user.
    pub fn usage(place: impl Into<String>, what: impl Display, hint: impl Into<String>) -> Self {
        Self { fault: CrawlFault::Usage, what: what.to_string(), place: place.into(), hint: hint.into(), key: None }
    }

    /// Builds an error for a setting that cannot be used. `key` includes its section: `crawl.links-in`.
    pub fn setting(key: &str, what: impl Display, hint: impl Into<String>) -> Self {
        let name = key.rsplit('.').next().unwrap_or(key);
        Self { key: Some(key.to_owned()), ..Self::usage(format!("flag --{name}"), what, hint) }
    }

    /// Sets the place to where the setting at fault was written: the line of a file, or a variable.
    #[must_use]
    pub fn located(self, origins: &[SettingOrigin]) -> Self {
        let meant = origins.iter().find(|origin| self.key.as_ref() == Some(&origin.key));
        match meant.map(|origin| &origin.set_at) {
            None | Some(SettingSource::Default) => self,
            Some(place) => Self { place: place.to_string(), ..self },
        }
    }

    /// Sets the place to the path of the record that failed.
    #[must_use]
    pub fn in_record(self, folder: &Path) -> Self {
        if self.place != THE_RECORD {
            return self;
        }
        Self { place: format!("the record {} (--state)", Record::file_in(folder).display()), ..self }
    }

    /// Builds an error for a task that panicked or was aborted.
    #[must_use]
    pub fn panicked(error: &JoinError) -> Self {
        Self {
            fault: CrawlFault::Failed,
            what: error.to_string(),
            place: "the run".to_owned(),
            hint: "please report it".to_owned(),
            key: None,
        }
    }

    /// Builds an error for output that cannot be written.
    pub(crate) fn output(place: impl Into<String>, error: &PublishError) -> Self {
        Self {
            fault: CrawlFault::Output,
            what: error.to_string(),
            place: place.into(),
            hint: "an existing sitemap is unchanged; name a directory that can be written, or free space, \
                     and run again"
                .into(),
            key: None,
        }
    }
}

impl From<StoreError> for CrawlError {
    fn from(error: StoreError) -> Self {
        let (fault, place, hint) = match &error {
            StoreError::Full(_) => (CrawlFault::Record, THE_RECORD, "free some space, and run again"),
            StoreError::ReadOnly(_) => (CrawlFault::Record, THE_RECORD, "make it writable, and run again"),
            StoreError::Corrupt(_) => (CrawlFault::Usage, THE_RECORD, "move it away to start a new one"),
            StoreError::Unreadable(_) => {
                (CrawlFault::Usage, THE_RECORD, "see that its directory and files may be read")
            }
            // The texts of these errors name the record.
            StoreError::Newer { .. } => {
                (CrawlFault::Usage, "", "use the mapwright that wrote it, or name another directory (--state)")
            }
            StoreError::Older { .. } => {
                let hint = "the next crawl brings it up to date, `mapwright runs --prune` does so at once";
                (CrawlFault::Usage, "", hint)
            }
            StoreError::Empty(_) => (CrawlFault::Usage, "", "run a crawl first"),
            StoreError::Damaged { .. } => (CrawlFault::Usage, "", "move it away to start a new one"),
            StoreError::Locked(_) => (CrawlFault::Usage, "", "wait for it, or choose another --state"),
            StoreError::Removed(_) => (CrawlFault::Failed, "", "keep others off it, and run again"),
            StoreError::File { .. } => {
                let place = "the state directory (--state, key output.state)";
                (CrawlFault::Usage, place, "make it usable, or name another")
            }
            StoreError::Database(_) | StoreError::Packing(_) | StoreError::Gone => {
                (CrawlFault::Failed, THE_RECORD, "see its disk")
            }
        };
        let key = matches!(error, StoreError::File { .. }).then(|| OutputSection::state.to_owned());
        Self { fault, what: error.to_string(), place: place.to_owned(), hint: hint.to_owned(), key }
    }
}

#[cfg(test)]
mod tests {
    use super::CrawlError;
    use mapwright_store::StoreError;
    use std::io::{Error, ErrorKind};

    #[test]
    fn a_state_directory_that_cannot_be_used_is_named_with_the_ways_to_name_another() {
        let source = Error::new(ErrorKind::PermissionDenied, "permission denied");
        let error = CrawlError::from(StoreError::File { path: "/srv/maps".into(), source });
        assert_eq!(error.key.as_deref(), Some("output.state"), "so that the place of the setting is found");
        assert_eq!(
            error.located(&[]).to_string(),
            "the state directory (--state, key output.state): /srv/maps: permission denied; make it usable, or name another"
        );
    }

    #[test]
    fn an_error_that_names_the_record_has_a_hint() {
        let reported = |error: StoreError| CrawlError::from(error).to_string();
        let path = || "/srv/record.sqlite".into();
        let older = reported(StoreError::Older { path: path(), found: 1, known: 3 });
        assert!(["/srv/record.sqlite", "the next crawl", "runs --prune"].iter().all(|word| older.contains(word)));
        assert_eq!(
            reported(StoreError::Locked(path())),
            "/srv/record.sqlite: another mapwright is at work on this record; wait for it, or choose another --state"
        );
        assert!(reported(StoreError::Newer { path: path(), found: 9, known: 3 }).contains("(--state)"));
        assert!(reported(StoreError::Empty(path())).ends_with("the record holds no run yet; run a crawl first"));
        assert!(reported(StoreError::Damaged { path: path(), why: "x".into() }).ends_with("to start a new one"));
        assert!(reported(StoreError::Removed(path())).ends_with("keep others off it, and run again"));
    }

    #[test]
    fn a_complete_text_stands_alone() {
        let reported = |place: &str, hint: &str| CrawlError::usage(place, "it is locked", hint).to_string();
        assert_eq!(reported("the record", "wait"), "the record: it is locked; wait");
        assert_eq!(reported("", ""), "it is locked");
    }
}
