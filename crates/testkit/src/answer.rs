//! What a path answers: a response, or something no server should send.

use std::time::Duration;

use crate::response::Response;

/// How a connection goes on after bytes that were sent as they stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The connection stays open for the next request.
    KeepAlive,
    /// The connection is closed in good order (FIN).
    Close,
    /// Nothing more is sent and the connection stays open until the client leaves.
    Hold,
    /// The connection is torn down (RST).
    Reset,
}

/// What a path answers.
#[derive(Debug, Clone)]
pub enum Answer {
    /// A well-formed response.
    Respond(Response),
    /// Exactly these bytes, head included (or none at all), then the ending.
    Raw {
        /// Everything that goes on the wire.
        bytes: Vec<u8>,
        /// How the connection goes on.
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
        /// What is sent once.
        prefix: Vec<u8>,
        /// What is repeated; never empty.
        chunk: Vec<u8>,
        /// The pause before each chunk; zero for as fast as the client takes it.
        gap: Duration,
    },
}

impl Answer {
    /// Sends these bytes as they stand, then closes.
    #[must_use]
    pub fn raw(bytes: impl Into<Vec<u8>>) -> Answer {
        Answer::Raw { bytes: bytes.into(), then: Ending::Close }
    }

    /// Sends these bytes, then nothing more, and keeps the connection open.
    #[must_use]
    pub fn stall_after(bytes: impl Into<Vec<u8>>) -> Answer {
        Answer::Raw { bytes: bytes.into(), then: Ending::Hold }
    }

    /// Sends these bytes, then resets the connection.
    #[must_use]
    pub fn reset_after(bytes: impl Into<Vec<u8>>) -> Answer {
        Answer::Raw { bytes: bytes.into(), then: Ending::Reset }
    }
}

impl From<Response> for Answer {
    fn from(response: Response) -> Answer {
        Answer::Respond(response)
    }
}
