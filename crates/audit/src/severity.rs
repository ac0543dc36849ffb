//! The severity of a finding.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The severity of a finding, the highest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// It loses visitors or search engines: fix it.
    Error,
    /// It is likely a mistake: check it.
    Warning,
    /// It may well be intended: for information.
    Notice,
}

impl Severity {
    /// All severities, the highest first.
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
