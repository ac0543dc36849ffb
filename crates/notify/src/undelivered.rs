//! The reason why a message was not delivered.

use std::time::Duration;

/// The reason why a message was not delivered, in words that contain no secret and may be stored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct Undelivered {
    /// The fault, on one line of at most 300 characters.
    pub what: String,
    /// A retry is useless: the receiver refuses this message, or does not know the address.
    pub permanent: bool,
    /// The wait that the receiver requests.
    pub after: Option<Duration>,
}

impl Undelivered {
    /// Characters of `what`, at most.
    const MAX_CHARS: usize = 300;

    /// Builds a failure that may pass.
    pub(crate) fn transient(what: &str) -> Undelivered {
        Undelivered { what: mapwright_text::line(what, Self::MAX_CHARS), permanent: false, after: None }
    }

    /// Builds a failure that will repeat.
    pub(crate) fn permanent(what: &str) -> Undelivered {
        Undelivered { permanent: true, ..Undelivered::transient(what) }
    }
}

/// Returns the innermost cause, which is the most specific.
pub(crate) fn cause(error: &dyn std::error::Error) -> String {
    let mut deepest = error;
    while let Some(source) = deepest.source() {
        deepest = source;
    }
    deepest.to_string()
}
