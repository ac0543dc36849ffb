//! Mirrors: other places that hold a copy of the published directory.
//!
//! The directory is the source of truth: a set is published there first and then uploaded to each mirror. An upload is
//! idempotent. After one that failed, was killed or never began, the next one uploads the files that are missing.
//!
//! # Object storage
//!
//! Parts come first, then further indexes, then the entry point, so that every file listed by an index exists. An
//! object with the same bytes is not sent again (its SHA-256 is kept in the metadata `sha256`). Objects that left the
//! set stay for the grace period and are then removed, but only those that `.mapwright.json` beside them lists as put
//! there by mapwright. Reading, writing, deleting and listing must be permitted below the prefix: without the
//! permission to list, some services answer 403 for a missing object. `Content-Type` is set by the file's name,
//! `Content-Encoding` never: a `.gz` file is delivered as it is.
//!
//! # Commands
//!
//! A command covers every other kind of mirror. It runs without a shell in the published folder, and gets the files as
//! one JSON object on its standard input: `docs/hooks.md` describes the form, with examples for SFTP and rsync. An exit
//! code other than 0 is a failure; the next run reports the same changes again, along with later ones.

#[cfg(feature = "cloud")]
mod cloud;
mod command;
mod content;
mod error;
mod files;
mod mirror_state;
mod mirror_target;
mod secrets;

pub use error::MirrorError;
pub use files::Files;
pub use mirror_target::{MirrorTarget, MirrorTargetError};

use jiff::Timestamp;
use secrets::Secrets;
use std::path::PathBuf;
use std::time::Duration;

/// The options of a mirror.
#[derive(Clone)]
pub struct MirrorOptions {
    /// The grace period of files that left the set.
    pub grace: Duration,
    /// The timeout of the entire upload. Failed requests are retried within it.
    pub timeout: Duration,
    /// The present instant.
    pub now: Timestamp,
    /// The environment, for the credentials and endpoints of object storage: `AWS_…`, `GOOGLE_…` and `AZURE_…`, as the
    /// tools of these services read them. Other variables are ignored.
    pub environment: Vec<(String, String)>,
    /// The folder that keeps what was reported to commands, so that the manifest can list removable files; without it,
    /// the manifest lists none. Object storage keeps its own state.
    pub state: Option<PathBuf>,
}

/// The result of an upload.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Mirrored {
    /// Files that were sent, or passed to the command.
    pub uploaded: u64,
    /// Files that were there with the same bytes.
    pub kept: u64,
    /// Files that were removed, or named to the command as removable.
    pub removed: u64,
    /// Bytes of the files that were sent, or passed to the command.
    pub bytes: u64,
}

/// Brings `place` up to date with the published files.
///
/// # Errors
/// When a file cannot be read, the place cannot be reached or written, the command fails, or the timeout expires.
/// Readers of the place then find the complete previous set.
pub async fn mirror(target: &MirrorTarget, files: &Files, options: &MirrorOptions) -> Result<Mirrored, MirrorError> {
    let secrets = Secrets::of(&options.environment);
    let carried = async {
        match target {
            #[cfg(feature = "cloud")]
            MirrorTarget::Cloud(url) => cloud::mirror(url, files, options).await,
            #[cfg(not(feature = "cloud"))]
            MirrorTarget::Cloud(_) => Err(MirrorError::NotBuiltIn { target: target.label() }),
            MirrorTarget::Command(line) => command::mirror(line, files, options).await,
        }
    };
    let late = || MirrorError::Late { target: target.label(), timeout: options.timeout };
    let carried = tokio::time::timeout(options.timeout, carried).await.map_err(|_| late())?;
    carried.map_err(|error| error.about(target, &secrets))
}

/// Credentials are not shown.
impl std::fmt::Debug for MirrorOptions {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("MirrorOptions")
            .field("grace", &self.grace)
            .field("timeout", &self.timeout)
            .field("now", &self.now)
            .field("state", &self.state)
            .finish_non_exhaustive()
    }
}
