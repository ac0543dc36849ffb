//! The limits for one visitor, and for all of them together.

use std::time::Duration;

/// Maximum size of a request's body, in bytes.
pub(crate) const MAX_BODY: usize = 64 << 10;
/// Maximum size of a request's head with its fields, in bytes.
pub(crate) const MAX_HEAD: usize = 16 << 10;
/// Maximum number of fields of a request's head.
pub(crate) const MAX_FIELDS: usize = 64;

/// Limits of the dashboard; the defaults are right for everything but tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ServerLimits {
    /// Connections that are served at once. The same number of connections may wait for one of these to end; while they
    /// wait, only health checks are answered. Further ones wait in the system's queue.
    pub connections: usize,
    /// Simultaneous live views; further ones are refused.
    pub streams: usize,
    /// Simultaneous reads of records and reports; further ones wait.
    pub readings: usize,
    /// Timeout of a request's head, from the opening of the connection or its last response.
    pub head: Duration,
    /// Timeout from the end of the head until the response begins.
    pub answer: Duration,
    /// Timeout of a client that reads nothing of a response.
    pub write: Duration,
    /// Timeout for reading a record or a report for one response.
    pub reading: Duration,
    /// Time that open connections have to finish when the dashboard shuts down.
    pub ending: Duration,
}

impl Default for ServerLimits {
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
