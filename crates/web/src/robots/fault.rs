//! Faulty lines of a robots.txt.

use std::fmt;

/// A faulty line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RobotsFault {
    /// The number of the line, from 1.
    pub line: u32,
    /// The text as in the file, trimmed, at most [`MAX_TEXT_CHARS`](super::MAX_TEXT_CHARS) characters.
    pub text: String,
    /// The kind of fault.
    pub flaw: LineFlaw,
}

/// The kind of fault of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineFlaw {
    /// It has no meaning: not `key: value`, an unknown key, a rule outside of any group, or a path that starts with
    /// neither `/` nor `*`.
    NoRule,
    /// It names a sitemap, but not by an absolute URL (sitemaps.org, "Specifying the Sitemap location in your
    /// robots.txt file").
    SitemapUrl,
    /// It contains octets that are not UTF-8 (RFC 9309 2.3).
    NoUtf8,
}

impl fmt::Display for RobotsFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let flaw = match self.flaw {
            LineFlaw::NoRule => "is no rule",
            LineFlaw::SitemapUrl => "names a sitemap by less than its absolute URL",
            LineFlaw::NoUtf8 => "is not in UTF-8",
        };
        write!(f, "line {} {flaw}: {}", self.line, self.text)
    }
}
