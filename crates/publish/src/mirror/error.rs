//! The errors of mirroring.

use super::mirror_target::MirrorTarget;
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
    #[error("{target}: {what}")]
    Storage {
        /// The place.
        target: String,
        /// The message of the store.
        what: String,
    },
    /// The state of the mirror cannot be read.
    #[error(
        "{target}: the state {name} there cannot be read: {why}; to start again, remove it, and what left the set by hand"
    )]
    MirrorState {
        /// The place.
        target: String,
        /// The name of the state file.
        name: String,
        /// The cause.
        why: String,
    },
    /// The upload did not end within the timeout.
    #[error(
        "{target}: the upload did not end within {timeout:?}; uploaded files are kept, and the next upload resumes from there"
    )]
    Late {
        /// The place.
        target: String,
        /// The time allowed.
        timeout: Duration,
    },
    /// The command cannot be run.
    #[error("{target}: cannot be run: {source}")]
    Start {
        /// The place.
        target: String,
        /// The cause.
        source: std::io::Error,
    },
    /// The command ended with a failure.
    #[error("{target}: {status}{}{output}", if output.is_empty() { "" } else { "; its last output: " })]
    Command {
        /// The place.
        target: String,
        /// The exit status.
        status: std::process::ExitStatus,
        /// Its last lines.
        output: String,
    },
    /// The program was built without object storage.
    #[error("{target}: this program was built without object storage; build it with the feature \"cloud\"")]
    NotBuiltIn {
        /// The place.
        target: String,
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
            Self::Storage { target, what } => {
                *target = about.label();
                *what = secrets.hide(what);
            }
            Self::MirrorState { target, .. }
            | Self::Late { target, .. }
            | Self::Start { target, .. }
            | Self::NotBuiltIn { target } => *target = about.label(),
            Self::Command { target, output, .. } => {
                *target = about.label();
                *output = secrets.tail(output);
            }
        }
        self
    }
}
