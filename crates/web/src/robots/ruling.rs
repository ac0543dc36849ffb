//! The decision of a robots.txt about a URL.

/// A verdict, and the deciding line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ruling {
    /// The URL may be fetched.
    pub allowed: bool,
    /// The deciding line; `None` if no rule matched.
    pub line: Option<RuleLine>,
}

/// A line of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleLine {
    /// The number of the line, from 1; CR, LF and CRLF end a line.
    pub number: u32,
    /// The text as in the file, trimmed, at most [`MAX_TEXT_CHARS`](super::MAX_TEXT_CHARS) characters.
    pub text: String,
}

impl Ruling {
    /// Allowed because no rule matches.
    pub(super) fn by_default() -> Self {
        Ruling { allowed: true, line: None }
    }
}
