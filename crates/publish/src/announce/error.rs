//! The error of a notification to a search engine.

use std::time::Duration;

/// The reason why a search engine was not notified, in one line for a person. It contains no secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct AnnounceError {
    /// The message: what is wrong, where, and what to do.
    pub what: String,
    /// The error is permanent: a retry fails until something is changed.
    pub permanent: bool,
    /// The delay that the engine requested.
    pub after: Option<Duration>,
}

impl AnnounceError {
    /// An error that a person must fix.
    pub(crate) fn permanent(what: impl Into<String>) -> Self {
        AnnounceError { what: what.into(), permanent: true, after: None }
    }

    /// A transient error.
    pub(crate) fn transient(what: impl Into<String>, after: Option<Duration>) -> Self {
        AnnounceError { what: what.into(), permanent: false, after }
    }
}
