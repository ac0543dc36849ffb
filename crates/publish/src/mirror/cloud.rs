//! Object storage.

mod connect;
mod error;
mod upload;

use super::error::MirrorError;
use super::files::Files;
use super::{MirrorOptions, Mirrored};
use error::storage;
use upload::Uploader;
use url::Url;

/// Brings a bucket up to date.
pub(super) async fn mirror(url: &Url, files: &Files, options: &MirrorOptions) -> Result<Mirrored, MirrorError> {
    let (store, prefix) = connect::connect(url, options).map_err(storage)?;
    Uploader { store: &*store, prefix: &prefix, files, grace: options.grace, now: options.now }.upload().await
}

#[cfg(test)]
#[path = "cloud/tests.rs"]
mod tests;
