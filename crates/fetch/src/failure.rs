//! Failures: the reasons why there is no response. `cause` finds the one of an error.

pub(crate) mod cause;

use mapwright_model::FailureKind;
use std::time::Duration;

/// An attempt without a response.
///
/// `detail` contains no secret: no credential, no cookie, no header of the request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{detail}")]
pub struct Failure {
    /// The kind of failure.
    pub kind: FailureKind,
    /// One line for people: what failed, where, and a hint where one is known.
    pub detail: String,
    /// The duration of the attempt.
    pub after: Duration,
    /// The head of a response was received: the server is alive, but its response could not be used.
    pub head_seen: bool,
}
