//! The errors of mirroring.

use super::place::MirrorTarget;
use super::secrets::Secrets;
use std::path::PathBuf;
use std::time::Duration;

/// The reason why a mirror is not up to date. The published directory is unchanged; the next publication tries again.
/// No message contains a credential.
#[derive(Debug, thiserror::Error)]
pub enum MirrorError {
    /// A published file cannot be read, or the state folder cannot be written.
    #[error("{path}: {source}")]
    File {
        /// The path.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// A published file is larger than any sitemap may be.
    #[error("{path} has {bytes} bytes, which no sitemap has; is it published by mapwright?")]
    Large {
        /// The path.
        path: PathBuf,
        /// Its size.
        bytes: u64,
    },
    /// A request to the object storage fails.
    #[error("{place}: {what}")]
    Storage {
        /// The place.
        place: String,
        /// The message of the store.
        what: String,
    },
    /// The state of the mirror cannot be read.
    #[error(
        "{place}: the state {name} there cannot be read: {why}; to start again, remove it, and what left the set by hand"
    )]
    MirrorState {
        /// The place.
        place: String,
        /// The name of the state file.
        name: String,
        /// The cause.
        why: String,
    },
    /// The upload did not end within the timeout.
    #[error("{place}: not done within {timeout:?}; what was done stays done, and the next time goes on from there")]
    Late {
        /// The place.
        place: String,
        /// The time allowed.
        timeout: Duration,
    },
    /// The command cannot be run.
    #[error("{place}: cannot be run: {source}")]
    Start {
        /// The place.
        place: String,
        /// The cause.
        source: std::io::Error,
    },
    /// The command ended with a failure.
    #[error("{place}: {status}{}{output}", if output.is_empty() { "" } else { "; its last words: " })]
    Command {
        /// The place.
        place: String,
        /// The exit status.
        status: std::process::ExitStatus,
        /// Its last lines.
        output: String,
    },
    /// The program was built without object storage.
    #[error("{place}: this program was built without object storage; build it with the feature \"cloud\"")]
    NotBuiltIn {
        /// The place.
        place: String,
    },
}

impl MirrorError {
    pub(crate) fn file(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::File { path, source }
    }

    /// Adds the place and removes secrets.
    pub(crate) fn about(mut self, about: &MirrorTarget, secrets: &Secrets) -> Self {
        match &mut self {
            Self::File { .. } | Self::Large { .. } => {}
            Self::Storage { place, what } => {
                *place = about.label();
                *what = secrets.hide(what);
            }
            Self::MirrorState { place, .. }
            | Self::Late { place, .. }
            | Self::Start { place, .. }
            | Self::NotBuiltIn { place } => *place = about.label(),
            Self::Command { place, output, .. } => {
                *place = about.label();
                *output = secrets.tail(output);
            }
        }
        self
    }
}
