//! Why a search engine was not told.

use std::time::Duration;

/// Why a search engine was not told, in one line for a person. Holds no secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct AnnounceError {
    /// What is wrong, where, and what to do.
    pub what: String,
    /// Trying again as it is will go wrong again: something must be changed first.
    pub lasting: bool,
    /// How long the engine asked to be left alone.
    pub after: Option<Duration>,
}

impl AnnounceError {
    /// Something that a person must change.
    pub(crate) fn lasting(what: impl Into<String>) -> Self {
        AnnounceError { what: what.into(), lasting: true, after: None }
    }

    /// Something that may pass.
    pub(crate) fn passing(what: impl Into<String>, after: Option<Duration>) -> Self {
        AnnounceError { what: what.into(), lasting: false, after }
    }
}
