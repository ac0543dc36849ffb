//! What findings are measured by.

use std::time::Duration;

/// What findings are measured by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Answers that take longer are slow.
    pub slow: Duration,
    /// Bodies of more bytes are too large.
    pub oversize: u64,
    /// Pages at more clicks from the start are deep.
    pub deep: u32,
    /// Texts with so much in common are nearly the same, in percent.
    pub near: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { slow: Duration::from_secs(3), oversize: 2 << 20, deep: 5, near: 90 }
    }
}
