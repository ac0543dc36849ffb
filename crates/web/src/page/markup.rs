//! Counts of elements that say nothing to a crawl, for audits.

use serde::{Deserialize, Serialize};

/// Counts of elements, for audits. A count stays at its maximum.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct MarkupCounts {
    /// `title` elements of HTML content.
    #[serde(skip_serializing_if = "is_default")]
    pub titles: u8,
    /// `meta name=description`.
    #[serde(skip_serializing_if = "is_default")]
    pub descriptions: u8,
    /// There is a `meta name=viewport`.
    #[serde(skip_serializing_if = "is_default")]
    pub viewport: bool,
    /// `img` elements outside `noscript` without an `alt` attribute. An empty one says that the image is decoration.
    #[serde(skip_serializing_if = "is_default")]
    pub images_without_alt: u16,
    /// Fields for passwords, wherever they stand.
    #[serde(skip_serializing_if = "is_default")]
    pub passwords: u8,
    /// Links to files of the visitor's own computer (`file:`).
    #[serde(skip_serializing_if = "is_default")]
    pub file_links: u16,
    /// Links without a URL that only scripts follow: `href=javascript:` or `onclick`.
    #[serde(skip_serializing_if = "is_default")]
    pub scripted_links: u16,
    /// Scripts of JSON-LD that are not JSON.
    #[serde(skip_serializing_if = "is_default")]
    pub malformed_json_ld: u8,
    /// The basic properties of the Open Graph protocol.
    #[serde(skip_serializing_if = "is_default")]
    pub open_graph: OpenGraph,
}

/// The basic properties of the Open Graph protocol (ogp.me) that a page gives.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct OpenGraph {
    /// `og:title`.
    pub title: bool,
    /// `og:type`.
    pub kind: bool,
    /// `og:image`, also as `og:image:url` or `og:image:secure_url`.
    pub image: bool,
    /// `og:url`.
    pub url: bool,
}

impl OpenGraph {
    /// Notes a property that has a content.
    pub(crate) fn note(&mut self, property: &str) {
        match property {
            "og:title" => self.title = true,
            "og:type" => self.kind = true,
            "og:image" | "og:image:url" | "og:image:secure_url" => self.image = true,
            "og:url" => self.url = true,
            _ => {}
        }
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
