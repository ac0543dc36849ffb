//! The result of a token of an XML document.

/// The result of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Nothing is complete yet.
    Continue,
    /// The entry is complete.
    Entry,
    /// The root is closed.
    Closed,
    /// Reading stops here.
    Stop,
}
