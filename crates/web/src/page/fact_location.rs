//! The place of a fact in a response.

use serde::{Deserialize, Serialize};

/// The place of a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FactLocation {
    /// A header field of the response.
    Header,
    /// A tag in `head`.
    Head,
    /// A tag in `body`.
    Body,
}
