//! Object storage.

mod carry;
mod connect;

use super::error::MirrorError;
use super::files::Files;
use super::{MirrorOptions, Mirrored};
use carry::Carrier;
use url::Url;

/// Brings a bucket up to date.
pub(super) async fn mirror(url: &Url, files: &Files, options: &MirrorOptions) -> Result<Mirrored, MirrorError> {
    let (store, prefix) = connect::connect(url, options).map_err(storage)?;
    Carrier { store: &*store, prefix: &prefix, files, grace: options.grace, now: options.now }.carry().await
}

/// What a store says. Who the place is and what is to be left out of this is known further up.
fn storage(error: object_store::Error) -> MirrorError {
    MirrorError::Storage { place: String::new(), what: error.to_string() }
}

#[cfg(test)]
#[path = "cloud/tests.rs"]
mod tests;
