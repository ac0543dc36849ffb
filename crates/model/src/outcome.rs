//! The outcomes of requests.

/// The outcome of one request. Failures of the site are data, recorded like any page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// 200 (or 203, RFC 9110 section 15.3.4) with a document that is read for links.
    Page,
    /// 200 (or 203) with any other document: recorded, not read for links.
    File,
    /// Any other status that is no redirect.
    Status,
    /// A redirect with a usable `Location`.
    Redirect,
    /// No response head, or none that HTTP allows.
    NoAnswer,
    /// The response broke off, or its coding is corrupt.
    Broken,
    /// The server requested a longer wait than the limit, or its firewall challenged the crawler. Not a broken page.
    Throttled,
    /// Not fetched: robots.txt forbids it, or was not available.
    Refused,
    /// Not fetched: the address guard blocks its address.
    Guarded,
    /// A bug of mapwright: the visit panicked.
    Failed,
}

impl Outcome {
    /// All outcomes, in the order of their codes.
    pub const ALL: [Self; 10] = [
        Self::Page,
        Self::File,
        Self::Status,
        Self::Redirect,
        Self::NoAnswer,
        Self::Broken,
        Self::Throttled,
        Self::Refused,
        Self::Guarded,
        Self::Failed,
    ];

    /// Stable number, for the record.
    #[must_use]
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The word used in reports and exports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Page => "page",
            Self::File => "file",
            Self::Status => "status",
            Self::Redirect => "redirect",
            Self::NoAnswer => "no-answer",
            Self::Broken => "broken",
            Self::Throttled => "throttled",
            Self::Refused => "blocked",
            Self::Guarded => "guarded",
            Self::Failed => "failed",
        }
    }
}
