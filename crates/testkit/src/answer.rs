//! The answer of a path: a response, or something that no server should send.

use std::net::SocketAddr;
use std::time::Duration;

use crate::response::Response;

/// The state of a connection after raw bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The connection stays open for the next request.
    KeepAlive,
    /// The connection is closed in an orderly way (FIN).
    Close,
    /// Nothing more is sent, and the connection stays open until the client leaves.
    Hold,
    /// The connection is torn down (RST).
    Reset,
}

/// The answer of a path.
#[derive(Debug, Clone)]
pub enum ServerAction {
    /// A well-formed response.
    Respond(Response),
    /// Exactly these bytes, head included (or none at all), then the ending.
    Raw {
        /// Everything that goes on the wire.
        bytes: Vec<u8>,
        /// The state of the connection afterwards.
        then: Ending,
    },
    /// Exactly these bytes, head included, one by one with a gap before each, then a close.
    Drip {
        /// Everything that goes on the wire.
        bytes: Vec<u8>,
        /// The pause before each byte.
        gap: Duration,
    },
    /// The prefix (head included), then the chunk again and again until the client leaves.
    Endless {
        /// The bytes that are sent once.
        prefix: Vec<u8>,
        /// The bytes that are repeated; never empty.
        chunk: Vec<u8>,
        /// The pause before each chunk; zero for as fast as the client reads.
        gap: Duration,
    },
    /// A tunnel to this address, whichever was requested: the answer of a proxy to `CONNECT`.
    Tunnel(SocketAddr),
}

impl ServerAction {
    /// Sends exactly these bytes, then closes.
    #[must_use]
    pub fn raw(bytes: impl Into<Vec<u8>>) -> ServerAction {
        ServerAction::Raw { bytes: bytes.into(), then: Ending::Close }
    }

    /// Sends these bytes, then nothing more, and keeps the connection open.
    #[must_use]
    pub fn stall_after(bytes: impl Into<Vec<u8>>) -> ServerAction {
        ServerAction::Raw { bytes: bytes.into(), then: Ending::Hold }
    }

    /// Sends these bytes, then resets the connection.
    #[must_use]
    pub fn reset_after(bytes: impl Into<Vec<u8>>) -> ServerAction {
        ServerAction::Raw { bytes: bytes.into(), then: Ending::Reset }
    }
}

impl From<Response> for ServerAction {
    fn from(response: Response) -> ServerAction {
        ServerAction::Respond(response)
    }
}
