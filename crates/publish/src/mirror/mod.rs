//! Mirrors: other places that hold what the directory holds.
//!
//! The directory is the source of truth: a set is published there first, and then carried to each mirror. Carrying is
//! idempotent. One that failed, was killed, or was never begun is made up for by the next, which carries whatever is
//! missing.
//!
//! # Object storage
//!
//! Parts first, then further indexes, then the entry point: whoever reads an index finds what it lists. An object that is
//! there with the same bytes is not sent again (a SHA-256 is kept as its metadata `sha256`). Objects that left the set
//! stay for the grace period and are then removed: those alone that `.mapwright.json`, the ledger beside them, names as
//! put there by mapwright. Reading, writing, deleting and listing must be permitted below the prefix: without the latter
//! some services do not tell what is missing from what is forbidden. `Content-Type` is set by the file's name,
//! `Content-Encoding` never: a `.gz` is delivered as it is.
//!
//! # Commands
//!
//! Everything else is up to a command. It is run without a shell, in the published folder, and is given what is there as
//! one JSON object on its standard input: `docs/hooks.md` has its form, and examples for SFTP and rsync. An exit code
//! other than 0 is a failure, and the same is told again, and more, the next time.

#[cfg(feature = "cloud")]
mod cloud;
mod command;
mod content;
mod error;
mod files;
mod ledger;
mod place;
mod secrets;

pub use error::MirrorError;
pub use files::Files;
pub use place::{Place, PlaceError};

use jiff::Timestamp;
use secrets::Secrets;
use std::path::PathBuf;
use std::time::Duration;

/// How a mirror is brought up to date.
#[derive(Clone)]
pub struct MirrorOptions {
    /// How long files stay after they left the set.
    pub grace: Duration,
    /// The time that all of it may take. Requests that fail are tried again within it.
    pub timeout: Duration,
    /// The present instant.
    pub now: Timestamp,
    /// The environment, for the credentials and endpoints of object storage: `AWS_…`, `GOOGLE_…` and `AZURE_…`, as the
    /// tools of these services read them. Others are left alone.
    pub environment: Vec<(String, String)>,
    /// A folder in which is kept what commands were told, so that they are told what may be removed; without it they are
    /// told of nothing to be removed. Object storage keeps its own ledger.
    pub state: Option<PathBuf>,
}

/// What was done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Mirrored {
    /// Files that were sent, or handed to the command.
    pub uploaded: u64,
    /// Files that were there with the same bytes.
    pub kept: u64,
    /// Files that were removed, or named to the command as removable.
    pub removed: u64,
    /// Bytes of the files that were sent, or handed to the command.
    pub bytes: u64,
}

/// Brings `place` up to date with the published files.
///
/// # Errors
/// When a file cannot be read, the place not be reached or written, the command fails, or the time is over. Readers of the
/// place find then the set before, whole.
pub async fn mirror(place: &Place, files: &Files, options: &MirrorOptions) -> Result<Mirrored, MirrorError> {
    let secrets = Secrets::of(&options.environment);
    let carried = async {
        match place {
            #[cfg(feature = "cloud")]
            Place::Cloud(url) => cloud::mirror(url, files, options).await,
            #[cfg(not(feature = "cloud"))]
            Place::Cloud(_) => Err(MirrorError::NotBuiltIn { place: place.label() }),
            Place::Command(line) => command::mirror(line, files, options).await,
        }
    };
    let late = || MirrorError::Late { place: place.label(), timeout: options.timeout };
    let carried = tokio::time::timeout(options.timeout, carried).await.map_err(|_| late())?;
    carried.map_err(|error| error.about(place, &secrets))
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
