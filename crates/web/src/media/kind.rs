//! The kinds of documents that a crawl distinguishes.

use serde::{Deserialize, Serialize};

/// Kinds of documents that a crawl distinguishes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MediaKind {
    /// `text/html`.
    Html,
    /// `application/xhtml+xml`.
    Xhtml,
    /// `application/pdf`.
    Pdf,
    /// Any other XML.
    Xml,
    /// RSS or Atom.
    Feed,
    /// Any other text.
    Text,
    /// An image.
    Image,
    /// Any other file.
    Other,
}
