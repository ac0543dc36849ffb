//! Errors of object storage.

use crate::mirror::error::MirrorError;

/// The error of a store. The caller adds the place and removes secrets.
pub(super) fn storage(error: object_store::Error) -> MirrorError {
    MirrorError::Storage { target: String::new(), what: error.to_string() }
}
