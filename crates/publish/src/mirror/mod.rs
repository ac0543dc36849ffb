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
mod mirrored;
mod options;
mod secrets;

pub use error::MirrorError;
pub use files::Files;
pub use mirror_target::{MirrorTarget, MirrorTargetError};
pub use mirrored::Mirrored;
pub use options::MirrorOptions;

use secrets::Secrets;

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
