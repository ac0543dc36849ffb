//! What one visitor, and all of them together, may take.

use std::time::Duration;

/// Bytes of a request's body.
pub(crate) const MOST_BODY: usize = 64 << 10;
/// Bytes of a request's head, and its fields.
pub(crate) const MOST_HEAD: usize = 16 << 10;
/// Fields of a request's head.
pub(crate) const MOST_FIELDS: usize = 64;

/// Bounds of the dashboard; the defaults are right for all but tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Connections that are served at once. As many again wait until one of these ends, and are told in the meantime
    /// whether the service lives, if that is what they ask; further ones wait in the system's queue.
    pub connections: usize,
    /// Live views at once; further ones are refused.
    pub streams: usize,
    /// Records and reports that are read at once; further questions wait.
    pub readings: usize,
    /// From the opening of a connection, or its last answer, to the end of a request's head.
    pub head: Duration,
    /// From there until the answer begins.
    pub answer: Duration,
    /// How long a client may take no byte of an answer.
    pub write: Duration,
    /// How long a record or a report may be read for one answer.
    pub reading: Duration,
    /// How long open connections may go on when the dashboard ends.
    pub ending: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 512,
            streams: 64,
            readings: 4,
            head: Duration::from_secs(10),
            answer: Duration::from_secs(30),
            write: Duration::from_secs(30),
            reading: Duration::from_secs(15),
            ending: Duration::from_secs(5),
        }
    }
}
