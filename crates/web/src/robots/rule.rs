//! A rule of a robots.txt.

use super::pattern::Patterns;

/// One allow or disallow line.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) patterns: Patterns,
    /// The specificity of the patterns, in octets.
    pub(super) octets: u32,
    pub(super) allow: bool,
    pub(super) line: u32,
    pub(super) text: Box<str>,
}
