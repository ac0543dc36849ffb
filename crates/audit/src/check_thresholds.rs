//! The thresholds of findings.

use std::time::Duration;

/// The thresholds of findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CheckThresholds {
    /// Responses that take longer are slow.
    pub slow: Duration,
    /// Bodies of more bytes are too large.
    pub oversize: u64,
    /// Pages at more clicks from the start are deep.
    pub deep: u32,
    /// Texts with at least this percentage in common are near duplicates.
    pub near: u32,
}

impl Default for CheckThresholds {
    fn default() -> Self {
        Self { slow: Duration::from_secs(3), oversize: 2 << 20, deep: 5, near: 90 }
    }
}
