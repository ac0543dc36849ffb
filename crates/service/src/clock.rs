//! The clock of the service.

use jiff::Timestamp;
use std::time::{Duration, Instant};

/// A clock, which also converts spans to sleep times.
#[derive(Debug, Clone, Copy)]
pub struct Clock(Kind);

#[derive(Debug, Clone, Copy)]
enum Kind {
    /// The system clock, which may be set.
    Real,
    /// A clock that began at an instant and runs `factor` times as fast.
    Fast { base: Timestamp, began: Instant, factor: u32 },
}

impl Clock {
    /// Returns the system clock.
    #[must_use]
    pub fn real() -> Self {
        Self(Kind::Real)
    }

    /// Returns a clock that shows `base` now and runs `factor` times as fast: days of service in minutes, for tests.
    #[must_use]
    pub fn fast(base: Timestamp, factor: u32) -> Self {
        Self(Kind::Fast { base, began: Instant::now(), factor: factor.max(1) })
    }

    /// Returns the present instant.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        match self.0 {
            Kind::Real => Timestamp::now(),
            Kind::Fast { base, began, factor } => {
                base.saturating_add(began.elapsed() * factor).unwrap_or(Timestamp::MAX)
            }
        }
    }

    /// Returns the real time in which this clock advances by `span`.
    pub(crate) fn sleep(&self, span: Duration) -> Duration {
        match self.0 {
            Kind::Real => span,
            Kind::Fast { factor, .. } => span / factor,
        }
    }
}
