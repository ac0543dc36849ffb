//! The thresholds of findings.

use std::time::Duration;

/// The thresholds of findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CheckThresholds {
    /// Responses that take longer are slow.
    pub slow: Duration,
    /// Bodies of more bytes are too large.
    pub oversize: u64,
    /// Images, style sheets, scripts and fonts of more bytes are large.
    pub oversize_resource: u64,
    /// Pages at more clicks from the start are deep.
    pub deep: u32,
    /// Texts with at least this percentage in common are near duplicates.
    pub near: u32,
    /// The length of titles.
    pub title: TextLength,
    /// The length of descriptions; none is too short.
    pub description: TextLength,
    /// Pages with fewer bytes of text are thin.
    pub thin: u32,
    /// URLs of more characters are long.
    pub long_url: usize,
}

/// The length of a text that search engines show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextLength {
    /// Fewer characters are too short.
    pub min: usize,
    /// More characters are too long.
    pub max: usize,
    /// A text that is wider than this many pixels is cut in results.
    pub max_width: u32,
}

impl Default for CheckThresholds {
    fn default() -> Self {
        Self {
            slow: Duration::from_secs(3),
            oversize: 2 << 20,
            oversize_resource: 500 << 10,
            deep: 5,
            near: 90,
            title: TextLength { min: 10, max: 70, max_width: 600 },
            description: TextLength { min: 0, max: 160, max_width: 990 },
            thin: 200,
            long_url: 115,
        }
    }
}
