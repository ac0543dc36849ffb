//! Why there is no answer.

use std::fmt;
use std::time::Duration;

/// An attempt that brought no answer.
///
/// `detail` names no secret: no credential, no cookie, no header of the request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{detail}")]
pub struct Failure {
    /// What kind of failure it was.
    pub kind: FailureKind,
    /// One line for people: what failed, where, and what to do where we know.
    pub detail: String,
    /// How long the attempt took.
    pub after: Duration,
    /// The head of an answer had come: the server lives, its answer could not be had.
    pub head_seen: bool,
}

/// The kinds of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FailureKind {
    /// The host's name has no address, or its name servers do not answer.
    Dns,
    /// Nobody listens at that port.
    Refused,
    /// The connection was closed before an answer came.
    Reset,
    /// No secure connection could be made: the certificate, or the handshake.
    Tls,
    /// A bound on time was met: connecting, first byte, silence, or the attempt as a whole.
    TimedOut,
    /// What came is not HTTP, or its head exceeds the bounds.
    Protocol,
    /// The address guard refuses this address; nothing was sent.
    Guarded,
    /// No way to the host's network.
    Unreachable,
    /// The proxy cannot be reached or will not serve.
    ProxyFailed,
    /// A fault on our side of the wire.
    Internal,
}

impl FailureKind {
    /// All kinds, in the order of their declaration.
    pub const ALL: [FailureKind; 10] = [
        FailureKind::Dns,
        FailureKind::Refused,
        FailureKind::Reset,
        FailureKind::Tls,
        FailureKind::TimedOut,
        FailureKind::Protocol,
        FailureKind::Guarded,
        FailureKind::Unreachable,
        FailureKind::ProxyFailed,
        FailureKind::Internal,
    ];

    /// The name that records and reports use.
    pub fn as_str(self) -> &'static str {
        match self {
            FailureKind::Dns => "dns",
            FailureKind::Refused => "refused",
            FailureKind::Reset => "reset",
            FailureKind::Tls => "tls",
            FailureKind::TimedOut => "timed-out",
            FailureKind::Protocol => "protocol",
            FailureKind::Guarded => "guarded",
            FailureKind::Unreachable => "unreachable",
            FailureKind::ProxyFailed => "proxy-failed",
            FailureKind::Internal => "internal",
        }
    }

    /// The kind of this name.
    pub fn from_name(name: &str) -> Option<FailureKind> {
        FailureKind::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// Whether another attempt, later, may well succeed: what is not understood may be over by then.
    pub fn transient(self) -> bool {
        match self {
            FailureKind::Dns
            | FailureKind::Refused
            | FailureKind::Reset
            | FailureKind::TimedOut
            | FailureKind::Unreachable
            | FailureKind::ProxyFailed
            | FailureKind::Internal => true,
            FailureKind::Tls | FailureKind::Protocol | FailureKind::Guarded => false,
        }
    }
}

impl fmt::Display for FailureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
