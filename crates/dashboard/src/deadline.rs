//! The time until which a request may read.

use crate::problem::Problem;
use axum::http::StatusCode;
use std::time::{Duration, Instant};

/// The deadline of a read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Deadline(Instant);

impl Deadline {
    /// Returns the deadline of a read that begins now.
    pub(crate) fn within(patience: Duration) -> Self {
        Self(Instant::now() + patience)
    }

    /// Fails once the deadline has passed.
    pub(crate) fn check(self) -> Result<(), Problem> {
        if Instant::now() < self.0 { Ok(()) } else { Err(too_long()) }
    }
}

/// Returns the response where reading takes too long.
pub(crate) fn too_long() -> Problem {
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, "it takes too long to read; use the command, or the files")
}
