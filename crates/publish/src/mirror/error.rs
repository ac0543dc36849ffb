//! What can go wrong in mirroring.

use super::place::Place;
use super::secrets::Secrets;
use std::path::PathBuf;
use std::time::Duration;

/// Why a mirror is not up to date. What was published in the directory stands; the next publication tries again.
/// No message holds a credential.
#[derive(Debug, thiserror::Error)]
pub enum MirrorError {
    /// A published file cannot be read, or what is kept in the state folder not be written.
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
    /// The object storage does not do what it was asked for.
    #[error("{place}: {what}")]
    Storage {
        /// The place.
        place: String,
        /// What it said.
        what: String,
    },
    /// The ledger of what was put there cannot be understood.
    #[error(
        "{place}: the ledger {name} there cannot be read: {why}; to begin anew, remove it, and what left the set by hand"
    )]
    Ledger {
        /// The place.
        place: String,
        /// Its name.
        name: String,
        /// The cause.
        why: String,
    },
    /// It took too long.
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
        /// How it ended.
        status: std::process::ExitStatus,
        /// Its last lines.
        output: String,
    },
    /// This program was built without object storage.
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

    /// Names the place, and takes out what nobody is to read.
    pub(crate) fn about(mut self, about: &Place, secrets: &Secrets) -> Self {
        match &mut self {
            Self::File { .. } | Self::Large { .. } => {}
            Self::Storage { place, what } => {
                *place = about.label();
                *what = secrets.hide(what);
            }
            Self::Ledger { place, .. }
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
