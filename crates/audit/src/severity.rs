//! How grave a finding is.

use serde::{Serialize, Serializer};

/// How grave a finding is, the gravest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Visitors or search engines are lost by it: to be mended.
    Error,
    /// Likely a mistake: to be looked at.
    Warning,
    /// May well be meant: good to know.
    Notice,
}

impl Severity {
    /// All of them, the gravest first.
    pub const ALL: [Self; 3] = [Self::Error, Self::Warning, Self::Notice];

    /// The word used in reports and settings.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Notice => "notice",
        }
    }

    /// The severity of a word.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|severity| severity.as_str() == name)
    }
}

impl Serialize for Severity {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
