//! The kinds of failure: the reasons why there is no response.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The kinds of failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailureKind {
    /// The host's name has no address, or its name servers do not answer.
    Dns,
    /// The connection was refused: no process listens at that port.
    Refused,
    /// The connection was closed before a response came.
    Reset,
    /// No secure connection could be established: the certificate, or the handshake.
    Tls,
    /// A timeout: connecting, first byte, silence, or the entire attempt.
    TimedOut,
    /// The response is not HTTP, or its head exceeds the limits.
    Protocol,
    /// The address guard refuses this address; nothing was sent.
    Guarded,
    /// The host's network is unreachable.
    Unreachable,
    /// The proxy cannot be reached or refuses to serve.
    ProxyFailed,
    /// A fault on our side.
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

    /// Returns whether a later attempt may well succeed. Unknown faults count as transient.
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
