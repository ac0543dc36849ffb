//! The header fields of a response that describe the document.

use super::security_headers::SecurityHeaders;

/// The header fields of a response that describe the document.
#[derive(Debug, Clone, Default)]
pub struct DocumentHeaders<'a> {
    /// `Content-Type`: determines the charset, and if the document is XHTML.
    pub content_type: Option<&'a str>,
    /// Each `Link` value.
    pub links: Vec<&'a str>,
    /// Each `X-Robots-Tag` value.
    pub robots: Vec<&'a str>,
    /// `Refresh`.
    pub refresh: Option<&'a str>,
    /// The fields that protect visitors.
    pub security: SecurityHeaders,
}
