//! Why a message was not delivered.

use std::time::Duration;

/// Why a message was not delivered, in words that hold no secret and may be stored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct Undelivered {
    /// What went wrong, on one line of at most 300 characters.
    pub what: String,
    /// Trying again makes no sense: the receiver refuses this message, or knows nothing of the address.
    pub lasting: bool,
    /// How long the receiver asks to wait.
    pub after: Option<Duration>,
}

impl Undelivered {
    /// Characters of `what`, at most.
    const MOST: usize = 300;

    /// What may go well another time.
    pub(crate) fn passing(what: &str) -> Undelivered {
        Undelivered { what: crate::visible::line(what, Self::MOST), lasting: false, after: None }
    }

    /// What will fail every time.
    pub(crate) fn lasting(what: &str) -> Undelivered {
        Undelivered { lasting: true, ..Undelivered::passing(what) }
    }
}

/// The innermost cause, which says most.
pub(crate) fn cause(error: &dyn std::error::Error) -> String {
    let mut deepest = error;
    while let Some(source) = deepest.source() {
        deepest = source;
    }
    deepest.to_string()
}
