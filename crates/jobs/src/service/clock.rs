//! The time of the service.

use jiff::Timestamp;
use std::time::{Duration, Instant};

/// Tells the time, and how long to wait for another.
#[derive(Debug, Clone, Copy)]
pub struct Clock(Kind);

#[derive(Debug, Clone, Copy)]
enum Kind {
    /// The system's, which may be set.
    Real,
    /// One that began at an instant and goes so many times as fast.
    Fast { base: Timestamp, began: Instant, factor: u32 },
}

impl Clock {
    /// The system's.
    #[must_use]
    pub fn real() -> Self {
        Self(Kind::Real)
    }

    /// One that shows `base` now and goes `factor` times as fast: days of service in minutes, for tests.
    #[must_use]
    pub fn fast(base: Timestamp, factor: u32) -> Self {
        Self(Kind::Fast { base, began: Instant::now(), factor: factor.max(1) })
    }

    /// The present instant.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        match self.0 {
            Kind::Real => Timestamp::now(),
            Kind::Fast { base, began, factor } => {
                base.saturating_add(began.elapsed() * factor).unwrap_or(Timestamp::MAX)
            }
        }
    }

    /// How long to sleep until this clock has gone on by so much.
    pub(crate) fn sleep(&self, span: Duration) -> Duration {
        match self.0 {
            Kind::Real => span,
            Kind::Fast { factor, .. } => span / factor,
        }
    }
}
